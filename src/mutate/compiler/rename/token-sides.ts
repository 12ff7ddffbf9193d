/**
 * What a name token stands for, by its form (mutation.md §2.8). Most names have one side. A shorthand property, a binding element, an
 * import or export specifier without its own alias say one name for two things; renaming one of them must not rename the other, so the
 * sides are kept apart and `ties` says how a rename goes from one to the other under each alias policy.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { AliasPolicy, EditForm } from '../../vocabulary.ts';
import type { BoundToken, Link, LinkRole, NameToken } from '../job/job-types.ts';
import type { CompilerEdit, DeclarationPlace } from '../session/messages.ts';

/**
 * `first` and `second` of each shape: `shorthand` variable and property; `binding` local and property; `import` local and exported name;
 * `whole_import` the local name of something that has no name of its own there (a default export, a module), and that; `export` local
 * and public name; `export_value` the local name in `export default a` and `export = a`, and what it exports.
 */
type Shape = 'name' | 'shorthand' | 'binding' | 'import' | 'whole_import' | 'export' | 'export_value';

export type Side = 'first' | 'second';

export type Sides = {
  readonly shape: Shape;
  readonly first: readonly DeclarationPlace[];
  readonly second: readonly DeclarationPlace[];
};

/** Is the second side renamed because the first is (`forward`), and the first because the second is (`back`)? */
type Ties = { readonly forward: boolean; readonly back: boolean };

const apart: Ties = { forward: false, back: false };

export function tiesOf(shape: Shape, policy: AliasPolicy): Ties {
  const through = policy === 'through';
  const ties: Record<Shape, Ties> = {
    name: apart,
    shorthand: apart,
    binding: apart,
    // What is exported is renamed with its importers; a local name alone only where names are meant to stay equal.
    import: { forward: through, back: true },
    whole_import: { forward: through, back: true },
    export: { forward: through, back: through },
    export_value: { forward: true, back: through },
  };
  return ties[shape];
}

function shapeOf(node: ts.Node): Shape {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) return 'shorthand';
  if (ts.isBindingElement(parent)) {
    const short = parent.name === node && parent.propertyName === undefined && parent.dotDotDotToken === undefined;
    return short && ts.isObjectBindingPattern(parent.parent) ? 'binding' : 'name';
  }
  if (ts.isImportSpecifier(parent)) return specifierShape(parent, node, 'import');
  if (ts.isExportSpecifier(parent)) return specifierShape(parent, node, 'export');
  if (ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return 'whole_import';
  if (
    ts.isImportEqualsDeclaration(parent) &&
    parent.name === node &&
    ts.isExternalModuleReference(parent.moduleReference)
  ) {
    return 'whole_import';
  }
  if (exportAssignmentOf(node) !== undefined) return 'export_value';
  return 'name';
}

/** `export default a`, `export = a`, `export = class a {}`. */
function exportAssignmentOf(node: ts.Node): ts.Node | undefined {
  const { parent } = node;
  const isOwnName = (ts.isClassExpression(parent) || ts.isFunctionExpression(parent)) && parent.name === node;
  const [value, holder] = isOwnName ? [parent, parent.parent] : [node, parent];
  return ts.isExportAssignment(holder) && holder.expression === value ? holder : undefined;
}

/** `{ default as a }` is a default import in other words; `{ a as c }` gives each name its own place. */
function specifierShape(
  specifier: ts.ImportSpecifier | ts.ExportSpecifier,
  node: ts.Node,
  bare: 'import' | 'export',
): Shape {
  if (specifier.propertyName === undefined) return bare;
  return specifier.name === node && specifier.propertyName.text === 'default' ? 'whole_import' : 'name';
}

export function readSides(bound: BoundToken): Sides {
  const { token, binding } = bound;
  const shape = shapeOf(token.node);
  if (binding.kind !== 'bound') return { shape, first: [], second: [] };
  const of = (...roles: LinkRole[]): readonly DeclarationPlace[] =>
    binding.links.filter(({ role }) => roles.includes(role)).flatMap(({ places }) => places);
  // `declare module 'x';` gives every import of it the module itself: nothing is named there.
  const named = (wanted: LinkRole): readonly DeclarationPlace[] =>
    binding.links
      .filter(({ role, symbol }) => role === wanted && !isUntypedModule(symbol))
      .flatMap(({ places }) => places);
  switch (shape) {
    case 'shorthand':
      return { shape, first: of('value'), second: of('symbol', 'contextual') };
    case 'binding':
      return { shape, first: of('symbol'), second: of('contextual', 'alias') };
    case 'import':
      return { shape, first: of('symbol'), second: named('alias') };
    case 'whole_import':
      return { shape, first: of('symbol'), second: wholeModules(binding.links) };
    case 'export':
      return { shape, first: named('alias'), second: of('symbol') };
    case 'export_value':
      return {
        shape,
        first: of('symbol'),
        second: [placeOf(token.path, (exportAssignmentOf(token.node) ?? token.node).getStart())],
      };
    case 'name':
      return { shape, first: namePlaces(token.node, of), second: [] };
  }
}

