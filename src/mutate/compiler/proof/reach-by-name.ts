/**
 * Edits that change how functions, variables and types of modules are called, and nothing else (docs/decisions/0018). Such a name stands in
 * scopes and in the tables of modules, where it is looked up by whoever spells it. No type has it as a part, and no union is ordered by
 * it, or the order stays (`type-order.ts`). So only files that spell one of the names can change, and files that pass on whatever
 * another module exports, which may then clash.
 *
 * The name of a value is part of a type where a module is taken as a value (`import * as`, `import()`, …): if such a module exports one of
 * the names, files are not chosen this way.
 */

import { type Node, type SourceFile, SyntaxKind, TypeFlags } from '../../../kernel/compiler/typescript-api.ts';
import type { NameToken, OpenProgram, Programs } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import { askForModules, hasExport, isTakenAsValue } from '../taken-modules.ts';
import type { ProofSubject } from '../types.ts';
import { isGlobalToo, speaksForOthers } from './affected-files.ts';
import { isValueModule, valueLookups } from './found-by-name.ts';
import { listChecked, maySpell } from './renamed-only.ts';
import { isNameless, keepsOrder } from './type-order.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly expression?: Node;
  readonly exportClause?: Node;
};

export type Chosen = {
  readonly paths: readonly string[];
  /** Of these, the files whose diagnostics can change; undefined: all, and not only what is spelled like one of the names. */
  readonly checked?: readonly string[] | undefined;
};

/** Those of `reached` that can change; undefined where the argument does not hold. */
export function chooseByName(
  programs: Programs,
  program: OpenProgram,
  reached: readonly string[],
  question: ProofSubject,
  names: ReadonlySet<string>,
): Chosen | undefined {
  const declares = question.isMember ? undefined : readDeclarations(program, question);
  if (declares === undefined) return undefined;
  const files = reached.flatMap((path) => program.sourceFile(path) ?? []);
  if (files.length !== reached.length || reached.some((path) => isValueModule(program, path))) return undefined;
  const { kinds } = declares;
  const { oldName, newName } = question;
  // Between the two names of a specifier it is a word of the language, and nearly every file has it somewhere.
  const isWord = (name: string) => name === 'as' && oldName !== name && newName !== name;
  const spelled = [...names].filter((name) => name !== '' && !isWord(name));
  const isOne = spelled.every((name) => name === oldName || name === newName);
  if (files.some(isGlobalToo) || (kinds.has('value') && isTakenAsValue(program, reached, names))) return undefined;
  if (kinds.has('type') && (jsxTypes.has(oldName) || jsxTypes.has(newName))) return undefined;
  if (kinds.has('ordered') && !(isOne && keepsOrder(programs, program, question))) return undefined;
  const isSpelled = maySpell(spelled);
  const paths = reached.filter((_, at) => {
    const file = files[at];
    return file === undefined || isSpelled(file.text) || passesAllOn(file);
  });
  const isDecisive = (path: string, file: SourceFile) =>
    declares.paths.has(path) || (passesAllOn(file) && mayClash(program, file, oldName, newName));
  return { paths, checked: isOne ? listChecked(program, paths, question, isDecisive) : undefined };
}

/** What the compiler looks up by itself in whatever is called `JSX`, which may be a module. */
const jsxTypes: ReadonlySet<string> = new Set([
  'Element',
  'ElementAttributesProperty',
  'ElementChildrenAttribute',
  'ElementClass',
  'ElementType',
  'IntrinsicAttributes',
  'IntrinsicClassAttributes',
  'IntrinsicElements',
  'LibraryManagedAttributes',
]);

type Kind = 'value' | 'type' | 'ordered';

/** What is declared, and in which files; undefined unless all of it is a module's, and every edit stands where such a name can. */
function readDeclarations(
  program: OpenProgram,
  { family, edits }: ProofSubject,
): { readonly kinds: ReadonlySet<Kind>; readonly paths: ReadonlySet<string> } | undefined {
  const tokens = createLookup(program);
  const kinds = new Set<Kind>();
  const paths = new Set<string>();
  for (const place of family) {
    const token = place.outside ? undefined : tokens(place.path, place.start);
    const file = program.sourceFile(place.path);
    if (token === undefined || file === undefined || speaksForOthers(file)) return undefined;
    const found = readDeclaration(program, token.node);
    if (found === undefined) return undefined;
    for (const kind of found) kinds.add(kind);
    if (found.length > 0) paths.add(place.path);
  }
  const isLookedUp = edits.every(({ path, start }) => {
    const token = tokens(path, start);
    if (token === undefined || token.kind === 'string' || token.kind === 'template') return false;
    return token.kind === 'jsdoc' || isLookup(token.node);
  });
  return isLookedUp ? { kinds, paths } : undefined;
}

