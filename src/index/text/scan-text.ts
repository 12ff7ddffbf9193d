/**
 * One decoded text → what full-text search keeps of it: names, trigrams, and its lines (code-plane.md §1.4, §1.5, §3.2).
 * Secrets must be gone before: `redactForIndex` first, or `scanSource`, which does both and looks at most bytes only once.
 */

import { createHmac } from 'node:crypto';
import type { Eol } from '../../kernel/tree/content-kind.ts';
import { normaliseIdentifier } from '../../languages/identifiers.ts';
import { findLanguage } from '../../languages/languages.ts';
import { type Redaction, type RunKey, redactSecrets } from './redact-secrets.ts';
import { type ByteScan, MAX_RUN_CHARS, scanBytes } from './scan-bytes.ts';
import { screenSecrets } from './secret-screen.ts';
import { addTrigrams, dropTrigrams, foldToAscii, takeTrigrams } from './trigrams.ts';

type ScannedText = {
  /** Distinct normalised identifier runs, separated by spaces. */
  readonly names: string;
  /** Distinct encoded trigrams, separated by spaces. */
  readonly trigrams: string;
  /** Lines as people count them: the end of the last one may be missing. */
  readonly lines: number;
  readonly eol: Eol;
  readonly isAscii: boolean;
};

/** `text` is the decoded text of `bytes`; a BOM may be in the bytes and not in the text. */
export function scanText(bytes: Uint8Array, text: string, language: string | null, key: RunKey): ScannedText {
  return describe(scanBytes(bytes, { sigils: hasSigils(language) }), bytes, text, language, key);
}

/** `redactForIndex` and `scanText` in one: the trigrams of the text say which secrets it cannot hold. */
export function scanSource(
  bytes: Uint8Array,
  text: string,
  language: string | null,
  key: RunKey,
): ScannedText & Redaction {
  const scan = scanBytes(bytes, { sigils: hasSigils(language) });
  const redaction = redactSecrets(text, key, screenSecrets(text, bytes));
  if (!redaction.redacted) return { ...describe(scan, bytes, text, language, key), ...redaction };
  dropTrigrams();
  return { ...scanText(Buffer.from(redaction.text), redaction.text, language, key), ...redaction };
}

/** The text with keyed hashes in the place of secrets, as long as before and with the same line ends. */
export function redactForIndex(text: string, key: RunKey): Redaction {
  const bytes = Buffer.from(text);
  addTrigrams(bytes);
  const screen = screenSecrets(text, bytes);
  dropTrigrams();
  return redactSecrets(text, key, screen);
}

function describe(scan: ByteScan, bytes: Uint8Array, text: string, language: string | null, key: RunKey): ScannedText {
  if (scan.hasFoldingToAscii) addTrigrams(Buffer.from(foldToAscii(text)));
  const trigrams = takeTrigrams();
  const endsOpen = bytes.length > 0 && bytes.at(-1) !== 0x0a;
  return {
    names: joinNames(scan, text, language, key),
    trigrams,
    lines: scan.lineFeeds + (endsOpen ? 1 : 0),
    eol: scan.hasLoneReturn || scan.hasSeparator ? 'odd' : eolOf(scan),
    isAscii: scan.isAscii,
  };
}

function eolOf({ lineFeeds, crlf }: ByteScan): Eol {
  if (lineFeeds === 0) return 'none';
  if (crlf === 0) return 'lf';
  return crlf === lineFeeds ? 'crlf' : 'mixed';
}

// The identifier set of a file (code-plane.md §3.2): every run of identifier characters in the whole text, in each spelling under
// which its language would find it. Promise (S5): for every identifier token of the file the set holds its `identifierTerm`.
// And for every whole word of ASCII the word (T13, `index-query.ts`). It may hold more; it is asked which files to look into, and
// the files then say what is there.

/** Distinct normalised runs of the text. `text` is the decoded text of `bytes`. */
export function listIdentifiers(bytes: Uint8Array, text: string, language: string | null, key: RunKey): string[] {
  const scan = scanBytes(bytes, { sigils: hasSigils(language) });
  dropTrigrams();
  const names = joinNames(scan, text, language, key);
  return names === '' ? [] : names.split(' ');
}

