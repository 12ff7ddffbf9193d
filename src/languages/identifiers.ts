/**
 * An identifier as its language compares it (code-plane.md §3.2): two spellings of one name give one text.
 * The identifier set, the token spans and the bindings all use this, so that a lookup in one finds the others.
 */

import type { NameSpelling } from './language.ts';
import { findLanguage } from './languages.ts';

/** Every run of identifier characters in a text, in order, normalised. */
export function listIdentifierRuns(text: string, language: string): { name: string; start: number; end: number }[] {
  const runs: { name: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(spellingOf(language).escapes === true ? escapedRun : plainRun)) {
    const start = match.index;
    runs.push({ name: normaliseIdentifier(match[0], language), start, end: start + match[0].length });
  }
  return runs;
}

const plainRun = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;
/** Some languages allow unicode escapes inside a name. */
const escapedRun =
  /(?:[\p{ID_Start}$_]|\\u+[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8})(?:[\p{ID_Continue}$\u200c\u200d]|\\u+[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8})*/gu;

export function normaliseIdentifier(text: string, language: string): string {
  const { prefix, suffix, escapes, ignoresFormatting, form } = spellingOf(language);
  let name = text;
  if (prefix !== undefined) name = name.replace(prefix, '');
  if (suffix !== undefined) name = name.replace(suffix, '');
  if (escapes === true) name = decodeEscapes(name);
  if (form === undefined || isAscii(name)) return name;
  return (ignoresFormatting === true ? name.replace(/\p{Cf}/gu, '') : name).normalize(form);
}

type Compared = Omit<NameSpelling, 'shape'>;

const plain: Compared = {};

function spellingOf(language: string): Compared {
  return findLanguage(language)?.names ?? plain;
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

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
