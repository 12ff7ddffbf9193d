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

// Tokens of JavaScript text without white space and comments, as one string: equal tokens give equal strings (S2). It is the shared
// `normaliseTokens` for this family, apart from it for two reasons: regular expressions and templates are told from division and
// comments, and it is fast enough for whole bodies (2 ns per character), which is what an unannotated export costs.
//
// Where the text alone cannot tell (a quote in JSX text, a slash after a brace) characters are kept rather than dropped: a false
// difference costs a refresh, a lost one would call stale facts fresh. `notComments` are the places where `//` or a comment's opening
// is JSX text.

/** A literal string, or a range of the text as two numbers one after the other. */
export type Piece = string | number;

/** Not `push(...)`: a hostile file has more pieces than a call may have arguments. */
export function appendPieces(to: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces) to.push(piece);
}

/** Characters are gathered here: bytes while all are Latin-1, which nearly every source is, else UTF-16 units. */
let narrow = Buffer.alloc(1 << 16);
let wide = Buffer.alloc(0);
let wideUnits = new Uint16Array(0);

export function squeezeTokens(text: string, pieces: readonly Piece[], notComments: ReadonlySet<number>): string {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string') return only;
  let room = 0;
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (typeof piece === 'string') room += piece.length;
    else room += Number(pieces[++at]) - Number(piece) + 1;
  }
  if (narrow.length < room) narrow = Buffer.alloc(room * 2);
  const length = squeezeInto(narrow, text, pieces, notComments, 0xff);
  if (length >= 0) return narrow.toString('latin1', 0, length);
  if (wideUnits.length < room) {
    wide = Buffer.alloc(room * 4);
    wideUnits = new Uint16Array(wide.buffer, wide.byteOffset, room * 2);
  }
  return wide.toString('utf16le', 0, 2 * squeezeInto(wideUnits, text, pieces, notComments, 0xffff));
}

/** How many units were written; -1 if one is above `largest`. */
function squeezeInto(
  out: Uint8Array | Uint16Array,
  text: string,
  pieces: readonly Piece[],
  notComments: ReadonlySet<number>,
  largest: number,
): number {
  let length = 0;
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (typeof piece === 'string') {
      for (let index = 0; index < piece.length; index += 1) {
        const unit = piece.charCodeAt(index);
        if (unit > largest) return -1;
        out[length++] = unit;
      }
    } else {
      length = squeezeRange(out, length, text, Number(piece), Number(pieces[++at]), notComments, largest);
      if (length < 0) return -1;
    }
  }
  return length;
}

/** What to do with an ASCII unit: 0 copy it, 1 leave it out, 2 look closer. */
const treatment = new Uint8Array(128);
for (let unit = 0; unit <= 32; unit += 1) treatment[unit] = 1;
for (const character of '"\'`/{}') treatment[character.charCodeAt(0)] = 2;

