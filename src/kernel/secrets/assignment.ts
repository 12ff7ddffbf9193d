/**
 * Finds values assigned to names that say `password`, `secret`, `token` and the like: `name = "value"`, `"name": "value"`,
 * `NAME=value`, `name: value`, and a name and value that were parsed apart.
 * A quoted value is a literal. An unquoted one is a literal in a configuration file and an expression in a program,
 * and the text alone does not say which of the two it is; `isLiteral` holds the rules by which we decide.
 */

import { type Literals, literalsOf } from './literals.ts';
import { likelyNamePart, secretNamePart } from './patterns.ts';

export type Span = { readonly start: number; readonly end: number };

// name, its closing quote or bracket, an optional `: Type` before `=`, the operator.
const headOf = (names: string) =>
  new RegExp(
    `(?:${names})[A-Za-z0-9_-]{0,48}(\\\\?["'\`])?\\]?(?:[ \\t]{0,8}:[ \\t]{0,8}[A-Za-z_][A-Za-z0-9_.]{0,32}(?:\\[\\])?(?=[ \\t]{0,8}=))?[ \\t]{0,16}(:=|\\?=|=>|=(?![=~>])|:(?!:))([ \\t]{0,16})`,
    'iy',
  );
const heads = { secret: headOf(secretNamePart), likely: headOf(likelyNamePart) };
const nameShape = new RegExp(`${secretNamePart}|${likelyNamePart}`, 'i');
const openingQuote = /\\?(?:"""|'''|["'`])/y;
/** What a value is judged by; a longer one is no different. */
const JUDGED_CHARS = 512;
const unquotedValue = /(?:[^\s"'`,;<>&\\]|\\(?![nrt"'`]))+/y;
const declaration =
  /(?:\b(?:const|let|var|val|final|static|private|public|protected|readonly|return|case|type|def|fn|func)[ \t]+|[.>:])$/;
/** `spring.datasource.`, `:` of a key in Ruby and `//registry.internal/:` of npm, at the beginning of a line: a path of keys, and no program's. */
const keyPath =
  /(?:^|[\r\n])[ \t]*(?:-[ \t]+)?(?:(?!(?:this|self|that|cls|module|exports|window|process|global|globalThis|document)\.)(?:[A-Za-z][\w-]{0,48}\.){1,8}|:|\/\/[\w./:-]{1,256}\/:)$/;
const KEY_PATH_CHARS = 400;

/** Spans of the values, in order. `likely`: of names that only suggest a secret. */
export function findAssignments(
  text: string,
  names: keyof typeof heads = 'secret',
  literals: Literals = literalsOf(text),
): Span[] {
  const head = heads[names];
  const spans: Span[] = [];
  const findUnquotedEnd = unquotedEnds(text);
  let from = 0;
  for (const at of literals.places(names === 'secret' ? 'secretNames' : 'likelyNames')) {
    if (at < from) continue;
    head.lastIndex = at;
    const match = head.exec(text);
    if (match === null) continue;
    const span = findValue(text, match, findUnquotedEnd);
    if (span !== undefined) spans.push(span);
    from = span?.end ?? at + match[0].length;
  }
  return spans;
}

/** Long enough, and none of the things that stand where a secret would (note 1 of the table). */
export function isSecretLiteral(value: string): boolean {
  if (value.length < MIN_VALUE_CHARS || isReference(value) || isKnownSample(value)) return false;
  return !isPrimitiveType(value) && !isVersionRange(value);
}

/** The same judgement for a name and a value that were parsed apart, as in JSON or a parsed Dockerfile. */
export function isSecretAssignment(name: string, value: string): boolean {
  return nameShape.test(name) && isSecretValue(name, value);
}

function findValue(text: string, match: RegExpExecArray, findUnquotedEnd: (at: number) => number): Span | undefined {
  const at = match.index + match[0].length;
  // A segment of a path is not a name that something is assigned to.
  if (text.charAt(nameAround(text, match.index).start - 1) === '/') return undefined;
  openingQuote.lastIndex = at;
  const quote = openingQuote.exec(text)?.[0];
  if (quote !== undefined) {
    const start = at + quote.length;
    const end = findClosingQuote(text, start, quote);
    const value = text.slice(start, end);
    // In `'password:', value)` the quote closes a string that began before the name.
    return isSecretValue(match[0], value) && !/^\s*[,);+\]}]/.test(value) ? { start, end } : undefined;
  }
  const last = findUnquotedEnd(at);
  // `{user: a, password: x1}`: the bracket is the mapping's.
  const isFlow = match[1] === undefined && match[2] === ':' && last - at <= JUDGED_CHARS;
  const closing = isFlow ? /^(?=[^()[\]{}]*[0-9])[^()[\]{}]+([\]}]+)$/.exec(text.slice(at, last))?.[1] : undefined;
  const end = last - (closing?.length ?? 0);
  const value = text.slice(at, Math.min(end, at + JUDGED_CHARS));
  return isSecretValue(match[0], value) && isLiteral(text, match, value, end) ? { start: at, end } : undefined;
}

/** Where the unquoted value that holds a place ends; remembered, because hostile text has many names in one long value. */
function unquotedEnds(text: string): (at: number) => number {
  let from = 0;
  let end = 0;
  return (at) => {
    if (at < from || at >= end) {
      unquotedValue.lastIndex = at;
      from = at;
      end = at + (unquotedValue.exec(text)?.[0].length ?? 0);
    }
    return end;
  };
}

/** Tokens are also what programs count. */
function isSecretValue(name: string, value: string): boolean {
  return isSecretLiteral(value) && !(/token/i.test(name) && /^[0-9][0-9_.]*$/.test(value));
}

/** Is this unquoted value meant as text? */
function isLiteral(text: string, match: RegExpExecArray, value: string, end: number): boolean {
  const operator = match[2] ?? '';
  const spaced = (match[3] ?? '') !== '';
  if (operator === '=>' || isExpression(value) || closesMore(value)) return false;
  // After a quoted name an unquoted value is a JSON or program literal; only a password in digits could hide there.
  if (match[1] !== undefined && /^[-0-9.eE+]+$/.test(value)) return false;
  const name = nameAround(text, match.index);
  const isName = operator === '=' && spaced && /^[A-Za-z_]\w*$/.test(value);
  const isPath = !isName && keyPath.test(text.slice(Math.max(0, name.start - KEY_PATH_CHARS), name.start));
  if (!isPath && declaration.test(text.slice(Math.max(0, name.start - 16), name.start))) return false;
  const next = text[end];
  const configured = next === undefined || /[\s"'`&\\\]}]/.test(next);
  const shouted = !/[a-z]/.test(name.text);
  if (shouted && configured && (operator !== ':' || spaced)) return !isExpressionTail(text, end);
  if (!configured || isExpressionTail(text, end)) return false;
  if (operator === ':' && (!spaced || isTypeName(value))) return false;
  // What is left is `name = value` or `name: value` at the end of a line; a camel-case word there is a variable.
  return !/^[$_]?[a-z]+(?:[A-Z][a-z]*)+$/.test(value);
}

/** `string):` of a parameter list: a bracket that was opened before the value. */
function closesMore(value: string): boolean {
  return value.replace(/[^)\]}]/g, '').length > value.replace(/[^([{]/g, '').length;
}

/** More of the same expression follows on the line: an operator, an argument list, a block. */
function isExpressionTail(text: string, end: number): boolean {
  return /^[ \t]{1,8}(?:[-+*/%|&?=!<>{(]|(?:as|in|of|is|and|or|if|else|instanceof)\b)/.test(text.slice(end, end + 24));
}

function nameAround(text: string, at: number): { readonly start: number; readonly text: string } {
  let start = at;
  while (start > 0 && at - start < 64 && /[A-Za-z0-9_$-]/.test(text.charAt(start - 1))) start -= 1;
  let end = at;
  while (end - at < 64 && /[A-Za-z0-9_$-]/.test(text.charAt(end))) end += 1;
  return { start, text: text.slice(start, end) };
}

/** The end of a quoted value: the same quote not escaped, else the end of the line. */
export function findClosingQuote(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\n') return at;
    if (text.startsWith(quote, at)) return at;
    if (char === '\\') at += 1;
  }
  return text.length;
}

// Exemptions: what stands where a secret would stand and is none: references, samples, types, code (gather.md §7.3 note 1).
// Only the classes that recognise a secret by its surroundings ask; a token known by its own letters has no exemptions.

const references = /\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|<[^<>]*>/g;
const environmentLookup = /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|System\.getenv|Deno\.env|ENV\[)/;
const shellExpansion = /^\$(?:\(|[A-Z_][A-Z0-9_]*$)/;
/** Shortest value that counts as secret; what remains beside references must be as long to count. */
const MIN_VALUE_CHARS = 8;

/** `${…}`, `{{…}}`, `<…>`, `process.env…` and their like: the value is somewhere else. */
export function isReference(value: string): boolean {
  if (environmentLookup.test(value) || shellExpansion.test(value)) return true;
  if (!/^(?:\$?\{|<)/.test(value)) return false;
  return value.replace(references, '').length < MIN_VALUE_CHARS;
}

const sample = /^(?:change[-_]?me[!0-9]*$|example(?:$|[^A-Za-z0-9]|[-_]?(?:password|secret|token|key))|your[-_])/i;

/** `changeme`, `example`, `xxx…`, `your-…`: what documentation puts in the place of a value. */
export function isKnownSample(value: string): boolean {
  return sample.test(value) || /^(.)\1*$/.test(value);
}

const primitiveTypes = new Set(
  'any array bigint boolean bool bytes char float integer interface never null number object optional secretstr string str symbol undefined unknown'.split(
    ' ',
  ),
);

/** A primitive, also in its plural and array forms. */
export function isPrimitiveType(value: string): boolean {
  return primitiveTypes.has(value.replace(/(?:\[\]|\?)+$/, '').toLowerCase());
}

/** `SyntaxToken`, `vscode.CancellationToken`: a capitalised word in mixed case without digits, where an annotation may stand. */
function isTypeName(value: string): boolean {
  return /^(?:[A-Za-z_$]{1,64}\.){0,4}[A-Z][A-Z]{0,8}[a-z][A-Za-z]{0,64}(?:\[\])?$/.test(value);
}

/** `^4.0.0 || ^5.0.0`, `npm:x@1.2.3`: what a manifest assigns to packages such as `js-tokens`. */
function isVersionRange(value: string): boolean {
  return /^(?:npm:|workspace:|[~^]?v?[0-9]{1,6}\.[0-9]{1,6}\.|[<>]=? ?[0-9])/.test(value);
}

/** A call, a subscript or a member: an expression of a program, not a literal. */
export function isExpression(value: string): boolean {
  return /^[A-Za-z_$][\w$]{0,64}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,64}){0,8}[([]/.test(value) || isMember(value);
}

/** Long parts with many digits are parts of a token, and no names. */
function isMember(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]{0,64}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,64}){1,8}[!)]*$/.test(value)) return false;
  return !/(?<![\w$])(?=(?:[A-Za-z_$]{0,16}[0-9]){3})[\w$]{20,65}/.test(value);
}
