/**
 * Finds secrets whose name stands apart from them, so that nothing assigns the one to the other: `name: DB_PASSWORD` and `value: x` of
 * manifests, `setenv("DB_PASSWORD", "x")`, `<password>x</password>`, a value on the line below its key, a default behind `||` or `:-`, the words
 * of `.netrc` and of SQL; and what a format holds at a fixed place: `auth` of Docker and npm, keys in base64, `.pgpass`, data of Kubernetes
 * secrets, hashes of passwords. A reader has to guess here more than at `password=x`: what is found is redacted and raises no alarm.
 */

import { isExpression, isReference, isSecretLiteral, type Span } from './assignment.ts';
import { apartLiterals, type Literals, literalsOf } from './literals.ts';
import { likelyNamePart, secretNamePart } from './patterns.ts';

/** What is found at a place in the text, or behind a name that ends there. Group 1 of its pattern is the secret. */
type Shape = { readonly pattern: RegExp; readonly accepts: (value: string, name: string) => boolean };

const namesAt = {
  secretNames: new RegExp(`(?:${secretNamePart})[A-Za-z0-9_-]{0,48}`, 'iy'),
  likelyNames: new RegExp(`(?:${likelyNamePart})[A-Za-z0-9_-]{0,48}`, 'iy'),
};
const aName = new RegExp(`${secretNamePart}|${likelyNamePart}`, 'i');
const hasDigit = (value: string) => /[0-9]/.test(value);
/** Written in capitals, a name is one of the environment, and what stands beside it is its value. */
const isShouted = (name: string) => !/[a-z]/.test(name);
/** A value, and neither a name of something, a path, nor code. */
const isValue = (value: string) =>
  isSecretLiteral(value) &&
  !isExpression(value) &&
  !/^[A-Z][A-Z0-9_]*$/.test(value) &&
  !(/^[\w-]+$/.test(value) && aName.test(value)) &&
  !/^[$%{<*@-]|^(?:~|\.{0,2})\/|^https?:|["'`\\]$/.test(value);
const isLikelyValue = (value: string, name: string) => isValue(value) && (isShouted(name) || hasDigit(value));
const isGivenValue = (value: string) => value.length >= 4 && !isReference(value) && !/^[$%{<]/.test(value);
const isPassword = (value: string, name: string) => /^password$/i.test(name) && isGivenValue(value);

const valueField =
  '["\'`]?[ \\t]{0,8}[,;]?\\s{0,64}["\'`]?(?:value|default(?:_?value)?)["\'`]?[ \\t]{0,8}[:=][ \\t]{0,8}';
const scalarMark = '(?:[!&][\\w!-]{1,64}[ \\t]{1,8}){0,2}';

/** Behind a name. `before`: what must stand before it; its group is the secret where it has one. */
const besideNames: readonly (Shape & { readonly before?: RegExp; readonly reach?: number })[] = [
  // `{name: DB_PASSWORD, value: x}` in YAML, JSON and attributes, and the other way round.
  {
    before: /(?:name|key)["'`]?[ \t]{0,8}[:=][ \t]{0,8}["'`]?[\w.-]{0,64}$/i,
    pattern: new RegExp(`${valueField}(?:["'\`]([^"'\`\\n]{8,512})["'\`]|([^\\s"'\`,;{}<>]{8,512}))`, 'diy'),
    accepts: isLikelyValue,
  },
  {
    before:
      /["']value["'][ \t]{0,8}:[ \t]{0,8}["']([^"'\n]{8,512})["'][ \t]{0,8},\s{0,64}["']name["'][ \t]{0,8}:[ \t]{0,8}["'][\w.-]{0,64}$/di,
    reach: 768,
    pattern: /["']/dy,
    accepts: isLikelyValue,
  },
  // `set("DB_PASSWORD", "x")`, `define('DB_PASSWORD', 'x')`, `getenv('DB_PASSWORD', 'x')`.
  {
    before: /["'`][\w.]{0,64}$/,
    pattern: /\\?["'`][ \t]{0,8},\s{0,64}\\?["'`]([^"'`\s\\]{8,512})\\?["'`](?![ \t]{0,8}(?::|=>))/dy,
    accepts: isLikelyValue,
  },
  // `"db_password": {"value": "x"}` of outputs, `variable "db_password" { default = "x" }`.
  {
    pattern: /["'][ \t]{0,8}:\s{0,16}\{\s{0,64}["']value["'][ \t]{0,8}:[ \t]{0,8}["']([^"'\n]{4,512})["']/dy,
    accepts: isGivenValue,
  },
  {
    before: /variable[ \t]{1,8}["'][\w-]{0,64}$/,
    pattern: /["'][ \t]{0,8}\{[^{}]{0,512}?\bdefault[ \t]{0,16}=[ \t]{0,8}["']([^"'\n]{4,512})["']/dy,
    accepts: isGivenValue,
  },
  // `process.env.DB_PASSWORD || 'x'`, `${DB_PASSWORD:-x}`.
  {
    pattern: /["'`]?[\])]{0,2}[ \t]{0,4}(?:\|\||\?\?|\bor\b)[ \t]{0,4}["'`]([^"'`\s\\]{8,512})["'`]/dy,
    accepts: isLikelyValue,
  },
  { before: /\$\{[\w.]{0,64}$/, pattern: /:?[-=]([^\s{}$"'`\\]{4,512})\}/dy, accepts: isGivenValue },
  { before: /<(?:[\w.-]{1,32}:)?[\w.-]{0,64}$/, pattern: />\s{0,64}([^<>{}\s]{8,512})\s{0,64}<\//dy, accepts: isValue },
  // YAML: a tag or an anchor before the value, or the value on the next line.
  {
    pattern: new RegExp(`["']?:[ \\t]{1,8}${scalarMark.replace('{0,2}', '{1,2}')}["']?([^\\s"'\`,{}]{8,512})`, 'dy'),
    accepts: isLikelyValue,
  },
  {
    before: /\|[ \t]{0,16}`?[\w.-]{0,64}$/,
    pattern: /`?[ \t]{0,64}\|[ \t]{0,16}`?([^\s|`]{8,512})`?[ \t]{0,64}\|/dy,
    accepts: isLikelyValue,
  },
  // `login admin password x` of .netrc, `PASSWORD 'x'` of SQL, `set -x DB_PASSWORD x` of fish.
  { before: /\blogin\s{1,16}\S{1,128}\s{1,16}$/, pattern: /\s{1,16}([^\s"'`]{4,512})/dy, accepts: isPassword },
  { before: /(?:^|\s)$/, pattern: /(?:\s{1,8}\(?|\()'([^'\n]{4,512})'/dy, accepts: isPassword },
  {
    before: /\bset[ \t]{1,8}(?:-\w{1,16}[ \t]{1,8}){1,4}\w{0,64}$/,
    pattern: /[ \t]{1,8}["']?([^\s"'`$]{8,512})/dy,
    accepts: isGivenValue,
  },
];
/** How far back a name's surroundings are looked at, where nothing else is said. */
const REACH = 160;

/** A key and a scalar that begins on the line below. */
const nextLine = new RegExp(`["']?:[ \\t]{0,8}${scalarMark}([|>][-+0-9]{0,2})?[ \\t]{0,8}\\r?\\n`, 'y');
const MAX_LINES = 64;

/** `user:password` in base64. */
function isBasic(value: string): boolean {
  return /^[\x20-\x7e]{0,128}:[\x20-\x7e]+$/.test(Buffer.from(value.slice(0, 512), 'base64').toString('latin1'));
}
const always = () => true;

/** At letters of their own. */
const atLiterals: Readonly<Record<keyof typeof apartLiterals, Shape | undefined>> = {
  docker: { pattern: /"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/]{8,4096}={0,2})"/dy, accepts: isBasic },
  npm: { pattern: /_auth[ \t]{0,8}=[ \t]{0,8}["']?([A-Za-z0-9+/]{8,4096}={0,2})/dy, accepts: isBasic },
  yarn: { pattern: /npmAuthIdent["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([^\s"'`$<>{}]{6,512})/dy, accepts: always },
  ldap: { pattern: /bind_?pw(?:d)?["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([^\s"'`$<>{}();]{4,512})/diy, accepts: isValue },
  powershell: {
    pattern: /SecureString[ \t]{1,8}(?:-String[ \t]{1,8})?["']([^"'\n$]{4,512})["']/dy,
    accepts: isGivenValue,
  },
  keyInBase64: {
    pattern: /(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))(LS0tLS1CRUdJTi[A-Za-z0-9+/]{16,}={0,2})/dy,
    accepts: (value) => Buffer.from(value.slice(0, 128), 'base64').toString('latin1').includes('PRIVATE KEY'),
  },
  signedAddress: { pattern: /(?<=[?&;])sig=([A-Za-z0-9+/%_-]{20,512}={0,2})/dy, accepts: always },
  goMysql: { pattern: /(?<=[\w.-]:([^\s"'`@/:<>{}$]{1,256}))@(?:tcp|unix)\(/dy, accepts: always },
  oracle: { pattern: /jdbc:oracle:[a-z0-9]{1,8}:[^\s/@"']{1,128}\/([^\s@"'`$<>{}]{1,256})@/dy, accepts: always },
  sqlplus: {
    pattern: /sqlplus(?:[ \t]{1,8}-\w{1,4}){0,4}[ \t]{1,8}["']?[\w.-]{1,64}\/([^\s@"'`$<>{}]{3,256})@/dy,
    accepts: always,
  },
  pgpass: {
    pattern: /(?<=^[\w.*-]{1,253}):(?:5432|\*):[\w.*-]{1,63}:[\w.*-]{1,63}:(\S{4,512})$/dmy,
    accepts: isGivenValue,
  },
  hash: { pattern: /(\$(?:apr1|2[aby]|6|argon2[id]{1,2})\$[./A-Za-z0-9$=,+-]{20,512})/dy, accepts: always },
  putty: { pattern: /Private-Lines: [0-9]{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?){1,128})/dy, accepts: always },
  sql: {
    pattern:
      /identified[ \t]{1,8}(?:with[ \t]{1,8}\S{1,64}[ \t]{1,8})?(?:by|as)[ \t]{1,8}(?:password[ \t]{1,8})?'([^'\n]{4,256})'/diy,
    accepts: isGivenValue,
  },
  cookie: { pattern: /cookie:[ \t]{0,8}[\w.-]{1,64}=([^;\s"'`\\$<>{}]{8,512})/diy, accepts: hasDigit },
  // `set("Authorization", "Basic x")`.
  header: {
    pattern:
      /authorization\\?["'`][ \t]{0,8},\s{0,64}\\?["'`](?:basic|bearer|token|apikey|key)[ \t]{1,8}([\w.~+/=:-]{6,4096})/diy,
    accepts: isSecretLiteral,
  },
  // Not one value but a block of them.
  kubernetes: undefined,
};
const HEAD_CHARS = 3;
const shapesByHead = new Map<string, Shape | undefined>();
for (const [format, literals] of Object.entries(apartLiterals))
  for (const literal of literals)
    shapesByHead.set(literal.slice(0, HEAD_CHARS), atLiterals[format as keyof typeof apartLiterals]);

/** What of a Kubernetes secret holds its values. */
const secretData =
  /stringData["']?:[ \t]{0,8}\r?\n|kind: Secret[ \t]{0,8}\r?\n(?:(?!---|(?:stringD|d)ata:)[^\n]{0,256}\n){0,40}data:[ \t]{0,8}\r?\n/y;

/** Spans in order, none overlapping another. */
export function findApart(text: string, literals: Literals = literalsOf(text)): Span[] {
  const spans: Span[] = [];
  for (const at of literals.places('apart')) {
    const head = text.slice(at, at + HEAD_CHARS).toLowerCase();
    if (!shapesByHead.has(head)) continue;
    const shape = shapesByHead.get(head);
    if (shape !== undefined) {
      add(find(text, at, shape.pattern)?.value, shape.accepts, '');
      continue;
    }
    secretData.lastIndex = at;
    const data = secretData.exec(text);
    if (data !== null) spans.push(...valuesBelow(text, at + data[0].length));
  }
  for (const group of ['secretNames', 'likelyNames'] as const)
    for (const at of literals.places(group)) {
      namesAt[group].lastIndex = at;
      const name = namesAt[group].exec(text)?.[0];
      if (name !== undefined) findBeside(at, at + name.length);
    }
  let end = 0;
  return spans
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });

  function add(span: Span | undefined, accepts: Shape['accepts'], name: string): void {
    if (span !== undefined && accepts(text.slice(span.start, span.end), name)) spans.push(span);
  }

  function findBeside(at: number, end: number): void {
    // Most names are followed by a bracket, a dot or a comma of a program.
    if (!/[\s"'`:>|?()\]=-]/.test(text.charAt(end))) return;
    const lead = /[\w$-]{0,64}$/.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? '';
    const name = lead + text.slice(at, end);
    for (const { before, reach = REACH, pattern, accepts } of besideNames) {
      const found = find(text, end, pattern);
      if (found === undefined) continue;
      const from = Math.max(0, at - reach);
      const led = before?.exec(text.slice(from, at));
      if (led === null) continue;
      // What stands before the name holds the secret where its pattern has a group.
      const behind = led?.indices?.[1];
      add(behind === undefined ? found.value : { start: from + behind[0], end: from + behind[1] }, accepts, name);
    }
    nextLine.lastIndex = end;
    const line = nextLine.exec(text);
    if (line !== null) spans.push(...scalarBelow(text, at, end + line[0].length, line[1] !== undefined, name));
  }
}

function find(text: string, at: number, pattern: RegExp): { readonly value: Span | undefined } | undefined {
  pattern.lastIndex = at;
  const { indices } = pattern.exec(text) ?? {};
  if (indices === undefined) return undefined;
  const [start, end] = indices[1] ?? indices[2] ?? [];
  return { value: start === undefined || end === undefined ? undefined : { start, end } };
}

type Line = { readonly start: number; readonly end: number; readonly indent: number };

function lineAt(text: string, from: number): Line {
  const lf = text.indexOf('\n', from);
  const end = lf < 0 ? text.length : lf;
  let start = from;
  while (start < end && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start += 1;
  return { start, end: text.charCodeAt(end - 1) === 13 ? end - 1 : end, indent: start - from };
}

/** The lines of a value below its key: deeper than the key, without blanks; one, or in a block all of them. */
function scalarBelow(text: string, key: number, from: number, isBlock: boolean, name: string): Span[] {
  const keyLine = lineAt(text, text.lastIndexOf('\n', key) + 1);
  const spans: Span[] = [];
  for (let at = from; at < text.length && spans.length < (isBlock ? MAX_LINES : 1); ) {
    const line = lineAt(text, at);
    const raw = text.slice(line.start, line.end).trimEnd();
    if (line.indent <= keyLine.indent || raw === '' || /\s|:$/.test(raw.slice(0, 1024))) break;
    const quote = /^(["'])(.*)\1$/.exec(raw)?.[2];
    const start = line.start + (quote === undefined ? 0 : 1);
    const value = quote ?? raw;
    if (isBlock ? isReference(value) : !isLikelyValue(value, name)) break;
    spans.push({ start, end: start + value.length });
    at = text.indexOf('\n', line.end) + 1 || text.length;
  }
  // A block is a secret if it is as long as one.
  return spans.reduce((sum, { start, end }) => sum + end - start, 0) < 8 ? [] : spans;
}

/** Every value of the mapping that begins on this line. */
function valuesBelow(text: string, from: number): Span[] {
  const spans: Span[] = [];
  const { indent } = lineAt(text, from);
  const own = lineAt(text, text.lastIndexOf('\n', from - 2) + 1).indent;
  if (indent <= own) return spans;
  for (let at = from, lines = 0; at < text.length && lines < 512; lines += 1) {
    const line = lineAt(text, at);
    if (line.indent < indent && line.start < line.end) break;
    const raw = text
      .slice(line.start, line.end)
      .replace(/(?:^|[ \t])#.*$/, '')
      .trimEnd();
    const key = line.indent === indent ? (/^[\w."'-]{1,256}:[ \t]*["']?/.exec(raw)?.[0].length ?? 0) : 0;
    const value = raw.slice(key).replace(/["']$/, '');
    if (isGivenValue(value) && !/^[|>][-+0-9]*$/.test(value))
      spans.push({ start: line.start + key, end: line.start + key + value.length });
    at = text.indexOf('\n', line.end) + 1 || text.length;
  }
  return spans;
}