function squeezeRange(
  out: Uint8Array | Uint16Array,
  length: number,
  text: string,
  start: number,
  end: number,
  notComments: ReadonlySet<number>,
  largest: number,
): number {
  const first = length;
  /** Was there white space or a comment since the last unit written? */
  let gap = false;
  /** Open `${`: how many braces are open within each. */
  let substitutions: number[] | undefined;
  let braces = 0;
  /** No `"`, `'` or `/` before these places is closed on its line: looking again for each would be quadratic. */
  let openDouble = 0;
  let openSingle = 0;
  let openSlash = 0;
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    const treated = unit < 128 ? treatment[unit] : isSpaceCode(unit) ? 1 : 0;
    if (treated === 1) {
      gap = true;
      at += 1;
      continue;
    }
    if (unit === 47) {
      const next = text.charCodeAt(at + 1);
      if ((next === 47 || next === 42) && at + 1 < end && !notComments.has(at)) {
        at = next === 47 ? endOfLine(text, at, end) : endOfBlockComment(text, at, end);
        gap = true;
        continue;
      }
    }
    if (gap) {
      gap = false;
      if (length > first && needsSpace(out[length - 1] ?? 0, unit)) out[length++] = 32;
    }
    out[length++] = unit;
    if (unit > largest) return -1;
    at += 1;
    if (treated === 0) {
      // The rest of the word and what is glued to it, as quickly as may be: this is where the time goes.
      while (at < end) {
        const next = text.charCodeAt(at);
        if (next >= 128 || treatment[next] !== 0) break;
        out[length++] = next;
        at += 1;
      }
      continue;
    }
    let stop = at;
    if (unit === 34) {
      if (at > openDouble) stop = endOfQuoted(text, at - 1, end);
    } else if (unit === 39) {
      if (at > openSingle) stop = endOfQuoted(text, at - 1, end);
    } else if (unit === 47) {
      if (at > openSlash && startsRegex(out, first, length - 1)) stop = endOfRegex(text, at - 1, end);
    } else if (unit === 96) stop = endOfTemplatePart(text, at, end);
    else if (unit === 123) braces += 1;
    else if (unit === 125) {
      if (braces === 0 && substitutions !== undefined && substitutions.length > 0) {
        braces = substitutions.pop() ?? 0;
        stop = endOfTemplatePart(text, at, end);
      } else if (braces > 0) braces -= 1;
    }
    if (stop < 0) {
      if (unit === 34) openDouble = -stop;
      else if (unit === 39) openSingle = -stop;
      else openSlash = -stop;
      continue;
    }
    for (; at < stop; at += 1) {
      const copied = text.charCodeAt(at);
      if (copied > largest) return -1;
      out[length++] = copied;
    }
    // A part of a template that ends in `${` (and is more than the brace itself) opens a substitution.
    if ((unit === 96 || unit === 125) && text.charCodeAt(at - 1) === 123) {
      substitutions ??= [];
      substitutions.push(braces);
      braces = 0;
    }
  }
  return length;
}

/** A space tells two words apart, `a + +b` from `a ++b`, and `x! = y` from `x != y`. */
function needsSpace(before: number, after: number): boolean {
  if (isIdentifierCode(before)) return isIdentifierCode(after);
  return before === after ? before === 43 || before === 45 : before === 33 && after === 61;
}

/** Behind the closing quote, or minus the end of the line if there is none on it. */
function endOfQuoted(text: string, at: number, end: number): number {
  const quote = text.charCodeAt(at);
  let next = at + 1;
  for (; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 92) next += 1;
    else if (unit === quote) return next + 1;
    else if (unit === 10) break;
  }
  return -Math.min(next, end);
}

/** Behind the closing backtick or behind `${`. */
function endOfTemplatePart(text: string, at: number, end: number): number {
  for (let next = at; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 92) next += 1;
    else if (unit === 96) return next + 1;
    else if (unit === 36 && text.charCodeAt(next + 1) === 123 && next + 1 < end) return next + 2;
  }
  return end;
}

const wordsBeforeRegex = new Set(
  'return typeof case in of do else void delete throw new instanceof await yield'.split(' '),
);

/** A slash divides what a name, a number, a closing parenthesis or bracket ends; anywhere else it begins a regular expression. */
function startsRegex(out: Uint8Array | Uint16Array, first: number, length: number): boolean {
  if (length === first) return true;
  const before = out[length - 1] ?? 0;
  // `</` closes a JSX element.
  if (before === 41 || before === 93 || before === 60 || before === 34 || before === 39 || before === 96) return false;
  if (!isIdentifierCode(before)) return true;
  let start = length;
  while (start > first && length - start <= 10 && isIdentifierCode(out[start - 1] ?? 0)) start -= 1;
  let word = '';
  for (let at = start; at < length; at += 1) word += String.fromCharCode(out[at] ?? 0);
  return wordsBeforeRegex.has(word);
}

/** Behind the closing slash, or minus the end of the line if there is none on it. */
function endOfRegex(text: string, at: number, end: number): number {
  let inClass = false;
  let next = at + 1;
  for (; next < end; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === 92) next += 1;
    else if (unit === 91) inClass = true;
    else if (unit === 93) inClass = false;
    else if (unit === 47 && !inClass) return next + 1;
    else if (unit === 10) break;
  }
  return -Math.min(next, end);
}
