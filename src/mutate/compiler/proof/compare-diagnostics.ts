/**
 * Condition 2 of the shadow proof (mutation.md §3.1): the same diagnostics before and after, as multisets of code, file, φ(position) and
 * message. Names are compared with the old one read as the new one, on both sides: a message may speak of another symbol of the old name,
 * which keeps it. Errors that exist before are allowed, as themselves.
 */

import {
  type Diagnostic,
  type Node,
  NodeFlags,
  SymbolFlags,
  SyntaxKind,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { askOr, listNameTokens } from '../job/name-tokens.ts';
import { withoutEnding } from '../job/programs.ts';
import { isSameScope, rootOfBinding, scopeOfDeclaration } from '../rename/lexical-scope.ts';
import { positionOf } from '../rename/name-positions.ts';
import type { DiagnosticList, ProofPlace, ProofSubject } from '../session/messages.ts';
import type { EditMap } from './map-edits.ts';

type Listed = DiagnosticList['diagnostics'];

/** What is looked at: the files as they were before the edits; null: all of the program, also those outside the root. */
type Side = {
  readonly programs: Programs;
  readonly program: OpenProgram;
  readonly map: EditMap;
  readonly paths: readonly string[] | null;
  readonly question: ProofSubject;
  /** The programs before and after have nothing but these files in common. */
  readonly isApart: boolean;
};

export function listBefore({ programs, program, map, paths, question, isApart }: Side): Listed {
  const readMoved = createMoveReader(question, programs.root);
  return listDiagnostics(programs, program, paths, isApart).map((found) => {
    const { path, outside } = placeOf(programs, found);
    const at = outside ? found.pos : map.offset(path, found.pos);
    const key = keyOf(found, outside ? path : map.path(path), at, (text) => readName(readMoved(text, path), question));
    return { key, at: spanOf(programs, found), says: describe(found) };
  });
}

export function listAfter({ programs, program, map, paths, question, isApart }: Side): Listed {
  return listDiagnostics(programs, program, paths?.map(map.path) ?? null, isApart).map((found) => {
    const { path, outside } = placeOf(programs, found);
    const at = outside ? found.pos : map.settle(map.pathBefore(path), found.pos);
    const key = keyOf(found, path, at, (text) => readName(text, question));
    return { key, at: spanOf(programs, found), says: describe(found) };
  });
}

function listDiagnostics(
  programs: Programs,
  { project, sourceFile }: OpenProgram,
  paths: readonly string[] | null,
  isApart: boolean,
): readonly Diagnostic[] {
  const { program } = project;
  // A program that comes to a file through a link calls it otherwise.
  const nameOf = (path: string) => sourceFile(path)?.fileName ?? `${programs.root}/${path}`;
  const always = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getProgramDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getBindDiagnostics(),
  ];
  // What is said of no file is about the global scope, which no file of a smaller set can touch; asking checks every file there is.
  if (paths === null) return [...always, ...program.getSemanticDiagnostics(), ...program.getGlobalDiagnostics()];
  const all = [...always, ...paths.flatMap((path) => program.getSemanticDiagnostics(nameOf(path)))];
  return isApart ? all.filter((found) => paths.includes(placeOf(programs, found).path)) : all;
}

/** What the compiler adds where both types of an error are called the same, with a code of its own. */
const sameName = ' Two different types with this name exist, but they are unrelated.';
const sameNameCode = 2719;
const assignableCode = 2322;

function keyOf(found: Diagnostic, path: string, at: number, read: (text: string) => string): string {
  const code = found.code === sameNameCode ? assignableCode : found.code;
  return `${code}\0${path}\0${at}\0${read(flatten(found).replaceAll(sameName, ''))}`;
}

function flatten(found: Diagnostic): string {
  const parts = (found.messageChain ?? []).map(flatten);
  return [found.text, ...(found.code === becauseCode ? parts.sort() : parts)].join('\n');
}

