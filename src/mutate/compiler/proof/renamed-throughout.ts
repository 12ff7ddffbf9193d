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
  let isMadeLarger = false;
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
    isMadeLarger ||= makers.test(text);
    // No enum is declared in JavaScript, where schemas have many.
    if (!isJavaScript.test(fileName) && madeMembers.test(text)) return false;
    const read = own ?? (() => program.project.program.getSourceFile(fileName));
    if (mayMakeNames(program, text, read, names)) return false;
  }
  if (isMadeLarger && mayMeetMade(programs, program, stem, names, edited)) return false;
  if (!areOfAnything(program, loose)) return false;
  return reached.every((path) => {
    const file = program.sourceFile(path);
    return file !== undefined && !(file.text.includes('${') && mayWriteNames(program, file, names));
  });
}

const isJavaScript = /\.[cm]?jsx?$/;
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
// a name that could be met elsewhere if what they put beside it can stand beside no name: then it is seen in the text. What is written
// larger or smaller is met by what is spelled alike but for that.

const makers = /\b(?:Uppercase|Lowercase|Capitalize|Uncapitalize|OptionalP(?:re|ost)fixToken)\b/;
/** The value of a member that is put together. */
const madeMembers = /\benum\b[^{}]*\{[^}]*(?:['"`]\s*\+|\+\s*['"`]|\$\{)/;

/** Letters that are others, or several, when they are written larger or smaller. */
const shifting = /[\u00df\u0130\u0131\u0149\u017f\u01f0\u0390\u03b0\u0587\u1e96-\u1e9e\u212a\u212b\ufb00-\ufb17]/;

/** Something else begins like the two, whatever is large or small in it: made larger or smaller it could be one of them, or between them. */
function mayMeetMade(
  programs: Programs,
  program: OpenProgram,
  stem: string,
  { oldName }: Names,
  edited: ReadonlyMap<string, ReadonlySet<number>>,
): boolean {
  const low = stem.toLowerCase();
  for (const { path, outside, text } of listTexts(programs, program)) {
    if (text === undefined || shifting.test(text)) return true;
    const own = outside ? undefined : program.sourceFile(path);
    const lowered = text.toLowerCase();
    if (lowered.length !== text.length) return true;
    for (let at = lowered.indexOf(low); at >= 0; at = lowered.indexOf(low, at + 1)) {
      if (isPart.test(text[at - 1] ?? ' ')) continue;
      run.lastIndex = at;
      // What is not edited and spelled alike is read of anything: that was looked at before.
      const isSame = run.exec(text)?.[0] === oldName && own !== undefined;
      if (isSame || edited.get(path)?.has(at) === true) continue;
      if (own === undefined || !isInComment(own, at)) return true;
    }
    const isEscaped = text.includes('\\') || text.includes('&#');
    const read = isEscaped ? text.replace(escapes, readEscape).toLowerCase() : lowered;
    if (countOf(read, low) > countOf(lowered, low)) return true;
  }
  return false;
}

function mayMakeNames(
  program: OpenProgram,
  text: string,
  file: ts.SourceFile | (() => ts.SourceFile | undefined),
  names: Names,
): boolean {
  if (!text.includes('${')) return false;
  const source = typeof file === 'function' ? file() : file;
  if (source === undefined) return true;
  // Types of documentation stand in the tree only where the compiler reads them.
  if (isJavaScript.test(source.fileName) && documented.test(text)) return true;
  let isMade = false;
  walkNodes(source, (node) => {
    if (node.kind !== K.TemplateLiteralType || isMade) return;
    const template = readTemplate(node);
    isMade = !isHarmless(template, names) && !isClosed(program, template, names);
  });
  return isMade;
}

/**
 * All that it can be is known and has nothing to do with the two: each hole stands for certain texts, whatever it is given. A parameter can
 * be given anything all the same, which has to fit both or neither.
 */
function isClosed(program: OpenProgram, { fixed, holes }: Template, { low, high }: Names): boolean {
  const stem = sharedStart(low, high).toLowerCase();
  // What is between the digits of numbers is known, the digits are not.
  if (/\d/.test(stem)) return false;
  const anything = new RegExp(`^${fixed.map((part) => part.replace(/[^\w]/g, '\\$&')).join('[^]*')}$`);
  if (anything.test(low) !== anything.test(high)) return false;
  let texts = [fixed[0] ?? ''];
  for (const [at, hole] of holes.entries()) {
    const values = samples.get(hole.kind) ?? listTextsOf(program, hole);
    if (values === undefined || values.length * texts.length > closedMost) return false;
    texts = texts.flatMap((text) => values.map((value) => `${text}${value}${fixed[at + 1] ?? ''}`));
  }
  return texts.every((text) => !text.toLowerCase().includes(stem));
}

/** Of each way in which such a value is written, one. */
const samples: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [K.NumberKeyword, ['0', '1e0', 'Infinity', 'NaN']],
  [K.BigIntKeyword, ['0']],
  [K.BooleanKeyword, ['true', 'false']],
]);

const closedMost = 2_000;

/** What a type within a template can be, where that is a few texts or numbers; a parameter, or what is inferred, by what bounds it. */
function listTextsOf({ project: { checker } }: OpenProgram, hole: ts.Node): readonly string[] | undefined {
  const inferred = (hole as { readonly typeParameter?: { readonly constraint?: ts.TypeNode } }).typeParameter;
  const node = inferred === undefined ? (hole as ts.TypeNode) : inferred.constraint;
  if (node === undefined) return undefined;
  try {
    const type = checker.getTypeFromTypeNode(node);
    if (type === undefined) return undefined;
    return type.isTypeParameter() ? valuesOf(checker.getBaseConstraintOfType(type)) : valuesOf(type);
  } catch {
    // What could not be asked is not argued about.
    return undefined;
  }
}

function valuesOf(type: ts.Type | undefined): readonly string[] | undefined {
  if (type === undefined) return undefined;
  const parts: readonly ts.Type[] = type.isUnionType() ? (type.getTypes() ?? []) : [type];
  const values = parts.map((part) => {
    if (part.isStringLiteralType()) return part.value;
    return part.isNumberLiteralType() ? String(part.value) : undefined;
  });
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined;
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
