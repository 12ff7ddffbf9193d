/**
 * Text for people. What comes from a repository or a tool is hostile until it has passed here; counted nouns and "did you mean" for
 * every message of the program.
 */

// C0 without tab and newline, DEL, C1, and the bidi and zero-width controls that can reorder or hide what a person reads.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const hiding = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Drops control and bidi characters; keeps tabs and newlines. */
export function stripControls(text: string): string {
  return text.replace(unprintable, '');
}

/** Characters that reorder or hide what a reader sees, as escapes. In JSON they stand in strings alone, and read back the same. */
export function showHidden(text: string): string {
  return text.replace(hiding, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One printable line: controls dropped, line ends and tabs as single spaces. */
export function singleLine(text: string): string {
  return stripControls(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));
}

/** At most `limit` UTF-16 units, never half a surrogate pair; `…` marks the cut and counts. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/**
 * Repository text as one line that fits a slice. Only its beginning is looked at: a YAML alias can repeat one long text many
 * times, and each mention must be cheap.
 */
export function shortLine(text: string, limit = 500): string {
  return truncate(singleLine(text.slice(0, limit * 4)).trim(), limit);
}

/** UTF-8 that never fails: a BOM is dropped, invalid bytes become U+FFFD. */
export function decodeLenient(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: false }).decode(bytes);
}

/** As programs that read source code do: UTF-16 where a byte order mark says so, else UTF-8. */
export function decodePlain(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeLenient(bytes);
}

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Text from the repository on one line: hostile until it passes here. */
export function shown(text: string, limit = 500): string {
  return truncate(singleLine(text), limit);
}

/** A path as one word that says which file is meant: in quotes, with escapes, where blanks or nothing would stand for what is in its name. */
export function quotedPath(path: string): string {
  return truncate(singleLine(path) === path ? path : showHidden(JSON.stringify(path)), 500);
}

/** The nearest known name to a mistyped one. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(given.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Names that hold the given text come first, then the nearest by spelling. */
export function listNearest(given: string, known: readonly string[], limit: number): string[] {
  const wanted = given.toLowerCase();
  const scored = known.map((name) => {
    const lower = name.toLowerCase();
    return { name, score: lower.includes(wanted) ? lower.length - wanted.length : 1000 + editDistance(wanted, lower) };
  });
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.name);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[b.length] as number;
}

/** A letter, a digit or `_`, as a code unit. */
export function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

/** The second half of a surrogate pair: no place to cut. */
export function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