/** How a name is written in the set: the word to look up. */
export function identifierTerm(name: string, language: string | null, key: RunKey): string {
  const normalised = language === null ? name : normaliseIdentifier(name, language);
  // A private name of JavaScript: the sign stands before the run.
  return asTerm(normalised.replace(/^#/, ''), key);
}

/** A run that must not be stored as it is, such that equal runs are still found equal. Letters and digits only: one word. */
export function hashRun(key: RunKey, run: string): string {
  return `hash${createHmac('sha256', key).update(run).digest('hex').slice(0, 40)}`;
}

/** Languages that write `$` before a variable's name. Elsewhere it is part of names, and `$name` counts as `name` besides. */
function hasSigils(language: string | null): boolean {
  if (language === 'perl' || language === 'shell') return true;
  return language !== null && findLanguage(language)?.names.sigils === true;
}

/** All names of a scan, separated by spaces. */
function joinNames(scan: ByteScan, text: string, language: string | null, key: RunKey): string {
  const hasEscapes = scan.hasUnicodeEscape && mayEscape(language);
  if (scan.longRuns.length === 0 && scan.wideRuns.size === 0 && !hasEscapes) return scan.names;
  const names = new Set(scan.names === '' ? [] : scan.names.split(' '));
  for (const run of scan.longRuns) names.add(asTerm(run, key));
  for (const run of scan.wideRuns) addRuns(run, language, key, names);
  if (hasEscapes) for (const run of decodedRuns(text)) addRuns(run, language, key, names);
  return [...names].join(' ');
}

const identifierRuns = /[\p{ID_Continue}$\u200c\u200d]+/gu;
/** May be in identifiers, and ends a word in a search for words (`find-matches.ts`). */
const betweenWords = /[$[\p{ID_Continue}--[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]]]/v;

function addRuns(text: string, language: string | null, key: RunKey, names: Set<string>): void {
  for (const [run] of text.matchAll(identifierRuns)) {
    for (const parts of [run.split('$'), run.split(betweenWords)])
      if (parts.length > 1) for (const part of parts) addSpellings(part, language, key, names);
    if (!run.includes('$') || !hasSigils(language)) addSpellings(run, language, key, names);
  }
}

/** As it is written and as compilers compare it: Python by NFKC, C# without format characters, most others by NFC. */
function addSpellings(run: string, language: string | null, key: RunKey, names: Set<string>): void {
  const isCompatible = language !== null && findLanguage(language)?.names.form === 'NFKC';
  const compared = isCompatible ? run.normalize('NFKC') : run.replace(/\p{Cf}/gu, '').normalize('NFC');
  for (const spelling of [run, compared]) {
    for (const [word] of spelling.matchAll(identifierRuns)) if (!/^[0-9]/.test(word)) names.add(asTerm(word, key));
  }
}

function asTerm(run: string, key: RunKey): string {
  return run.length > MAX_RUN_CHARS ? hashRun(key, run) : run;
}

/** Files of unknown languages may hold any. */
function mayEscape(language: string | null): boolean {
  const declared = language === null ? undefined : findLanguage(language);
  return declared === undefined || declared.names.escapes === true;
}

const escapes = /\\u\{[0-9a-fA-F]{1,6}\}|\\u+[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}/g;
const runWithEscapes = /(?:[A-Za-z0-9_$\u0080-\uffff]|\\u\{[0-9a-fA-F]{1,6}\}|\\u+[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})+/y;
const runChar = /[A-Za-z0-9_$\u0080-\uffff]/;

/** Runs with an escape in them, such as `caf\u00e9` of JavaScript, Java, C# and C, decoded. */
function decodedRuns(text: string): Set<string> {
  const decoded = new Set<string>();
  let done = 0;
  for (let at = nextEscape(text, 0); at >= 0; at = nextEscape(text, Math.max(done, at + 1))) {
    let start = at;
    while (start > done && runChar.test(text.charAt(start - 1))) start -= 1;
    runWithEscapes.lastIndex = start;
    const run = runWithEscapes.exec(text)?.[0] ?? '';
    done = start + run.length;
    if (run.includes('\\')) decoded.add(run.replace(escapes, decodeEscape));
  }
  return decoded;
}

function nextEscape(text: string, from: number): number {
  for (let at = text.indexOf('\\', from); at >= 0; at = text.indexOf('\\', at + 1)) {
    const letter = text[at + 1];
    if (letter === 'u' || letter === 'U') return at;
  }
  return -1;
}

function decodeEscape(written: string): string {
  const point = Number.parseInt(written.replace(/^\\[uU]+\{?/, ''), 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : written;
}