function createLookup(program: OpenProgram): (path: string, start: number) => NameToken | undefined {
  const known = new Map<string, ReadonlyMap<number, NameToken>>();
  return (path, start) => {
    const ofFile = known.get(path) ?? new Map(listNameTokens(program, path).map((token) => [token.start, token]));
    known.set(path, ofFile);
    return ofFile.get(start);
  };
}

function readDeclaration(program: OpenProgram, name: Node): readonly Kind[] | undefined {
  const declaration = name.parent as Shape | undefined;
  const isOfModule = declaration?.parent?.kind === SyntaxKind.SourceFile;
  switch (declaration?.kind) {
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
    case SyntaxKind.ImportClause:
      return [];
    case SyntaxKind.FunctionDeclaration:
      return isOfModule ? ['value'] : undefined;
    case SyntaxKind.EnumDeclaration:
      return isOfModule ? ['value', 'type'] : undefined;
    case SyntaxKind.VariableDeclaration:
      return declaration.parent?.parent?.parent?.kind === SyntaxKind.SourceFile && !isUniqueSymbol(program, name)
        ? ['value']
        : undefined;
    case SyntaxKind.ClassDeclaration:
      return isOfModule ? ['value', 'type', 'ordered'] : undefined;
    case SyntaxKind.InterfaceDeclaration:
      return isOfModule ? ['type', 'ordered'] : undefined;
    case SyntaxKind.TypeAliasDeclaration:
      return isOfModule ? ['type', ...(isNameless(program, name) ? [] : (['ordered'] as const))] : undefined;
    default:
      return undefined;
  }
}

/** The name of such a variable is part of the keys that are made of it. */
function isUniqueSymbol(program: OpenProgram, name: Node): boolean {
  const type = program.project.checker.getTypeAtLocation(name);
  return type === undefined || (type.flags & TypeFlags.UniqueESSymbol) !== 0;
}

const lookups: ReadonlySet<SyntaxKind> = new Set([
  ...valueLookups,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.ImportSpecifier,
  SyntaxKind.ExportSpecifier,
  SyntaxKind.ImportClause,
  SyntaxKind.ImportType,
  SyntaxKind.ShorthandPropertyAssignment,
  SyntaxKind.JsxOpeningElement,
  SyntaxKind.JsxSelfClosingElement,
  SyntaxKind.JsxClosingElement,
  SyntaxKind.TypeQuery,
  SyntaxKind.TypeReference,
  SyntaxKind.ExpressionWithTypeArguments,
  // Both halves: before the point can only stand a module, or the name is bound to something else, and that shows.
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.QualifiedName,
]);

function isLookup(node: Node): boolean {
  const parent = node.parent as Shape | undefined;
  switch (parent?.kind) {
    case undefined:
      return false;
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.Parameter:
    case SyntaxKind.BindingElement:
    case SyntaxKind.PropertyDeclaration:
      // Only as the value that is put there.
      return parent.name !== node && (parent as { readonly propertyName?: Node }).propertyName !== node;
    default:
      return lookups.has(parent?.kind ?? SyntaxKind.Unknown);
  }
}

function passesAllOn(file: SourceFile): boolean {
  return listPassedOn(file).length > 0;
}

/** What `export * from` names. */
function listPassedOn(file: SourceFile): readonly Node[] {
  return file.imports.filter(({ parent }) => {
    const statement = parent as Shape | undefined;
    return statement?.kind === SyntaxKind.ExportDeclaration && statement.exportClause === undefined;
  });
}

/** Two of what it passes on have the old name, or one has the new name already. */
function mayClash(program: OpenProgram, file: SourceFile, oldName: string, newName: string): boolean {
  try {
    const modules = askForModules(program, listPassedOn(file));
    const count = (name: string) =>
      modules.filter((module) => module !== undefined && hasExport(program, module, name)).length;
    return count(oldName) > 1 || count(newName) > 0;
  } catch {
    // What could not be asked is not argued about.
    return true;
  }
}
