/**
 * Finds secrets that are given to a program: `curl -u user:password`, `mysql -p…`, `--token x`, `["--password", "x"]`, `PGPASSWORD=x psql`.
 * One reader judges the words of a command one after the other, whether they were written on a line, in a list of JSON or YAML, or parsed
 * apart. What it finds is redacted and raises no alarm: a reader of commands has to guess at what a program it does not know does with its arguments.
 */

import {
  findClosingQuote,
  isExpression,
  isKnownSample,
  isPrimitiveType,
  isReference,
  type Span,
} from './assignment.ts';
import { type Literals, literalsOf } from './literals.ts';
import { secretNamePart } from './patterns.ts';

/** Which part of a value is the secret. */
type Part = 'whole' | 'colon' | 'percent' | 'comma' | 'header' | 'cookie' | 'literal';
type FlagRule = {
  readonly flags: readonly string[];
  readonly part: Part;
  readonly form: 'separate' | 'attached' | 'both';
};

const rule = (flags: string, part: Part = 'whole', form: FlagRule['form'] = 'both'): FlagRule => ({
  flags: flags.split(' '),
  part,
  form,
});
const attachedP = rule('-p', 'whole', 'attached');
const webClient = [rule('-u -U --user --proxy-user -a --auth', 'colon'), rule('-b --cookie', 'cookie')];

/** What the flags of programs mean, by the beginning of the program's name. */
const programs: readonly (readonly [RegExp, readonly FlagRule[]])[] = [
  [/^(?:curl|wget|https?|aria2c)$/, webClient],
  [/^(?:mysql|mariadb)[a-z_-]*$/, [attachedP]],
  [/^sshpass$/, [rule('-p', 'whole', 'separate'), attachedP]],
  [/^(?:login|cqlsh|mongo[a-z]*)$/, [rule('-p')]],
  [/^redis-cli$/, [rule('-a', 'whole', 'separate')]],
  [/^ldap[a-z]+$/, [rule('-w')]],
  [/^(?:sqlcmd|bcp|isql|tsql|zip|unzip|mosquitto_[a-z]+)$/, [rule('-P')]],
  [/^(?:7z[ar]?|rar|unrar)$/, [attachedP]],
  [/^(?:smbclient|rpcclient|winexe)$/, [rule('-U --user', 'percent')]],
  [/^lftp$/, [rule('-u', 'comma')]],
];
const everywhere: readonly FlagRule[] = [
  rule('-H --header --proxy-header', 'header'),
  rule('--from-literal', 'literal'),
];
/** After these words that many words follow, and the last is a password. */
const countedWords: Readonly<Record<string, number>> = { add_user: 2, change_password: 2 };

const secretWords =
  'password|passwd|passphrase|passcode|storepass|keypass|requirepass|masterauth|passin|passout|secret|token|api[_-]?key|(?:access|secret|private|auth|account|encryption|signing|master|shared)[_-]?key|credentials?|bearer';
const shortWords = 'pass|pwd|pw|auth|pat';
const secretFlag = new RegExp(`^--?(?!no-)[\\w.-]{0,48}?(?:${secretWords}|(?<=[-_.])(?:${shortWords}))$`, 'i');
const environmentName = new RegExp(
  `^[A-Za-z0-9_]{0,48}(?:${secretNamePart}|passphrase|access_?key|credentials?|[a-z]_?pass|[a-z]_pwd|_auth)[A-Za-z0-9_]{0,16}$`,
  'i',
);
const headerName = new RegExp(`authorization|cookie|${secretNamePart}|auth`, 'i');
const settableName = new RegExp(`${secretNamePart}|access_key|_auth$`, 'i');
/** Names whose value is about a secret, and is none. */
const aboutSecrets =
  /(?:file|path|dir|name|id|url|uri|type|ttl|env|from|stdin|prompt|length|count|limit|expir\w*|policy)$/i;

/** Takes the words of one command and says which part of each is secret. */
export type CommandReader = {
  /** `listed`: an element of a list, where nothing but a value can stand after a flag. */
  take(word: string, listed: boolean): Span | undefined;
  /** Only what program it is. */
  note(word: string): void;
  expectsValue(): boolean;
  /** No value follows any more. */
  endList(): void;
};

