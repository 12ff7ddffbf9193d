/** What doubts are about: the types that own a renamed member, by name and by the compiler, and how their members are recognised. */

import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationStart } from '../job/declarations.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import { listAffected } from '../proof/affected-files.ts';
import type { ItemDraft } from '../session/messages.ts';
import { isFamilySymbol, memberDeclaration, ownerType } from './member-types.ts';

const K = ts.SyntaxKind;

export type Owner = {
  readonly program: OpenProgram;
  /** The class, interface, type literal, object literal or enum. */
  readonly node: ts.Node;
  /** As others can say it; undefined where it has no name. */
  readonly name: string | undefined;
  readonly type: ts.Type;
  /** Data can carry it: a property, and not a method or an enum's member. */
  readonly isData: boolean;
  /** `a?`: objects without it are owners as well. */
  readonly isOptional: boolean;
};

export function listOwners(world: RenameWorld): readonly Owner[] {
  if (!world.isMember) return [];
  const owners = new Map<ts.Node, Owner>();
  for (const { program, token } of tokensNamed(world.programs, world.oldName)) {
    const declaration = memberDeclaration(token.node);
    const node = declaration?.parent;
    if (declaration === undefined || node === undefined || owners.has(node)) continue;
    const place = { path: token.path, start: declarationStart(declaration), outside: false };
    const type = world.familyKeys.has(placeKey(place))
      ? askOr(() => ownerType(program, token.node), undefined)
      : undefined;
    if (type === undefined) continue;
    const isData = declaration.kind === K.PropertySignature || declaration.kind === K.PropertyDeclaration;
    owners.set(node, { program, node, name: ownerName(node), type, isData, isOptional: isOptionalMember(declaration) });
  }
  return [...owners.values()];
}

function isOptionalMember(declaration: ts.Node): boolean {
  const { questionToken, postfixToken } = declaration as { questionToken?: ts.Node; postfixToken?: ts.Node };
  return (questionToken ?? postfixToken)?.kind === K.QuestionToken;
}

export function isOptional({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Optional) !== 0;
}

/** `interface X`, `type X = {…}`, `const x = {…}`. */
export function ownerName(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    const name = (at as { readonly name?: ts.Node }).name;
    if (name !== undefined && ts.isIdentifier(name)) return name.text;
    if (at.kind === K.Block || at.kind === K.SourceFile) return undefined;
  }
  return undefined;
}

/** The types of many expressions at once; undefined where the compiler has none, or failed. */
export function typesAt({ project }: OpenProgram, nodes: readonly ts.Node[]): readonly (ts.Type | undefined)[] {
  const answers = askInBatches(nodes, (batch) => project.checker.getTypeAtLocation(batch));
  return answers.map((answer) => (answer.kind === 'answered' ? answer.value : undefined));
}

/** Nothing is known of its members. */
export function isUntyped(type: ts.Type | undefined): boolean {
  return type !== undefined && ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 || type.isErrorType());
}

/** Does looking the old name up in this type find one of the family? */
export function holdsFamily(world: RenameWorld, program: OpenProgram, type: ts.Type | undefined): boolean {
  return type !== undefined && askOr(() => looksUpFamily(world, program, type), false);
}

function looksUpFamily(world: RenameWorld, program: OpenProgram, type: ts.Type): boolean {
  return lookUp(program, type, world.oldName).some((found) => isFamilySymbol(world, program, found));
}

/** The properties of that name, each constituent of a union apart. */
function lookUp(program: OpenProgram, type: ts.Type, name: string): readonly ts.Symbol[] {
  return partsOf(program, type).flatMap((part) => program.project.checker.getPropertyOfType(part, name) ?? []);
}

function partsOf({ project: { checker } }: OpenProgram, type: ts.Type): readonly ts.Type[] {
  const bare = checker.getNonNullableType(type) ?? type;
  const apparent = checker.getApparentType(bare) ?? bare;
  return apparent.isUnionType() ? (apparent.getTypes() ?? []) : [apparent];
}

