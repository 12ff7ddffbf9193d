/**
 * User-supplied regexes, each search bounded in time (gather.md §6): a search that overruns takes its thread with it, never
 * the gather. An overrun is tried once more on a fresh thread, because a busy machine must not decide what a rule says.
 */

import { limits } from '../../kernel/base/limits.ts';
import { createBoundedThread } from '../../kernel/threads/bounded-thread.ts';
import type { RegexAnswer, RegexQuestion } from './regex-worker.ts';

export type UserRegex = { readonly source: string; readonly flags: string };

type RegexSearch =
  | { readonly kind: 'found'; readonly at: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'timed_out' };

export interface RegexRunner {
  /** Where the regex first matches in the text. One search at a time. */
  search(regex: UserRegex, text: string): Promise<RegexSearch>;
  close(): Promise<void>;
}

const ATTEMPTS = 2;

/** Multiline; a leading `(?i)`, `(?s)` or both, as other engines write them, become flags. Undefined if it is no regex. */
export function compileUserRegex(pattern: string): UserRegex | undefined {
  const inline = /^\(\?([ims]{1,3})\)/.exec(pattern);
  const source = pattern.slice(inline?.[0].length ?? 0);
  const flags = [...new Set(`m${inline?.[1] ?? ''}`)].join('');
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch {
    return undefined;
  }
}

// A built package has `.js` here; both lie beside this file.
const workerUrl = new URL(`./regex-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export function createRegexRunner(signal: AbortSignal, timeoutMs: number = limits.userRegexMs): RegexRunner {
  const thread = createBoundedThread<RegexQuestion, RegexAnswer>(workerUrl, { maxHeapMb: 64 });
  return {
    async search(regex, text) {
      for (let n = 0; n < ATTEMPTS; n += 1) {
        signal.throwIfAborted();
        const at = await thread.ask({ ...regex, text }, timeoutMs);
        if (at !== undefined) return at < 0 ? { kind: 'not_found' } : { kind: 'found', at };
      }
      return { kind: 'timed_out' };
    },
    close: () => thread.close(),
  };
}