export function createCommandReader(): CommandReader {
  let rules: readonly FlagRule[] = everywhere;
  let expected: { readonly part: Part; readonly certain: boolean } | undefined;
  let countdown = 0;
  let sets = false;
  let hashesPassword = false;

  function note(word: string): void {
    if (word.length > 64) return;
    const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
    const known = programs.find(([shape]) => shape.test(name))?.[1];
    // The last program that was named says what a flag means.
    if (known !== undefined) rules = [...known, ...rules.filter((other) => !known.includes(other))];
    if (name === 'htpasswd') hashesPassword = true;
    if (/^(?:set|config|configure)$/.test(name)) sets = true;
    countdown = Object.hasOwn(countedWords, name) ? (countedWords[name] as number) + 1 : countdown;
  }

  function take(word: string, listed: boolean): Span | undefined {
    if (word === '-') return undefined;
    if (expected !== undefined) {
      const { part, certain } = expected;
      expected = undefined;
      if (!/^--?[A-Za-z]/.test(word)) return partOf(word, 0, part, certain || listed);
    }
    if (word.startsWith('-')) return takeFlag(word);
    note(word);
    const assigned = /^([A-Z_][A-Z0-9_]{0,64})=/.exec(word);
    if (assigned !== null) {
      const name = assigned[1] as string;
      return environmentName.test(name) && !aboutSecrets.test(name)
        ? partOf(word, assigned[0].length, 'whole', true, name)
        : undefined;
    }
    if (countdown > 0) {
      countdown -= 1;
      if (countdown === 0) return partOf(word, 0, 'whole', true);
    }
    if (sets && settableName.test(word) && !aboutSecrets.test(word)) expected = { part: 'whole', certain: true };
    return undefined;
  }

  function takeFlag(word: string): Span | undefined {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    // The hashed password of `htpasswd -b file user password`.
    if (hashesPassword && /^-[A-Za-z]*b/.test(word)) countdown = 3;
    const ofName = rules.find(({ flags, form }) => flags.includes(name) && (form !== 'attached' || equals >= 0));
    if (ofName !== undefined && (equals < 0 || name.startsWith('--'))) {
      if (equals >= 0) return partOf(word, equals + 1, ofName.part, true);
      expected = { part: ofName.part, certain: true };
      return undefined;
    }
    if (secretFlag.test(name)) {
      if (equals >= 0) return partOf(word, equals + 1, 'whole', true, name);
      expected = { part: 'whole', certain: false };
      return undefined;
    }
    const short = word.slice(0, 2);
    const attached = rules.find(({ flags, form }) => form !== 'separate' && flags.includes(short));
    // `-page` may be a word of its own where the program also takes the value apart.
    if (attached === undefined || (attached.form === 'both' && /^-[a-z]+$/.test(word))) return undefined;
    return partOf(word, 2, attached.part, true);
  }

  return {
    take,
    note,
    expectsValue: () => expected !== undefined,
    endList: () => {
      expected = undefined;
      countdown = 0;
    },
  };
}

function partOf(word: string, from: number, part: Part, certain: boolean, name = ''): Span | undefined {
  const value = word.slice(from);
  if (part === 'header' || part === 'cookie' || part === 'literal') {
    const shape =
      part === 'header'
        ? /^\s{0,8}([\w-]{1,64})\s{0,8}:\s{0,8}(?:(?:basic|bearer|token|digest|negotiate|apikey|key)\s{1,8})?/i
        : /^\s{0,8}([\w.-]{1,64})=/;
    const match = shape.exec(value);
    if (match === null) return undefined;
    const named = part === 'header' ? headerName : part === 'literal' && from === 0 ? environmentName : /./;
    if (!named.test(match[1] as string)) return undefined;
    return partOf(word, from + match[0].length, 'whole', true);
  }
  if (part !== 'whole') {
    const reference = /^\$\{[^}]*\}/.exec(value)?.[0].length ?? 0;
    const at = value.indexOf(part === 'colon' ? ':' : part === 'percent' ? '%' : ',', reference);
    // `-u 1000:1000` is a user and a group.
    if (at <= 0 || /^\d+:\d+$/.test(value)) return undefined;
    return partOf(word, from + at + 1, 'whole', true);
  }
  if (value.startsWith('pass:')) return partOf(word, from + 5, 'whole', true);
  return isSecretArgument(value, certain, name) ? { start: from, end: word.length } : undefined;
}

const MIN_CHARS = 4;

