/**
 * Edits after which a program is the same under another name, whatever the name is of (docs/decisions/0018): nothing in any file of the
 * program, its packages and the libraries is spelled like the old name but what is edited, and nothing like the new one. To the compiler a
 * name is equal to another or not. So all that it says is as it was, but for what a name decides by its letters: how unions and members
 * are ordered, what types make of it, words that it knows by itself. Where one of these can be, nothing is said.
 *
 * Mentions are looked for in the texts, not in the trees: too many rather than one too few.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../job/job-types.ts';
import { walkNodes } from '../rename/doubted-family.ts';
import type { ProofSubject } from '../session/messages.ts';
import { isWord, listTexts } from './affected-files.ts';

const K = ts.SyntaxKind;

type Names = { readonly oldName: string; readonly newName: string; readonly low: string; readonly high: string };

/** `reached`: the files that the edits can reach at all. */
export function isRenamedThroughout(
  programs: Programs,
  program: OpenProgram,
  reached: readonly string[],
  { oldName, newName, edits }: ProofSubject,
): boolean {
  const [low = '', high = ''] = [oldName, newName].sort();
  const names = { oldName, newName, low, high };
  const isPlain = edits.every((edit) => edit.oldText === oldName && edit.newText === newName);
  if (!isPlain || !isOrdinary(names)) return false;
  const stem = sharedStart(low, high);
  // Names with nothing in common have too many others between them.
  if (stem === '' || JSON.stringify(program.project.compilerOptions).includes(stem)) return false;
  const edited = new Map<string, Set<number>>();
  for (const { path, start } of edits) edited.set(path, (edited.get(path) ?? new Set()).add(start));
  const loose: ts.Node[] = [];
  for (const { fileName, path, outside, text } of listTexts(programs, program)) {
    if (text === undefined) return false;
    const own = outside ? undefined : program.sourceFile(path);
    const left = listLeft(text, stem, names, own, edited.get(path));
    if (left === undefined) return false;
    if (own !== undefined && left.length > 0) {
      const read = readLoose(own, left, edited.get(path));
      if (read === undefined) return false;
      loose.push(...read);
    }
    if (isOfLibrary(fileName)) continue;
    if (mayMakeNames(text, own ?? (() => program.project.program.getSourceFile(fileName)), names)) return false;
  }
  if (!areOfAnything(program, loose)) return false;
  return reached.every((path) => {
    const file = program.sourceFile(path);
    return file !== undefined && !(file.text.includes('${') && mayWriteNames(program, file, names));
  });
}

const isOfLibrary = (fileName: string) => /\/lib\.[^/]*\.d\.ts$/.test(fileName);

/** Neither is known to the compiler by itself, and what their first letters say is the same. */
function isOrdinary({ oldName, newName }: Names): boolean {
  const isUnknown = [oldName, newName].every(
    (name) => /^(?:_?[A-Za-z$])[\w$]*$/.test(name) && !isWord(name) && !knownByItself.has(name),
  );
  const kindOf = (name: string) => (name.startsWith('_') ? '_' : /^[a-z]/.test(name) ? 'a' : 'A');
  return isUnknown && kindOf(oldName) === kindOf(newName);
}

/** Properties that the compiler looks up where none is written. Those of the libraries stand in the libraries' texts as well. */
const knownByItself: ReadonlySet<string> = new Set(
  `apply arguments assign asyncDispose asyncIterator at bind call callee caller children concat create createElement default define
  defineProperties defineProperty dispose done exports forEach Fragment freeze global hasInstance hasOwnProperty id includes indexOf
  Infinity isArray isPrototypeOf iterator jsx jsxDEV jsxs key keys length map message module name NaN next parse pop prototype push raw ref
  React require resolve return shift slice stack state then throw toJSON toPrimitive toString toStringTag unscopables unshift use value valueOf
  values`.split(/\s+/),
);

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

const isPart = /[\p{ID_Continue}$\u200c\u200d]/u;
const run = /[\p{ID_Continue}$\u200c\u200d]*/uy;

/**
 * Where names stand that are not edited, from the old to the new one in the order of names; all of these begin with what the two have in
 * common. Comments of files of ours have none. Undefined where they cannot be told.
 */
