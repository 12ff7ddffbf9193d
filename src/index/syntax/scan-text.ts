/**
 * One decoded text → what full-text search keeps of it: names, trigrams, and its lines (code-plane.md §1.4, §1.5, §3.2).
 * Secrets must be gone before: `redactForIndex` first, or `scanSource`, which does both and looks at most bytes only once.
 */

import type { Eol } from '../../kernel/repo/content-kind.ts';
import { addTrigrams, dropTrigrams, foldToAscii, takeTrigrams } from '../search/trigrams.ts';
import { hasSigils, joinNames, type RunKey } from './identifier-set.ts';
import { type Redaction, redactSecrets } from './redact-secrets.ts';
import { type ByteScan, scanBytes } from './scan-bytes.ts';
import { screenSecrets } from './secret-screen.ts';

export type ScannedText = {
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
