/**
 * Proofs that ask only about what is spelled like a name that the edits change (docs/decisions/0018): which tokens keep their meaning by
 * their name alone (`createByName`), and which files can change at all (`chooseByName`), provided that types stay in order (`keepsOrder`).
 *
 * A declaration means itself, and is merged with others of its name; a reference that stands alone is looked up in scopes, what a specifier
 * imports or exports in the tables of modules: all of them by name, and edits that only change how other names are spelled leave every
 * entry of this name where it is. What is found through the type of something (a property, what a pattern takes, an attribute) is asked
 * about. So is everything where modules are what a value is: in JavaScript and behind `export =`.
 */

import {
  type Node,
  type SourceFile,
  SyntaxKind,
  TypeFlags,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { findPatternSource } from '../job/bind-context.ts';
import { isConfined } from '../job/declarations.ts';
import type { NameToken, OpenProgram, Programs } from '../job/job-types.ts';
import { askForModules, hasExport, isTakenAsValue } from '../job/modules-as-values.ts';
import { listNameTokens } from '../job/name-tokens.ts';
import type { CompilerEdit, ProofSubject } from '../session/messages.ts';
import { isGlobalToo, listChecked, listTexts, maySpell, speaksForOthers } from './affected-files.ts';

type Looked = Node & {
  readonly name?: Named;
  readonly propertyName?: Named;
  readonly dotDotDotToken?: Node;
  readonly left?: Node;
  readonly expression?: Node;
};
type Named = Node & { readonly text?: string };

/** `names`: those that the edits change, as they were and as they will be. */
export function createByName(
  program: OpenProgram,
  paths: readonly string[],
  names: ReadonlySet<string>,
): (token: NameToken) => boolean {
  if (paths.some((path) => isValueModule(program, path))) return () => false;
  const isOther = (name: Named | undefined) => name === undefined || !names.has(name.text ?? '');
  return ({ node, kind, text }) => {
    if (kind !== 'identifier' || names.has(text)) return false;
    const parent = node.parent as Looked | undefined;
    if (parent === undefined) return false;
    switch (parent.kind) {
      case SyntaxKind.ImportSpecifier:
      case SyntaxKind.ExportSpecifier:
        return isOther(parent.name) && isOther(parent.propertyName);
      case SyntaxKind.BindingElement:
        return parent.name === node && !takesProperty(parent);
      case SyntaxKind.PropertyAssignment:
        return parent.name !== node || !isTakenApart(parent);
      case SyntaxKind.ShorthandPropertyAssignment:
        return !isTakenApart(parent);
      case SyntaxKind.PropertyAccessExpression:
        return parent.expression === node;
      case SyntaxKind.QualifiedName:
        return parent.left === node;
      default:
        return meansByName.has(parent.kind);
    }
  };
}

/** On the left of an assignment, a literal says which properties are read. */
function isTakenApart({ parent }: Looked): boolean {
  return parent === undefined || findPatternSource(parent) !== undefined;
}

/** `{ a }` in a pattern, of which `a` is a property of something; an element of an array has no name to be taken by. */
function takesProperty({ parent, propertyName, dotDotDotToken }: Looked): boolean {
  const isObject = parent?.kind === SyntaxKind.ObjectBindingPattern;
  return isObject && propertyName === undefined && dotDotDotToken === undefined;
}

/** Whose identifiers, wherever in it they stand, are values that are looked up in scopes. */
const valueLookups: readonly SyntaxKind[] = [
  SyntaxKind.CallExpression,
  SyntaxKind.NewExpression,
  SyntaxKind.ElementAccessExpression,
  SyntaxKind.BinaryExpression,
  SyntaxKind.PrefixUnaryExpression,
  SyntaxKind.PostfixUnaryExpression,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.AwaitExpression,
  SyntaxKind.TypeOfExpression,
  SyntaxKind.VoidExpression,
  SyntaxKind.TemplateSpan,
  SyntaxKind.TaggedTemplateExpression,
  SyntaxKind.SpreadElement,
  SyntaxKind.SpreadAssignment,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.ReturnStatement,
  SyntaxKind.ThrowStatement,
  SyntaxKind.ExpressionStatement,
  SyntaxKind.IfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.SwitchStatement,
  SyntaxKind.CaseClause,
  SyntaxKind.YieldExpression,
  SyntaxKind.DoStatement,
  SyntaxKind.ForStatement,
  SyntaxKind.ComputedPropertyName,
  SyntaxKind.Decorator,
  SyntaxKind.ExportAssignment,
  SyntaxKind.JsxExpression,
];

/**
 * Whose identifiers are declarations of their own or looked up in scopes, wherever in it they stand. Whatever is missing here is asked
 * about: that costs time and nothing else.
 */
const meansByName: ReadonlySet<SyntaxKind> = new Set([
  ...valueLookups,
  SyntaxKind.ImportClause,
  SyntaxKind.NamespaceImport,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.ClassExpression,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.EnumMember,
  SyntaxKind.TypeParameter,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.TypeReference,
  SyntaxKind.ExpressionWithTypeArguments,
]);

/** A module that is what a value is: whatever it exports is part of a type. */
function isValueModule(program: OpenProgram, path: string): boolean {
  if (/\.[cm]?jsx?$/.test(path)) return true;
  const file = program.sourceFile(path);
  if (file === undefined || !/\bexport\s*=/.test(file.text)) return false;
  return file.statements.some(
    (statement) =>
      statement.kind === SyntaxKind.ExportAssignment &&
      (statement as Node & { readonly isExportEquals?: boolean }).isExportEquals !== false,
  );
}

// Edits that change how functions, variables and types of modules are called, and nothing else (docs/decisions/0018). Such a name stands in
// scopes and in the tables of modules, where it is looked up by its spelling. No type has it as a part, and no union is ordered by
// it, or the order stays (`keepsOrder`). So only files that spell one of the names can change, and files that pass on whatever
// another module exports, which may then clash.
//
// The name of a value is part of a type where a module is taken as a value (`import * as`, `import()`, …): if such a module exports one of
// the names, files are not chosen this way.

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
  const alone = question.isMember ? undefined : chooseAlone(programs, program, reached, question);
  if (alone !== undefined) return alone;
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

/**
 * The file that declares the name, where no other can say it: what the file exports keeps its key (`module.exports = { old: new }`,
 * `export { new as old }`), and others see the type of it alone. This holds in JavaScript too, where a module is a value.
 */
function chooseAlone(
  programs: Programs,
  program: OpenProgram,
  reached: readonly string[],
  question: ProofSubject,
): Chosen | undefined {
  const { family, edits, newName } = question;
  const path = family[0]?.path ?? '';
  const file = program.sourceFile(path);
  if (file === undefined || [...family, ...edits].some((one) => one.path !== path)) return undefined;
  if (file.moduleAugmentations.length + file.ambientModuleNames.length > 0 || isGlobalToo(file)) return undefined;
  const tokens = createLookup(program);
  let isOrdered = false;
  for (const { start } of family) {
    const name = tokens(path, start)?.node;
    const kinds = name === undefined || !isConfined(name) ? undefined : readDeclaration(program, name);
    if (name === undefined || kinds === undefined) return undefined;
    isOrdered ||= kinds.includes('ordered') || mayMakeType(name, file);
  }
  const isHidden = edits.every((edit) => {
    const token = tokens(path, edit.start);
    return token !== undefined && isLookedUp(token) && (token.kind === 'jsdoc' || keepsKey(token.node, edit));
  });
  if (!isHidden || (isOrdered && !keepsOrder(programs, program, question))) return undefined;
  // A file that the compiler takes for a script would show the new name to all.
  const isSpelled = maySpell([newName]);
  const others = reached.flatMap((one) => (one === path ? [] : (program.sourceFile(one)?.text ?? [])));
  return others.some(isSpelled) ? undefined : { paths: [path] };
}

/** In JavaScript a function may be the constructor of what it gives to `this` or its prototype, and so a type with its name. */
function mayMakeType(name: Node, file: SourceFile): boolean {
  if (!/\.[cm]?jsx?$/.test(file.fileName)) return false;
  const { pos, end } = name.parent;
  if (/\b(?:this|class)\b/.test(file.text.slice(pos, end))) return true;
  const own = (name as Named).text;
  return [...file.text.matchAll(prototypeOf)].some(([, of]) => of === own);
}

const prototypeOf = /([\p{ID_Continue}$]+)\s*(?:\.|\[)\s*['"]?prototype\b/gu;

/** Does what others see of this place have the name that it had? */
function keepsKey(name: Node, { oldText, newText }: CompilerEdit): boolean {
  const parent = name.parent as Looked | undefined;
  switch (parent?.kind) {
    case SyntaxKind.ShorthandPropertyAssignment:
      return newText.startsWith(`${oldText}: `);
    case SyntaxKind.ExportSpecifier:
      return parent.propertyName === name || newText.endsWith(` as ${oldText}`);
    case SyntaxKind.PropertyAccessExpression:
      return parent.expression === name;
    case SyntaxKind.QualifiedName:
      return parent.left === name;
    default:
      return true;
  }
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
  const isHere = (path: string) => program.sourceFile(path) !== undefined;
  for (const place of family) {
    // What only another program has is no part of this one.
    if (!place.outside && !isHere(place.path)) continue;
    const token = place.outside ? undefined : tokens(place.path, place.start);
    const file = program.sourceFile(place.path);
    if (token === undefined || file === undefined || speaksForOthers(file)) return undefined;
    const found = readDeclaration(program, token.node);
    if (found === undefined) return undefined;
    for (const kind of found) kinds.add(kind);
    if (found.length > 0) paths.add(place.path);
  }
  const areLookedUp = edits.every(({ path, start }) => {
    if (!isHere(path)) return true;
    const token = tokens(path, start);
    return token !== undefined && isLookedUp(token);
  });
  return areLookedUp && paths.size > 0 ? { kinds, paths } : undefined;
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

/** Found in scopes or modules by its spelling; a documentation comment is read so, too. */
function isLookedUp({ kind, node }: NameToken): boolean {
  if (kind === 'string' || kind === 'template') return false;
  return kind === 'jsdoc' || isLookup(node);
}

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

// Whether types stand in the same order under another name (docs/decisions/0018). The compiler sorts the constituents of unions: first by
// kind, then by the names of classes, interfaces and type aliases, byte by byte, and only then by where they are declared. What a union
// keeps, infers or picks can depend on that order, in files that never heard of the name. The order stays as it is if no other type of the
// program is called something between the old name and the new one, or like one of them.
//
// Names are read from the texts, whatever stands behind a word that declares a type: too many rather than one too few.

/** An alias that no type carries: of a keyword, a literal, a template, or of what has a name already. */
function isNameless(program: OpenProgram, name: Node): boolean {
  const { checker } = program.project;
  // What is made of a generic one may carry its name, whatever the declaration itself does.
  if ((name.parent as Node & { readonly typeParameters?: readonly Node[] }).typeParameters !== undefined) return false;
  try {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol !== undefined && checker.getDeclaredTypeOfSymbol(symbol).getAliasSymbol()?.name !== symbol.name;
  } catch {
    // What could not be asked is not argued about.
    return false;
  }
}

function keepsOrder(programs: Programs, program: OpenProgram, { oldName, newName, family }: ProofSubject): boolean {
  const [low = '', high = ''] = [oldName, newName].sort(compareBytes);
  const own = new Set(family.map(({ path, start }) => `${path}\0${start}`));
  for (const { fileName, path, outside, text } of listTexts(programs, program)) {
    if (text === undefined) return false;
    for (const { name, start } of listTypeNames(text, fileName)) {
      // An escape can spell any name.
      if (name.includes('\\')) return false;
      if (compareBytes(low, name) > 0 || compareBytes(name, high) > 0) continue;
      if (outside || !own.has(`${path}\0${start}`)) return false;
    }
  }
  return true;
}

const word = String.raw`(?:[\p{ID_Start}$_]|\\u)(?:[\p{ID_Continue}$\u200c\u200d]|\\u)*`;
const spelled = new RegExp(word, 'gu');
/** What the compiler takes for one, which is more than `\s`. */
const blank = String.raw`[\s\u0085\u200b]`;
const blanksHere = new RegExp(`${blank}*`, 'uy');
const lineEnd = /[\n\r\u2028\u2029]/g;
const declares = new RegExp(String.raw`(?<![\p{ID_Continue}$])(?:interface|class|type)(?=${blank}|/)`, 'gu');
const nameHere = new RegExp(word, 'uy');

/** JavaScript declares types in comments, in more ways than one: there every word is taken for one. */
function* listTypeNames(text: string, fileName: string): Generator<{ readonly name: string; readonly start: number }> {
  if (/\.[cm]?jsx?$/.test(fileName)) {
    for (const { 0: name, index } of text.matchAll(spelled)) yield { name, start: index };
    return;
  }
  const skip = createSkipper(text);
  for (const { 0: found, index } of text.matchAll(declares)) {
    const start = skip(index + found.length);
    if (start === undefined) return yield { name: unreadable, start: index };
    nameHere.lastIndex = start;
    const name = nameHere.exec(text)?.[0];
    if (name !== undefined) yield { name, start };
  }
}

/** Stands for any name. */
const unreadable = '\\';
const maxSkipped = 1_000_000;

/** Over blanks and comments; undefined once there was too much of them in one file to be worth it. */
function createSkipper(text: string): (at: number) => number | undefined {
  let skipped = 0;
  return (at) => {
    for (let next = at; ; ) {
      blanksHere.lastIndex = next;
      next += blanksHere.exec(text)?.[0].length ?? 0;
      const end = text.startsWith('//', next)
        ? findLineEnd(text, next)
        : text.startsWith('/*', next)
          ? text.indexOf('*/', next + 2) + 2
          : next;
      if (end === next) return next;
      // A comment that does not end has nothing behind it.
      const after = end < next ? text.length : end;
      skipped += after - next;
      if (skipped > maxSkipped) return undefined;
      next = after;
    }
  };
}

function findLineEnd(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? text.length;
}

/** As the compiler compares them: by their bytes in UTF-8. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