function listLeft(
  text: string,
  stem: string,
  { low, high, oldName }: Names,
  own: ts.SourceFile | undefined,
  edited: ReadonlySet<number> = new Set(),
): readonly number[] | undefined {
  const left: number[] = [];
  let count = 0;
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    count += 1;
    const before = text[at - 1] ?? ' ';
    if (isPart.test(before)) continue;
    run.lastIndex = at;
    const name = run.exec(text)?.[0] ?? '';
    if (edited.has(at) && name === oldName) continue;
    // What is quoted may go on behind the name.
    const isBetween = (low <= name && name <= high) || (quotes.has(before) && high.startsWith(name));
    if (!isBetween) continue;
    if (own === undefined) return undefined;
    if (!isInComment(own, at)) left.push(at);
  }
  const isEscaped = text.includes('\\') || text.includes('&#');
  return isEscaped && countOf(text.replace(escapes, readEscape), stem) > count ? undefined : left;
}

type Access = ts.Node & { readonly name: ts.Node; readonly expression: ts.Node };

/**
 * What is read of something of which nothing may be known, `x.old`: whatever it is called, it is anything. Not where the same thing is
 * known elsewhere, and what is found out about its member in one place holds in the other. Undefined: something else.
 */
function readLoose(
  file: ts.SourceFile,
  left: readonly number[],
  edited: ReadonlySet<number> = new Set(),
): readonly ts.Node[] | undefined {
  const known = new Set([...edited].flatMap((at) => findReceiver(file, at)?.getText() ?? []));
  const receivers = left.map((at) => findReceiver(file, at));
  const found = receivers.flatMap((one) => (one === undefined || known.has(one.getText()) ? [] : [one]));
  return found.length === left.length ? found : undefined;
}

function findReceiver(file: ts.SourceFile, at: number): ts.Node | undefined {
  const name = ts.getTokenAtPosition(file, at);
  const access = name.parent as Access | undefined;
  if (name.getStart() !== at || access?.kind !== K.PropertyAccessExpression || access.name !== name) return undefined;
  return isWritten(access) ? undefined : access.expression;
}

function isWritten(access: ts.Node): boolean {
  let at = access;
  while (at.parent.kind === K.ParenthesizedExpression || at.parent.kind === K.NonNullExpression) at = at.parent;
  const { kind, left, operatorToken } = at.parent as ts.Node & {
    readonly left?: ts.Node;
    readonly operatorToken?: ts.Node;
  };
  if (kind === K.BinaryExpression)
    return (
      left === at &&
      operatorToken !== undefined &&
      operatorToken.kind >= K.FirstAssignment &&
      operatorToken.kind <= K.LastAssignment
    );
  return !reads.has(kind);
}

/** What stands around it and takes its value, and nothing else. */
const reads: ReadonlySet<ts.SyntaxKind> = new Set([
  K.AwaitExpression,
  K.CallExpression,
  K.ConditionalExpression,
  K.ExpressionStatement,
  K.IfStatement,
  K.NewExpression,
  K.PropertyAccessExpression,
  K.ReturnStatement,
  K.TemplateSpan,
  K.TypeOfExpression,
  K.VariableDeclaration,
]);

function areOfAnything({ project: { checker } }: OpenProgram, receivers: readonly ts.Node[]): boolean {
  if (receivers.length === 0) return true;
  try {
    return checker
      .getTypeAtLocation(receivers)
      .every((type) => type !== undefined && (type.flags & ts.TypeFlags.Any) !== 0);
  } catch {
    // What could not be asked is not argued about.
    return false;
  }
}

/** Of strings, names and JSX, where they can stand for a letter, and line ends that a string leaves out. */
const escapes =
  /\\(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([0-7]{1,3})|\r\n|([^nrtbfvux0-7]))|&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));/gi;

