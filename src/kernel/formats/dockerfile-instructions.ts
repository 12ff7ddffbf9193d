/**
 * A Dockerfile's text as instructions, cut exactly where the builder cuts it: parser directives, continuation lines with comments
 * between them, here-documents; and the parts of an instruction: flags, exec form, variables. Never fails, linear in the text; an
 * unterminated here-document costs its own instruction and not the rest of the file. Our own (decision 0022): `dockerfile-ast` takes the
 * rest of the file for the here-document of `RUN echo "a <<EOF"`, does not know `3<<EOF`, and keeps the comments between continuation
 * lines that end in CR LF; the tests hold both readers side by side.
 */

import { countWhile } from '../base/count-while.ts';
import { splitWords, unquoteWord } from './shell-words.ts';

/** What bounds the reading of one Dockerfile. Where a bound is met, a problem with its line says so. */
export const dockerfileLimits = {
  bytes: 1024 * 1024,
  instructions: 20_000,
  stages: 200,
  /** Of one text after substitution: `ENV A=$A$A` doubles with every line. */
  valueChars: 8_192,
  /** Of a command as the section shows it. */
  commandChars: 8_192,
  /** Of all values after substitution together with those that stages hand down to the stages built on them. */
  valuesChars: 4 * 1024 * 1024,
  problems: 200,
} as const;

export type ParseProblem = { readonly line: number; readonly message: string };

export type Escape = '\\' | '`';

type Heredoc = {
  readonly name: string;
  /** Written without quotes: variables in it are expanded. */
  readonly expands: boolean;
  /** 1-based line of its first one. */
  readonly line: number;
  readonly content: string;
};

export type Instruction = {
  /** Upper case. */
  readonly keyword: string;
  /** Everything after the keyword as one line, without the bodies of here-documents. */
  readonly text: string;
  /** 1-based line of the keyword. */
  readonly line: number;
  readonly heredocs: readonly Heredoc[];
};

type InstructionList = {
  readonly escape: Escape;
  readonly syntax: string | null;
  readonly instructions: readonly Instruction[];
  readonly problems: readonly ParseProblem[];
};

type Flag = { readonly name: string; readonly value: string | null };

type JsonForm =
  | { readonly kind: 'array'; readonly words: readonly string[] }
  /** Meant as an array, and none. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'text' };

/** Undefined: nothing in the file gives it a value. */
type Lookup = (name: string) => string | undefined;

export type Substituted = { readonly text: string; readonly unresolved: readonly string[] };

export function readInstructions(source: string): InstructionList {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const problems: ParseProblem[] = [];
  const { escapeChar, syntax } = readDirectives(lines, problems);
  const findLine = lineFinder(lines);
  const instructions: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    const start = at;
    let joined = '';
    let open = true;
    while (open && at < lines.length) {
      const line = lines[at] ?? '';
      at += 1;
      // Comments and empty lines between continued lines are dropped, and do not end the instruction.
      if (isBlankOrComment(line)) {
        if (joined === '' && at - 1 === start) break;
        continue;
      }
      const part = withoutContinuation(line, escapeChar);
      open = part !== null;
      joined += part ?? line;
    }
    const parts = /^\s*([^\s]+)(?:\s+([\s\S]*))?$/.exec(joined);
    if (parts === null) continue;
    if (instructions.length >= dockerfileLimits.instructions) {
      problems.push({
        line: start + 1,
        message: `more than ${dockerfileLimits.instructions} instructions: the rest is not read`,
      });
      break;
    }
    const keyword = (parts[1] ?? '').toUpperCase();
    const rest = (parts[2] ?? '').trimEnd();
    const heredocs: Heredoc[] = [];
    for (const opening of heredocOpenings(keyword, rest)) {
      const end = findLine(opening.name, at, opening.stripsTabs);
      if (end === undefined) {
        problems.push({ line: start + 1, message: `unterminated here-document <<${opening.name}` });
        break;
      }
      const body = lines.slice(at, end).map((line) => (opening.stripsTabs ? line.replace(/^\t+/, '') : line));
      heredocs.push({
        name: opening.name,
        expands: opening.expands,
        line: at + 1,
        content: body.map((line) => `${line}\n`).join(''),
      });
      at = end + 1;
    }
    instructions.push({ keyword, text: rest, line: start + 1, heredocs });
  }
  return { escape: escapeChar, syntax, instructions, problems };
}