/** Nothing but a secret stands there. `certain`: the form alone says that this is a value; else it may be the next word of a sentence. */
function isSecretArgument(value: string, certain: boolean, name: string): boolean {
  if (value.length < MIN_CHARS || isReference(value) || isKnownSample(value) || isPrimitiveType(value)) return false;
  if (/^(?:[$%@<*[]|\{[^{}]*\}$|\{\{|(?:env|file|fd|stdin|prompt)(?::|$)|(?:id|type|src|env)=)/.test(value))
    return false;
  if (/^(?:true|false|null|none|yes|auto|basic|digest|bearer|required|optional)$/i.test(value)) return false;
  if (/^(?:[A-Z]+_)*(?:TOKEN|KEY|PASSWORD|PASS|PWD|SECRET)$/.test(value)) return false;
  if (/^(?:~|\.{0,2})\/[\w.-]+(?:\/[\w.-]+)+$/.test(value) || /\.(?:json|ya?ml|pem|key|crt|txt|env|jks)$/.test(value))
    return false;
  if (/token/i.test(name) && /^[0-9][0-9_.]*$/.test(value)) return false;
  return certain ? !isExpression(value) : !/^[a-z]{1,7}[.,:]?$/.test(value) && !isExpression(value);
}

// From text to words. A walk begins where a program or a flag is that may matter, and ends with the command; no text is walked twice.

const programNames =
  'curl|wget|aria2c|mysql[a-z_-]{0,16}|mariadb[a-z-]{0,16}|login|sshpass|cqlsh|mongo[a-z]{0,8}|redis-cli|ldap[a-z]{3,12}|sqlcmd|isql|tsql|unzip|zip|mosquitto_[a-z]{3}|7z[ar]? [ax]|unrar|smbclient|rpcclient|winexe|lftp|htpasswd|add_user|change_password|config(?:ure)?(?=\\\\?["\']?[,\\s]{1,6}\\\\?["\']?set\\b)|https?(?=\\\\?["\']?[,\\s[]{1,6}\\\\?["\']?-)';
const flagName = `--?(?:[\\w.-]{0,48}?(?:${secretWords}|header|from-literal|[-_.](?:${shortWords})))(?![\\w.-])`;
const environmentAssignment = '(?:PASSWORD|PASSWD|PASSPHRASE|PASS|_PWD|TOKEN|SECRET|KEY|CREDENTIALS?)=(?=\\S)';
/** Where a walk may begin. What stands before is looked at afterwards: an expression that looks back first takes ten times as long. */
export const argumentTriggers: readonly string[] = [
  `(?:\\b|\\\\[nrt])(?:${programNames})(?![\\w-])`,
  flagName,
  environmentAssignment,
];
const programAt = new RegExp(`(?:${programNames})(?![\\w-])`, 'y');
const flagAnywhere = new RegExp(flagName, 'gi');
const environmentAnywhere = new RegExp(environmentAssignment, 'g');

/** The next place from `from` on at which a walk may begin; asked with places that grow. */
type NextTrigger = (from: number) => { readonly start: number; readonly text: string } | undefined;

/** As one expression of all three would find them, each by itself: together they take three times as long. */
function triggersIn(text: string, literals: Literals): NextTrigger {
  const places = literals.places('programs');
  let at = 0;
  const nextProgram = (from: number) => {
    for (; at < places.length; at += 1) {
      const start = places[at] as number;
      if (start < from) continue;
      programAt.lastIndex = start;
      const found = programAt.exec(text);
      if (found !== null) return { start, text: found[0] };
    }
    return undefined;
  };
  const anywhere = (pattern: RegExp) => (from: number) => {
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    return found === null ? undefined : { start: found.index, text: found[0] };
  };
  const kinds = [nextProgram, anywhere(flagAnywhere), anywhere(environmentAnywhere)].map((find) => ({
    find,
    found: find(0),
  }));
  return (from) => {
    let first: ReturnType<NextTrigger>;
    for (const kind of kinds) {
      if (kind.found !== undefined && kind.found.start < from) kind.found = kind.find(from);
      if (kind.found !== undefined && (first === undefined || kind.found.start < first.start)) first = kind.found;
    }
    return first;
  };
}

/** The beginning of the word at a place; `n` of an escaped line end is no part of it. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 64 && /[\w.$-]/.test(text.charAt(start - 1))) start -= 1;
  return start < at && text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start)) ? start + 1 : start;
}

/** What a value is judged by; a longer one is no different. */
const JUDGED_CHARS = 512;
const separators =
  /(?:[ \t,[\](<>]|-[ \t]|\\{1,3}\r?\n|\\{3}n|\\{1,2}t|\\{1,2}(?=[ \t])|\\?["'`]|(?<=,[ \t]{0,8})\r?\n|\\n[ \t]{0,64}-[ \t]+|\r?\n[ \t]{0,64}(?:-[ \t]+|args:[ \t]*(?:\r?\n[ \t]{0,64}-[ \t]+)?)(?=\S))*/y;
const wordShape = /(?:[^\s"'`;|&()<>\\]|\\(?=[$!@#%])|<[^<>\s]{1,64}>)+/y;
const quoteShape = /\\?["'`]/y;

export function findArguments(text: string, literals: Literals = literalsOf(text)): Span[] {
  const spans: Span[] = literals.has('pipes') ? [...findPiped(text)] : [];
  const closingQuote = closingQuotes(text);
  const next = triggersIn(text, literals);
  for (let found = next(0); found !== undefined; ) {
    const start = wordStart(text, found.start);
    const isWhole = start === found.start || found.text.endsWith('=');
    const end = found.start + found.text.length;
    found = next(isWhole ? Math.max(walkCommand(text, start, spans, closingQuote), end) : end);
  }
  return inOrder(spans);
}

/** Adds what is found to `spans`; says where the command ended. */
function walkCommand(text: string, from: number, spans: Span[], closingQuote: ClosingQuote): number {
  const reader = createCommandReader();
  let at = from;
  let quotedFlag = false;
  while (at < text.length) {
    separators.lastIndex = at;
    const between = separators.exec(text)?.[0] ?? '';
    at += between.length;
    const quote = /\\?["'`]$/.exec(at === from ? text.slice(Math.max(0, at - 2), at) : between)?.[0];
    const listed = /[,\n]/.test(between);
    // A value after a flag in quotes is in quotes too, or it is an expression of a program; `[x]` stands for one in a manual.
    if (quotedFlag && quote === undefined && !/[\n-]/.test(between)) reader.endList();
    if (between.endsWith('[')) reader.endList();
    if (reader.expectsValue() && quote !== undefined) {
      const end = closingQuote(at, quote);
      const value = text.slice(at, Math.min(end, at + JUDGED_CHARS));
      // A sentence in a list is what a manual says of the flag before it.
      if (listed && value.split(/\s+/, 3).length > 2) reader.endList();
      else add(reader.take(value, true), at, value.length, end);
      at = Math.max(end, at + (value === '' ? 1 : 0));
      continue;
    }
    wordShape.lastIndex = at;
    const raw = wordShape.exec(text)?.[0] ?? '';
    const word = raw.replace(/[,\]]+$/, '');
    if (word === '') return at;
    const end = at + word.length;
    quoteShape.lastIndex = end;
    const next = quoteShape.exec(text)?.[0];
    // `-p'…'`, `NAME="…"`: the value goes on in quotes.
    const goesOn = next !== undefined && next !== quote && raw === word && /[=:%]$|^-[A-Za-z]$/.test(word);
    const start = goesOn ? end + next.length : end;
    const close = goesOn ? closingQuote(start, next) : end;
    const rest = text.slice(start, Math.min(close, start + JUDGED_CHARS));
    const span = reader.take(word + rest, listed);
    if (span === undefined || span.start < word.length) add(span, at, word.length + rest.length, close);
    else add({ start: span.start - word.length, end: span.end - word.length }, start, rest.length, close);
    at = span === undefined ? end : close;
    quotedFlag = quote !== undefined && next === quote;
  }
  return at;

  /** What reaches to the end of what was judged reaches to the end of the value. */
  function add(span: Span | undefined, by: number, judged: number, end: number): void {
    if (span !== undefined) spans.push({ start: span.start + by, end: span.end >= judged ? end : span.end + by });
  }
}

type ClosingQuote = (from: number, quote: string) => number;

/** Where the quoted text that begins at a place ends; each kind of quote is looked for once, because hostile text opens many that nothing closes. */
function closingQuotes(text: string): ClosingQuote {
  const known = new Map<string, { readonly from: number; readonly end: number }>();
  return (from, quote) => {
    const last = known.get(quote);
    if (last !== undefined && last.from <= from && from <= last.end) return last.end;
    const end = findClosingQuote(text, from, quote);
    known.set(quote, { from, end });
    return end;
  };
}

/** `echo password | docker login --password-stdin`. */
const piped =
  /(?:echo|printf)[ \t]{1,8}(?:-[A-Za-z]{1,4}[ \t]{1,8}|\\?["']?%s(?:\\{1,2}n)?\\?["']?[ \t]{1,8}){0,2}\\?["']?([^\s"'|;&<>\\]{4,512})\\?["']?[ \t]{0,8}\|[ \t]{0,8}[^|;\n]{0,256}?(?:-stdin|chpasswd|--with-token|sudo -S|-fd 0)/g;

function findPiped(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(piped)) {
    const said = match[1] as string;
    const from = said.indexOf(':') + 1;
    const start = match.index + match[0].indexOf(said) + from;
    if (isSecretArgument(said.slice(from), true, '')) spans.push({ start, end: start + said.length - from });
  }
  return spans;
}

export const pipedSecret: RegExp = piped;

function inOrder(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  return sorted.filter((span, at) => at === 0 || span.start >= (sorted[at - 1] as Span).end);
}
