/**
 * Text for people. What comes from a repository or a tool is hostile until it has passed here; counted nouns and "did you mean" for
 * every message of the program.
 */

import { formatCount } from './quantities.ts';

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
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Text from the repository on one line: hostile until it passes here. */
export function shown(text: string, limit = 500): string {
  return truncate(singleLine(text), limit);
}

/** A path as one word that says which file is meant: in quotes, with escapes, where blanks or nothing would stand for what is in its name. */
export function quotedPath(path: string): string {
  return truncate(singleLine(path) === path ? path : showHidden(JSON.stringify(path)), 500);
}

/** The nearest known name to a mistyped one: one that begins with it, or is spelled almost like it. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const most = Math.min(Math.max(2, Math.floor(given.length / 2)), given.length - 1);
  const [nearest] = rank(given, known);
  return nearest !== undefined && nearest.score <= most ? nearest.name : undefined;
}

/** Names that begin with the given text or hold it come first, then the nearest by spelling. */
export function listNearest(given: string, known: readonly string[], limit: number): string[] {
  return rank(given, known)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** `; did you mean ci?`, or nothing where no name is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const nearest = findNearest(given, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

function rank(given: string, known: readonly string[]): readonly { readonly name: string; readonly score: number }[] {
  const wanted = given.toLowerCase();
  // The first letter is the one that is seldom wrong.
  const startsElse = (name: string) => name[0]?.toLowerCase() !== wanted[0];
  return known
    .map((name) => ({ name, score: howFar(wanted, name.toLowerCase()) }))
    .sort(
      (a, b) =>
        a.score - b.score ||
        Number(startsElse(a.name)) - Number(startsElse(b.name)) ||
        a.name.length - b.name.length ||
        (a.name < b.name ? -1 : 1),
    );
}

/** Mistakes between them. Who writes one word of a name with several (`dokcer` of `docker.user`) means it, after one that is whole. */
function howFar(wanted: string, name: string): number {
  if (wanted !== '' && name.startsWith(wanted)) return 0;
  if (wanted.length > 1 && name.includes(wanted)) return 0.25;
  const words = name.split(/[^a-z0-9]+/);
  const ofWords = words.length === 1 ? [] : words.map((word) => mistakes(wanted, word) + 0.5);
  return Math.min(mistakes(wanted, name), ...ofWords);
}

/** Letters to insert, leave out, replace, or swap with their neighbour. */
function mistakes(a: string, b: string): number {
  let [before, previous]: [readonly number[], readonly number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, index) => index),
  ];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] as number) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    [before, previous] = [previous, row];
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