/** In the order of the text. With a stack of our own: nesting is the repository's to choose. */
export function walkNodes(file: ts.SourceFile, visit: (node: ts.Node) => void): void {
  const pending: ts.Node[] = [file];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    const children: ts.Node[] = [];
    node.forEachChild((child) => {
      children.push(child);
    });
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined) pending.push(child);
    }
  }
}

/** Files that a chain of mentions leads to from the declarations, or that say one of the owners' names, once per program. */
export function* filesNaming(
  world: RenameWorld,
  owners: readonly Owner[],
): Generator<{ readonly program: OpenProgram; readonly path: string; readonly file: ts.SourceFile }> {
  const names = [...new Set(owners.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  const seeds = world.family.filter(({ outside }) => !outside);
  for (const program of world.programs.open) {
    const reached = new Set(listAffected(world.programs, program, { seeds }) ?? program.files);
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file !== undefined && (reached.has(path) || names.some((name) => file.text.includes(name))))
        yield { program, path, file };
    }
  }
}

/** What stands below `x as Y`, `(x)` and `x!`. */
export function beforeAssertions(value: ts.Node): ts.Node {
  let made = value;
  while (
    ts.isAsExpression(made) ||
    ts.isTypeAssertion(made) ||
    ts.isParenthesizedExpression(made) ||
    ts.isNonNullExpression(made)
  )
    made = made.expression;
  return made;
}

/** Past what leaves a value as it is. */
export function outermost(value: ts.Node): ts.Node {
  let at = value;
  for (;;) {
    const { parent } = at;
    const isSame =
      parent.kind === K.ParenthesizedExpression ||
      parent.kind === K.AsExpression ||
      parent.kind === K.NonNullExpression ||
      parent.kind === K.SatisfiesExpression;
    if (isSame) at = parent;
    else if (isBinding(at)) at = parent.parent;
    else return at;
  }
}

/** `f.bind(o)` is named after `f`. */
function isBinding({ parent }: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(parent) && parent.name.getText() === 'bind' && ts.isCallExpression(parent.parent)
  );
}

const knownErrors = new WeakMap<ts.SourceFile, readonly { readonly start: number; readonly end: number }[]>();

/** The compiler complains here already, so it would not notice. */
export function hasError({ project }: OpenProgram, file: ts.SourceFile, value: ts.Node): boolean {
  const known =
    knownErrors.get(file) ??
    askOr(() => project.program.getSemanticDiagnostics(file.fileName), []).map(({ pos, end }) => ({ start: pos, end }));
  knownErrors.set(file, known);
  const { parent } = value;
  return known.some(({ start, end }) => start < parent.end && end > parent.getStart());
}

/** Written out: which member is meant can be read there. */
export function isFixedKey({ kind }: ts.Node): boolean {
  return kind === K.StringLiteral || kind === K.NoSubstitutionTemplateLiteral || kind === K.NumericLiteral;
}

// A doubt at one place, and how many are told.

export const sitesMax = 20;

export function site(kind: ItemDraft['kind'], path: string, node: ts.Node, detail: string): ItemDraft {
  return { path, start: node.getStart(), end: node.getEnd(), kind, detail, edits: {} };
}

/** A place that is one of many of its kind. */
export type Site = { readonly path: string; readonly node: ts.Node };

/** Asked once, at the first of them. */
export function tellFirst(
  kind: ItemDraft['kind'],
  [first, ...others]: readonly Site[],
  says: string,
): readonly ItemDraft[] {
  if (first === undefined) return [];
  const count = others.length === 0 ? '' : ` (${others.length + 1} places)`;
  return [site(kind, first.path, first.node, `${says}${count}.`)];
}

/** The first of many; the last one that is told says how many are not. */
export function countCut(items: readonly ItemDraft[]): readonly ItemDraft[] {
  if (items.length <= sitesMax) return items;
  const told = items.slice(0, sitesMax);
  const last = told.at(-1);
  if (last === undefined) return told;
  return [
    ...told.slice(0, -1),
    { ...last, detail: `${last.detail} ${items.length - sitesMax} more places like this.` },
  ];
}
