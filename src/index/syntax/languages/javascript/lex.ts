/** The few lexical notions needed where text is read without the tree: trivia, identifiers, string literals. */

/** 1 for ASCII characters of identifiers. Beyond ASCII everything that is not a space counts. */
const identifierTable = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$\\#') {
  identifierTable[character.charCodeAt(0)] = 1;
}

export function isIdentifierCode(unit: number): boolean {
  return unit < 128 ? identifierTable[unit] === 1 : unit > 0xa0 && !isSpaceCode(unit);
}

export function isSpaceCode(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return (
    unit === 0xa0 ||
    unit === 0xfeff ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

/** The first place at or after `at` that is neither white space nor inside a comment; at most `end`. */
export function skipTrivia(text: string, at: number, end: number): number {
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (isSpaceCode(unit)) at += 1;
    else if (unit === 47 && text.charCodeAt(at + 1) === 47) at = endOfLine(text, at, end);
    else if (unit === 47 && text.charCodeAt(at + 1) === 42) at = endOfBlockComment(text, at, end);
    else return at;
  }
  return end;
}

export function endOfLine(text: string, at: number, end: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 || found > end ? end : found;
}

export function endOfBlockComment(text: string, at: number, end: number): number {
  const found = text.indexOf('*/', at + 2);
  return found === -1 || found + 2 > end ? end : found + 2;
}

export function endOfWord(text: string, at: number, end: number): number {
  while (at < end && isIdentifierCode(text.charCodeAt(at))) at += 1;
  return at;
}

/** `at` is on a quote; the answer is behind the closing one, or where the line or the range ends. */
export function endOfString(text: string, at: number, end: number): number {
  const quote = text.charCodeAt(at);
  for (let next = at + 1; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 92) next += 1;
    else if (unit === quote) return next + 1;
    else if (unit === 10) return next;
  }
  return end;
}

/** What an identifier means: `\u0061` is `a`. */
export function identifierValue(raw: string): string {
  return raw.includes('\\') ? unescapeUnits(raw) : raw;
}

/** What a string literal (with its quotes) means. */
export function stringValue(raw: string): string {
  const inside = raw.slice(1, -1);
  return inside.includes('\\') ? unescapeUnits(inside).replace(/\\(\r\n|[\s\S])/g, unescapeOne) : inside;
}

function unescapeUnits(raw: string): string {
  return raw.replace(/\\u\{([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})/g, (all, long, unit, byte) => {
    const value = Number.parseInt(long ?? unit ?? byte, 16);
    return value <= 0x10ffff ? String.fromCodePoint(value) : all;
  });
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };

function unescapeOne(_: string, character: string): string {
  if (character === '\n' || character === '\r\n') return '';
  return (Object.hasOwn(escapes, character) ? escapes[character] : undefined) ?? character;
}
