/** Strings as strace prints them: C escapes inside, never a bare quote, `<` or `>`. Total: any text decodes to something. */

const named: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  e: 0x1b,
};
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Where the string that opens at `open` (a quote) closes; -1 where it does not. */
export function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at > 0 && isEscaped(text, at, open)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number, open: number): boolean {
  let backslashes = 0;
  for (let back = at - 1; back > open && text.charCodeAt(back) === 0x5c; back -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Escapes become bytes, the bytes text; what is no UTF-8 becomes U+FFFD. Characters of `text` are bytes already. */
export function decodeCString(text: string): string {
  if (isPlain(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const [byte, next] = text.charCodeAt(at) === 0x5c ? readEscape(text, at + 1) : [text.charCodeAt(at), at + 1];
    bytes[length] = byte;
    length += 1;
    at = next;
  }
  return decoder.decode(bytes.subarray(0, length));
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c || code > 0x7e) return false;
  }
  return true;
}

/** The byte of the escape that begins at `at`, behind the backslash, and where the text goes on. */
function readEscape(text: string, at: number): readonly [number, number] {
  const letter = text[at];
  if (letter === undefined) return [0x5c, at];
  if (letter >= '0' && letter <= '7') return readDigits(text, at, 3, 8);
  if (letter === 'x') return readDigits(text, at + 1, 2, 16);
  return [named[letter] ?? letter.charCodeAt(0), at + 1];
}

function readDigits(text: string, from: number, most: number, base: 8 | 16): readonly [number, number] {
  let at = from;
  let value = 0;
  while (at < from + most) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
    at += 1;
  }
  return [value & 0xff, at];
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
