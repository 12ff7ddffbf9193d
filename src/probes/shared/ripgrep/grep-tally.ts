/**
 * Counts findings as they stream in and keeps the first of them in order of place, so that neither how rg schedules its threads
 * nor how much it finds decides what is kept or how much memory it takes.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';

export type GrepFinding = {
  readonly pattern_id: string;
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
};

export type GrepTally = {
  add(patternId: string, path: string, line: number, text: string): void;
  counts(patternId: string): { readonly matches: number; readonly files: number };
  readonly total: number;
  /** Sorted by path, line, pattern. */
  list(): GrepFinding[];
};

const snippetChars = 200;

export function createGrepTally(keep: number): GrepTally {
  const matches = new Map<string, number>();
  const files = new Map<string, Set<string>>();
  let kept: GrepFinding[] = [];
  let total = 0;
  const trim = (): void => {
    kept = kept.sort(compareFindings).slice(0, keep);
  };
  return {
    add(patternId, path, line, text) {
      total += 1;
      matches.set(patternId, (matches.get(patternId) ?? 0) + 1);
      const seen = files.get(patternId) ?? new Set();
      files.set(patternId, seen.add(path));
      kept.push({ pattern_id: patternId, path, line, snippet: snippetOf(text) });
      if (kept.length >= keep * 2) trim();
    },
    counts: (patternId) => ({ matches: matches.get(patternId) ?? 0, files: files.get(patternId)?.size ?? 0 }),
    get total() {
      return total;
    },
    list() {
      trim();
      return kept;
    },
  };
}

/** Redacted before it is cut: half a secret is not recognised as one. */
function snippetOf(text: string): string {
  return truncate(singleLine(redactString(text, { entropy: true }).text).trim(), snippetChars);
}

function compareFindings(a: GrepFinding, b: GrepFinding): number {
  return compareCodeUnits(a.path, b.path) || a.line - b.line || compareCodeUnits(a.pattern_id, b.pattern_id);
}