/** Directives are comments of the form `# name=value` before anything else, each at most once. */
function readDirectives(
  lines: readonly string[],
  problems: ParseProblem[],
): { escapeChar: Escape; syntax: string | null } {
  let escapeChar: Escape = '\\';
  let syntax: string | null = null;
  const seen = new Set<string>();
  for (const [index, line] of lines.slice(0, 20).entries()) {
    // The first line of a file that is to be executable.
    if (index === 0 && line.startsWith('#!')) continue;
    const directive = /^\s{0,80}#\s{0,80}([a-z][a-z0-9]{0,40})\s{0,80}=\s{0,80}(.{1,500}?)\s{0,80}$/i.exec(
      line.slice(0, 800),
    );
    const name = directive?.[1]?.toLowerCase();
    if (name === undefined || !['syntax', 'escape', 'check'].includes(name)) break;
    const value = directive?.[2] ?? '';
    if (seen.has(name)) problems.push({ line: index + 1, message: `directive ${name} is given twice` });
    else if (name === 'syntax') syntax = value;
    else if (name === 'escape') {
      if (value === '`' || value === '\\') escapeChar = value;
      else problems.push({ line: index + 1, message: 'escape must be a backslash or a backtick' });
    }
    seen.add(name);
  }
  return { escapeChar, syntax };
}

function isBlankOrComment(line: string): boolean {
  const trimmed = line.trimStart();
  return trimmed === '' || trimmed.startsWith('#');
}

/** The line without its continuation character; null if it ends the instruction. A doubled escapeChar character continues nothing. */
function withoutContinuation(line: string, escapeChar: Escape): string | null {
  const trimmed = line.trimEnd();
  if (!trimmed.endsWith(escapeChar) || trimmed.at(-2) === escapeChar) return null;
  return trimmed.slice(0, -1);
}

type HeredocOpening = { readonly name: string; readonly stripsTabs: boolean; readonly expands: boolean };

/** Whole words `<<NAME`, `3<<NAME`, `<<-NAME`, `<<"NAME"`; what stands in quotes together with more is no here-document. */
function heredocOpenings(keyword: string, text: string): readonly HeredocOpening[] {
  const [trigger = ''] = keyword === 'ONBUILD' ? text.split(/\s/, 1) : [keyword];
  if (!['RUN', 'COPY', 'ADD'].includes(trigger.toUpperCase()) || !text.includes('<<')) return [];
  return splitWords(text, '\\').flatMap((word) => {
    const opening = /^\d{0,9}<<(-?)([^<]{1,200})$/.exec(word);
    if (opening === null) return [];
    const quoted = opening[2] ?? '';
    const name = unquoteWord(quoted);
    return name === '' ? [] : [{ name, stripsTabs: opening[1] === '-', expands: name === quoted }];
  });
}

/** Finds the first line at or after a place that is exactly this text; an index, because hostile text asks for every line. */
function lineFinder(lines: readonly string[]): (name: string, from: number, stripsTabs: boolean) => number | undefined {
  const places = [new Map<string, number[]>(), new Map<string, number[]>()] as const;
  let filled = false;
  return (name, from, stripsTabs) => {
    if (!filled) {
      for (const [index, line] of lines.entries()) {
        append(places[0], line, index);
        append(places[1], line.replace(/^\t+/, ''), index);
      }
      filled = true;
    }
    const found = places[stripsTabs ? 1 : 0].get(name) ?? [];
    return found[countWhile(found, (place) => place < from)];
  };
}

function append(places: Map<string, number[]>, line: string, index: number): void {
  const known = places.get(line);
  if (known === undefined) places.set(line, [index]);
  else known.push(index);
}

/** Takes the leading `--name[=value]` words; `--` ends them. */
export function takeFlags(text: string): { readonly flags: readonly Flag[]; readonly rest: string } {
  const flags: Flag[] = [];
  const word = /\s*(\S+)/y;
  let at = 0;
  for (;;) {
    word.lastIndex = at;
    const raw = word.exec(text)?.[1];
    if (raw === undefined || !raw.startsWith('--')) break;
    at = word.lastIndex;
    if (raw === '--') break;
    const split = raw.indexOf('=');
    flags.push({
      name: (split < 0 ? raw.slice(2) : raw.slice(2, split)).toLowerCase(),
      value: split < 0 ? null : raw.slice(split + 1),
    });
  }
  return { flags, rest: text.slice(at).trim() };
}

export function flagValue(flags: readonly Flag[], name: string): string | null {
  return flags.find((flag) => flag.name === name)?.value ?? null;
}