/** The alias of `{ a as c }` is not `a`: of such a name, only what the token itself is. */
function namePlaces(
  node: ts.Node,
  of: (...roles: LinkRole[]) => readonly DeclarationPlace[],
): readonly DeclarationPlace[] {
  const { parent } = node;
  const aliased = ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
  const named = ts.isImportEqualsDeclaration(parent) || ts.isNamespaceExport(parent);
  if ((aliased || named) && parent.name === node) return of('symbol');
  const places = of('symbol', 'contextual');
  return places.length > 0 ? places : of('symbol', 'contextual', 'alias', 'value');
}

/** A module as a whole has no name that could be renamed with its importers; what it exports by `export =` has. */
function wholeModules(links: readonly Link[]): readonly DeclarationPlace[] {
  return links
    .filter(({ role, symbol }) => role === 'alias' && !isSourceModule(symbol))
    .flatMap(({ places }) => places)
    .filter(({ outside }) => !outside);
}

function isSourceModule(symbol: ts.Symbol): boolean {
  return (
    (symbol.flags & ts.SymbolFlags.ValueModule) !== 0 &&
    symbol.declarations.every(({ kind }) => kind === ts.SyntaxKind.SourceFile)
  );
}

function isUntypedModule(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations.length > 0 &&
    symbol.declarations.every((handle) => {
      const node = handle.kind === ts.SyntaxKind.ModuleDeclaration ? handle.resolve() : undefined;
      return node !== undefined && ts.isModuleDeclaration(node) && node.body === undefined;
    })
  );
}

function placeOf(path: string, start: number): DeclarationPlace {
  return { path, start, outside: false };
}

// How an occurrence is written anew (mutation.md §2.8), by which of its sides are renamed. Where a token says one name for two things and
// only one of them is renamed, the other keeps its name by an expansion (M11). Only the token's own span changes.

export type Renamed = { readonly first: boolean; readonly second: boolean };

type Form = { readonly form: EditForm; readonly text: (old: string, fresh: string) => string };

const plain: Form = { form: 'plain', text: (_, fresh) => fresh };

const expansions: Record<Shape, { readonly first: Form | null; readonly second: Form | null }> = {
  name: { first: plain, second: null },
  shorthand: {
    first: { form: 'shorthand_value', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'shorthand_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  binding: {
    first: { form: 'destructured_local', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'destructured_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  import: {
    first: { form: 'import_local', text: (old, fresh) => `${old} as ${fresh}` },
    second: { form: 'import_keeps_local', text: (old, fresh) => `${fresh} as ${old}` },
  },
  whole_import: { first: plain, second: null },
  export: {
    first: { form: 'export_keeps_public', text: (old, fresh) => `${fresh} as ${old}` },
    second: { form: 'export_public', text: (old, fresh) => `${old} as ${fresh}` },
  },
  export_value: { first: plain, second: null },
};

/** `written` is the token as it stands, with the escapes it may have. */
export function chooseForm(
  token: NameToken,
  shape: Shape,
  renamed: Renamed,
  written: string,
  newName: string,
): CompilerEdit | null {
  const form = formOf(shape, renamed);
  if (form === null) return null;
  return {
    path: token.path,
    start: token.start,
    end: token.end,
    oldText: written,
    newText: form.text(token.text, newName),
    form: form === plain ? plainForm(token) : form.form,
  };
}

function formOf(shape: Shape, { first, second }: Renamed): Form | null {
  if (first && second) return plain;
  if (first) return expansions[shape].first;
  return second ? expansions[shape].second : null;
}

function plainForm({ kind }: NameToken): EditForm {
  if (kind === 'string' || kind === 'template') return 'string';
  return kind === 'jsdoc' ? 'jsdoc' : 'plain';
}