/** `The file is in the program because:`, and then the imports that lead to it, in the order in which files were read. */
const becauseCode = 1430;

function readName(text: string, { oldName, newName }: ProofSubject): string {
  if (oldName === newName || oldName === '') return text;
  return text.replaceAll(
    new RegExp(`(?<![\\p{ID_Continue}$])${escapeName(oldName)}(?![\\p{ID_Continue}$])`, 'gu'),
    () => newName,
  );
}

/**
 * What was said before, as it would be said of files that have moved: messages quote paths, and specifiers as they are written, also
 * with an ending that is proposed for them.
 */
function createMoveReader({ moves, edits }: ProofSubject, root: string): (text: string, path: string) => string {
  if (moves.length === 0) return (text) => text;
  const specifiers = Map.groupBy(
    edits.filter(({ form }) => form === 'specifier'),
    ({ path }) => path,
  );
  const paths = moves.flatMap(({ from, to }) =>
    [`${escapeName(root)}/`, '(?<![\\w/.-])'].flatMap((prefix) => [
      { pattern: new RegExp(`(${prefix})${escapeName(from)}`, 'g'), to },
      { pattern: new RegExp(`(${prefix})${escapeName(withoutEnding(from))}(?=")`, 'g'), to: withoutEnding(to) },
    ]),
  );
  /** `Imported via "./a" from file '/root/b.ts'`: as that file writes it. */
  const readImport = (whole: string, quote: string, specifier: string, file: string) => {
    const written = specifiers.get(file)?.find(({ oldText }) => oldText === specifier);
    return written === undefined
      ? whole
      : whole.replace(`${quote}${specifier}${quote}`, `${quote}${written.newText}${quote}`);
  };
  const imports = new RegExp(`(["'])([^"'\\n]*)\\1 from file '${escapeName(root)}/([^'\\n]*)'`, 'g');
  return (text, path) => {
    let read = text.replaceAll(imports, readImport);
    for (const one of paths) read = read.replaceAll(one.pattern, (_, prefix: string) => prefix + one.to);
    for (const { oldText, newText } of specifiers.get(path) ?? [])
      read = read.replaceAll(
        new RegExp(`(['"])${escapeName(oldText)}(\\.[a-z]+)?\\1`, 'g'),
        (_, quote: string, ending = '') => `${quote}${newText}${ending}${quote}`,
      );
    return read;
  };
}