function readEscape(
  whole: string,
  ...[braced, plain, short, octal, itself, hex, decimal]: readonly (string | undefined)[]
): string {
  if (itself !== undefined) return /[\r\n\u2028\u2029]/.test(itself) ? '' : itself;
  const [digits, base] =
    octal !== undefined ? [octal, 8] : decimal !== undefined ? [decimal, 10] : [braced ?? plain ?? short ?? hex, 16];
  const code = digits === undefined ? undefined : Number.parseInt(digits, base as number);
  if (code === undefined) return whole === '\\\r\n' ? '' : whole;
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

const quotes: ReadonlySet<string> = new Set(["'", '"', '`', '}']);

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Where the compiler reads no name: documentation is read as names in its tags. */
function isInComment(file: ts.SourceFile, at: number): boolean {
  const token = ts.getTokenAtPosition(file, at);
  return at < token.getStart() || at >= token.end || token.kind === K.JSDoc || token.kind === K.JSDocText;
}

// What is made of a name by its letters: types of templates, and the four that write words larger and smaller. They make nothing of
// a name that could be met elsewhere if what they put beside it can stand beside no name: then it is seen in the text.

const makers = /\b(?:Uppercase|Lowercase|Capitalize|Uncapitalize|OptionalP(?:re|ost)fixToken)\b/;
/** The value of a member that is put together. */
const madeMembers = /\benum\b[^{}]*\{[^}]*(?:['"`]\s*\+|\+\s*['"`]|\$\{)/;

function mayMakeNames(text: string, file: ts.SourceFile | (() => ts.SourceFile | undefined), names: Names): boolean {
  if (makers.test(text) || madeMembers.test(text)) return true;
  if (!text.includes('${')) return false;
  const source = typeof file === 'function' ? file() : file;
  if (source === undefined) return true;
  // Types of documentation stand in the tree only where the compiler reads them.
  if (/\.[cm]?jsx?$/.test(source.fileName) && documented.test(text)) return true;
  let isMade = false;
  walkNodes(source, (node) => {
    if (node.kind === K.TemplateLiteralType) isMade ||= !isHarmless(readTemplate(node), names);
  });
  return isMade;
}

const documented = /\/\*\*(?:(?!\*\/)[\s\S])*`[^`*]*\$\{/;

type Template = { readonly fixed: readonly string[]; readonly holes: readonly ts.Node[] };
type Written = ts.Node & {
  readonly head: ts.Node & { readonly text: string };
  readonly templateSpans: readonly (ts.Node & {
    readonly type?: ts.Node;
    readonly expression?: ts.Node;
    readonly literal: ts.Node & { readonly text: string };
  })[];
};

function readTemplate(node: ts.Node): Template {
  const { head, templateSpans } = node as Written;
  const spans = [...templateSpans];
  return {
    fixed: [head.text, ...spans.map(({ literal }) => literal.text)],
    holes: spans.flatMap(({ type, expression }) => type ?? expression ?? []),
  };
}

const patterns: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.StringKeyword, '[^]*'],
  [K.NumberKeyword, '[-+.\\dexobEXOB]+'],
  [K.BigIntKeyword, '-?\\d+'],
  [K.BooleanKeyword, '(?:true|false)'],
]);

/** It fits both names or neither, or sets what it is given apart. */
function isHarmless({ fixed, holes }: Template, { oldName, newName }: Names): boolean {
  if (holes.every(({ kind }) => patterns.has(kind))) {
    const source = fixed.map((part, at) => {
      const hole = holes[at];
      return `${part.replace(/[^\w]/g, '\\$&')}${hole === undefined ? '' : patterns.get(hole.kind)}`;
    });
    const pattern = new RegExp(`^${source.join('')}$`);
    return pattern.test(oldName) === pattern.test(newName);
  }
  return setsApart(fixed);
}

/** Nothing that it puts beside what it is given can be part of a name. */
function setsApart(fixed: readonly string[]): boolean {
  return fixed.every((part, at) => {
    const [isFirst, isLast] = [at === 0, at === fixed.length - 1];
    if (part === '') return isFirst || isLast;
    return (isFirst || !isPart.test(part[0] ?? '')) && (isLast || !isPart.test(part.at(-1) ?? ''));
  });
}

/** A text that is written out is of the type of what it holds, where that is one of certain texts. */
function mayWriteNames({ project: { checker } }: OpenProgram, file: ts.SourceFile, names: Names): boolean {
  const holes: { readonly node: ts.Node; readonly isApart: boolean }[] = [];
  walkNodes(file, (node) => {
    if (node.kind !== K.TemplateExpression || node.parent.kind === K.TaggedTemplateExpression) return;
    const { fixed, holes: own } = readTemplate(node);
    // With something in it that no name has, it is none, whatever certain text stands beside that.
    const isApart = fixed.some(isNoName);
    if (!setsApart(fixed)) holes.push(...own.map((hole) => ({ node: hole, isApart })));
  });
  if (holes.length === 0) return false;
  try {
    const types = checker.getTypeAtLocation(holes.map(({ node }) => node));
    return holes.some(({ isApart }, at) => mayBeKey(types[at], isApart, names));
  } catch {
    // What could not be asked is not argued about.
    return true;
  }
}

/** Something in it stands in no name. */
function isNoName(text: string): boolean {
  return [...text].some((letter) => !isPart.test(letter));
}

/** Of these no value is known to be the name of a member. */
const open =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.String |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Void |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Never |
  ts.TypeFlags.Object;

function mayBeKey(type: ts.Type | undefined, isApart: boolean, names: Names): boolean {
  if (type === undefined) return true;
  if (type.isUnionType())
    return (type.getTypes() ?? [undefined]).some((part) => part === type || mayBeKey(part, isApart, names));
  if (type.isStringLiteralType())
    return !(isApart || isNoName(type.value)) || type.value === names.oldName || type.value === names.newName;
  return (type.flags & open) === 0;
}