/** The exec form is a JSON array of strings; everything else is text to the builder. */
export function readJsonForm(text: string): JsonForm {
  if (!text.startsWith('[')) return { kind: 'text' };
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return { kind: 'array', words: value };
    return { kind: 'malformed' };
  } catch {
    return looksLikeArray(text) ? { kind: 'malformed' } : { kind: 'text' };
  }
}

/** `["a", 'b']`, `[node, index.js]`; but `[ -f x ] && y` and `[[ … ]]` are tests of the shell. */
function looksLikeArray(text: string): boolean {
  if (/^\[\s{0,80}(?:"[^"]{0,2000}"|'[^']{0,2000}')\s{0,80}(?:,|\]\s{0,80}$)/.test(text)) return true;
  return /^\[["']/.test(text) || (/^\[[^\s[]/.test(text) && text.endsWith(']'));
}

const nameAt = /[A-Za-z_][A-Za-z0-9_]{0,199}/y;
/** `${X:-${Y:-z}}` is written; hundreds of levels are not. */
const maxDepth = 8;

/**
 * Variables replaced as the builder does: `$X`, `${X}`, `${X:-y}`, `${X-y}`, `${X:+y}`, `${X+y}`, quotes and escapes taken away. What
 * has no value in the file stays as written and is named. The result is never longer than its bound.
 */
export function substitute(raw: string, escapeChar: string, lookup: Lookup, depth = 0): Substituted {
  const unresolved: string[] = [];
  let text = '';
  let quote = '';
  for (let at = 0; at < raw.length && text.length <= dockerfileLimits.valueChars; ) {
    const char = raw.charAt(at);
    if (char === escapeChar && quote !== "'" && at + 1 < raw.length) {
      const next = raw.charAt(at + 1);
      if (quote === '"' && next !== '"' && next !== '$' && next !== escapeChar) text += char;
      text += next;
      at += 2;
    } else if (quote !== '' ? char === quote : char === '"' || char === "'") {
      quote = quote === '' ? char : '';
      at += 1;
    } else if (char === '$' && quote !== "'") {
      const reference = readReference(raw, at);
      const value = resolve(reference, escapeChar, lookup, depth);
      text += value.text;
      unresolved.push(...value.unresolved);
      at += reference.source.length;
    } else {
      text += char;
      at += 1;
    }
  }
  if (text.length > dockerfileLimits.valueChars) text = text.slice(0, dockerfileLimits.valueChars);
  return { text, unresolved };
}

type Reference = {
  readonly source: string;
  /** Null: no variable at all, or an operator that is not known here. */
  readonly name: string | null;
  readonly operator: string;
  readonly word: string;
};

function readReference(raw: string, at: number): Reference {
  const braced = raw.charAt(at + 1) === '{';
  nameAt.lastIndex = at + (braced ? 2 : 1);
  const name = nameAt.exec(raw)?.[0];
  if (name === undefined) return { source: '$', name: null, operator: '', word: '' };
  const after = at + (braced ? 2 : 1) + name.length;
  if (!braced) return { source: raw.slice(at, after), name, operator: '', word: '' };
  const end = closingBrace(raw, after);
  if (end < 0) return { source: '$', name: null, operator: '', word: '' };
  const operator = /^:?[-+?]/.exec(raw.slice(after, after + 2))?.[0] ?? '';
  const source = raw.slice(at, end + 1);
  // `${X#pattern}`, `${X%pattern}`, `${X/a/b}` are left as they are.
  if (operator === '' && after !== end) return { source, name, operator: 'unknown', word: '' };
  return { source, name, operator, word: raw.slice(after + operator.length, end) };
}

/** Bounded, so that many open braces stay cheap. */
function closingBrace(raw: string, from: number): number {
  let depth = 1;
  const end = Math.min(raw.length, from + 1_024);
  for (let at = from; at < end; at += 1) {
    const char = raw.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '{' && raw.charAt(at - 1) === '$') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function resolve(reference: Reference, escapeChar: string, lookup: Lookup, depth: number): Substituted {
  const { name, operator, source, word } = reference;
  if (name === null) return { text: source, unresolved: [] };
  const value = lookup(name);
  if (operator === 'unknown' || depth >= maxDepth) return { text: source, unresolved: [name] };
  const isSet = value !== undefined && !(operator.startsWith(':') && value === '');
  if (operator.endsWith('-')) return isSet ? known(value) : substitute(word, escapeChar, lookup, depth + 1);
  if (operator.endsWith('+')) return isSet ? substitute(word, escapeChar, lookup, depth + 1) : known('');
  return value === undefined ? { text: source, unresolved: [name] } : known(value);
}

function known(text: string): Substituted {
  return { text, unresolved: [] };
}
