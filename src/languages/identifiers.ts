/**
 * An identifier as its language compares it (code-plane.md §3.2): two spellings of one name give one text.
 * The identifier set, the token spans and the bindings all use this, so that a lookup in one finds the others.
 */

/** Every run of identifier characters in a text, in order, normalised. */
export function listIdentifierRuns(text: string, language: string): { name: string; start: number; end: number }[] {
  const runs: { name: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(escaping.has(language) ? escapedRun : plainRun)) {
    const start = match.index;
    runs.push({ name: normaliseIdentifier(match[0], language), start, end: start + match[0].length });
  }
  return runs;
}

const plainRun = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;
/** Some languages allow unicode escapes inside a name. */
const escaping: ReadonlySet<string> = new Set(['typescript', 'javascript', 'java', 'csharp', 'c', 'cpp']);
const escapedRun =
  /(?:[\p{ID_Start}$_]|\\u+[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8})(?:[\p{ID_Continue}$\u200c\u200d]|\\u+[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8})*/gu;

export function normaliseIdentifier(text: string, language: string): string {
  switch (language) {
    case 'python':
      return isAscii(text) ? text : text.normalize('NFKC');
    case 'rust':
      return nfc(text.startsWith('r#') ? text.slice(2) : text);
    case 'csharp':
      return withoutFormatting(decodeEscapes(text.startsWith('@') ? text.slice(1) : text));
    case 'typescript':
    case 'javascript':
    case 'java':
    case 'c':
    case 'cpp':
      return decodeEscapes(text);
    case 'php':
      return text.startsWith('$') ? text.slice(1) : text;
    case 'ruby':
      return text.replace(/^(?:@@|[@$:])/, '').replace(/[?!=:]$/, '');
    default:
      return text;
  }
}

/** `\u{1d4d0}` of JavaScript, `\u00e9` of most, `\uu00e9` of Java, `\U000000e9` of C. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\u\{([0-9a-fA-F]{1,6})\}|\\u+([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
    (whole, braced?: string, short?: string, long?: string) => {
      const point = Number.parseInt(braced ?? short ?? long ?? '', 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** C# compares names in form C and leaves formatting characters out. */
function withoutFormatting(text: string): string {
  return isAscii(text) ? text : text.replace(/\p{Cf}/gu, '').normalize('NFC');
}

function nfc(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
