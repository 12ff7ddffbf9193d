/**
 * Regular expressions of users, run where they cannot hurt: in a thread that is ended when its time is up (code-plane.md §9).
 * One thread serves a matcher from its first question to `close` and is started anew only after it had to be ended; a program that
 * answers many searches keeps its matcher.
 */

import { createBoundedThread } from '../../kernel/threads/bounded-thread.ts';
import type { TextMatch, TextPattern } from './find-matches.ts';
import type { RegexFound, RegexTask } from './search-regex-worker.ts';

type RegexOutcome =
  | { readonly kind: 'found'; readonly matches: readonly (readonly TextMatch[])[] }
  | { readonly kind: 'timed_out' };

export interface RegexMatcher {
  /** Matches in the texts, at most `max` together. One question at a time. */
  match(
    pattern: TextPattern,
    texts: readonly { readonly bytes: Uint8Array; readonly from: number }[],
    options: { readonly max: number; readonly timeoutMs: number },
  ): Promise<RegexOutcome>;
  close(): Promise<void>;
}

// A built package has `.js` here; both lie beside this file.
const workerUrl = new URL(`./search-regex-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export function createRegexMatcher(): RegexMatcher {
  const thread = createBoundedThread<RegexTask, RegexFound>(workerUrl, { maxHeapMb: 256 });
  let shared = new SharedArrayBuffer(0);
  return {
    async match(pattern, texts, { max, timeoutMs }) {
      const total = texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (shared.byteLength < total) shared = new SharedArrayBuffer(total * 2);
      const found = await thread.ask({ pattern, shared, texts: layOut(texts, shared), max }, timeoutMs);
      if (found !== undefined) return { kind: 'found', matches: found };
      // The old thread may still read what it was given while it ends.
      shared = new SharedArrayBuffer(0);
      return { kind: 'timed_out' };
    },
    close: () => thread.close(),
  };
}

function layOut(
  texts: readonly { readonly bytes: Uint8Array; readonly from: number }[],
  shared: SharedArrayBuffer,
): RegexTask['texts'] {
  const all = new Uint8Array(shared);
  let start = 0;
  return texts.map(({ bytes, from }) => {
    all.set(bytes, start);
    start += bytes.length;
    return { start: start - bytes.length, length: bytes.length, from };
  });
}