function escapeName(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function placeOf(programs: Programs, { fileName }: Diagnostic): { readonly path: string; readonly outside: boolean } {
  return fileName === undefined ? { path: '', outside: true } : programs.place(fileName);
}

function spanOf(programs: Programs, found: Diagnostic): ProofPlace['at'] {
  return { path: placeOf(programs, found).path, start: found.pos, end: found.end };
}

function describe(found: Diagnostic): string {
  return `TS${found.code}: ${flatten(found).slice(0, 300)}`;
}

/** Duplicate identifier, an import beside a declaration, a second `let`. */
const clashCodes = /^TS(?:2300|2440|2451):/;

/**
 * An error that may go: two values of the old name in one scope of a file, one of them lexical. No program loads such a file, so there is
 * nothing that it does today; which of the two a use means, the compiler says, and the bindings are compared. Members and `var` beside a
 * function are another matter: those run, and the last one counts. So does a type beside a value, which is gone when the program runs.
 */
export function isClashThatEnds(program: OpenProgram, { at, before, after }: ProofPlace, oldName: string): boolean {
  if (after !== '' || !clashCodes.test(before)) return false;
  const named = listNameTokens(program, at.path).filter(({ text }) => text === oldName);
  const declared = named.flatMap(({ node, start }) => {
    const position = positionOf(node);
    const scope = position.kind === 'declares' ? scopeOfDeclaration(program, position.declaration) : undefined;
    return position.kind === 'declares' && scope !== undefined
      ? [{ start, scope, by: position.declaration, node }]
      : [];
  });
  const own = declared.find(({ start }) => start === at.start);
  if (own === undefined) return false;
  const rivals = declared.filter(({ scope }) => isSameScope(scope, own.scope));
  // What several files share by a global scope, each of them may have for itself when it runs.
  const isOneFile = own.scope.nodes.length === 1;
  return (
    isOneFile &&
    rivals.length > 1 &&
    rivals.every(({ by, node }) => isValue(program, by, node)) &&
    rivals.some(({ by }) => isLexical(by))
  );
}

function isLexical(declaration: Node): boolean {
  switch (declaration.kind) {
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.ImportClause:
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.NamespaceImport:
      return true;
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.BindingElement:
      return (rootOfBinding(declaration).parent.flags & NodeFlags.BlockScoped) !== 0;
    default:
      return false;
  }
}

function isValue(program: OpenProgram, declaration: Node, name: Node): boolean {
  if ((declaration.flags & NodeFlags.Ambient) !== 0) return false;
  switch (declaration.kind) {
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.BindingElement:
    case SyntaxKind.Parameter:
    case SyntaxKind.NamespaceImport:
      return true;
    case SyntaxKind.ImportClause:
    case SyntaxKind.ImportSpecifier:
      return isValueImport(program, declaration, name);
    default:
      return false;
  }
}

function isValueImport({ project: { checker } }: OpenProgram, declaration: Node, name: Node): boolean {
  for (
    let at: Node | undefined = declaration;
    at !== undefined && at.kind !== SyntaxKind.ImportDeclaration;
    at = at.parent
  )
    if ((at as { readonly isTypeOnly?: boolean }).isTypeOnly === true) return false;
  const symbol = askOr(() => checker.getSymbolAtLocation(name), undefined);
  if (symbol === undefined || (symbol.flags & SymbolFlags.Alias) === 0) return false;
  return askOr(() => (checker.getAliasedSymbol(symbol).flags & SymbolFlags.Value) !== 0, false);
}

// What the compiler is told not to say, it is asked to say in both halves of a proof: `@ts-ignore`, `@ts-expect-error` and `@ts-nocheck` are
// made unreadable at equal length, so that every offset stays, and JavaScript is checked. An error that a comment hides would be hidden
// before and after alike, and with it a property that got lost. Errors that exist before are allowed as themselves, so that there are
// more of them does no harm.

type Lifted = {
  /** Other texts than the compiler has read, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Some JavaScript is read and not judged. */
  readonly checksJs: boolean;
};

export function liftSuppressions(programs: Programs, paths: ReadonlySet<string> | null): Lifted {
  const texts = new Map<string, string>();
  let checksJs = false;
  for (const program of programs.open) {
    const isJsUnchecked = leavesJsUnchecked(program);
    for (const path of program.files) {
      if (paths !== null && !paths.has(path)) continue;
      if (isJsUnchecked && isJs.test(path)) checksJs = true;
      const text = texts.has(path) ? undefined : program.sourceFile(path)?.text;
      if (text?.includes('@ts-')) {
        const lifted = lift(text);
        if (lifted !== text) texts.set(path, lifted);
      }
    }
  }
  return { texts, checksJs };
}

/** Files of a program whose errors stay unseen, whatever was tried. */
export function listUnchecked(program: OpenProgram): readonly string[] {
  return leavesJsUnchecked(program) ? program.files.filter((path) => isJs.test(path)) : [];
}

const isJs = /\.[cm]?jsx?$/;

function leavesJsUnchecked({ project }: OpenProgram): boolean {
  return project.compilerOptions['checkJs'] !== true;
}

/** The last letter goes; the rest keeps what a documentation comment is made of. */
export function lift(text: string): string {
  return text.replaceAll(/@ts-(ignor|expect-erro|nochec)[erk]/g, '@ts-$1_');
}
