/**
 * User-supplied regexes, each search bounded in time (gather.md §6): a search that overruns takes its thread with it, never
 * the gather. An overrun is tried once more on a fresh thread, because a busy machine must not decide what a rule says.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { limits } from '../../kernel/base/limits.ts';
import type { RegexAnswer, RegexQuestion } from './regex-worker.ts';

export type UserRegex = { readonly source: string; readonly flags: string };

export type RegexSearch =
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

export function createRegexRunner(signal: AbortSignal, timeoutMs: number = limits.userRegexMs): RegexRunner {
  let worker: Promise<Worker> | undefined;
  let asked = 0;

  const stop = async () => {
    const running = worker;
    worker = undefined;
    await (await running)?.terminate();
  };

  const attempt = async (regex: UserRegex, text: string): Promise<RegexSearch> => {
    signal.throwIfAborted();
    worker ??= startWorker();
    asked += 1;
    const answer = await askWorker(await worker, { id: asked, ...regex, text }, timeoutMs);
    if (answer !== undefined) return answer.at < 0 ? { kind: 'not_found' } : { kind: 'found', at: answer.at };
    await stop();
    return { kind: 'timed_out' };
  };

  return {
    async search(regex, text) {
      let outcome: RegexSearch = { kind: 'timed_out' };
      for (let n = 0; n < ATTEMPTS && outcome.kind === 'timed_out'; n += 1) outcome = await attempt(regex, text);
      return outcome;
    },
    close: stop,
  };
}

/** Resolves when the thread is ready, so that its start is not counted against the first search. */
async function startWorker(): Promise<Worker> {
  // A built package has `.js` here; both live beside this file.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./regex-worker.${extension}`, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  await once(worker, 'message');
  // A thread that is being ended may still die of its question; nobody is asking any more.
  worker.on('error', () => {});
  return worker;
}

/** Undefined when there was no answer in time, or the thread died of the question. */
function askWorker(worker: Worker, question: RegexQuestion, timeoutMs: number): Promise<RegexAnswer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: RegexAnswer | undefined) => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('error', giveUp);
      resolve(answer);
    };
    const giveUp = () => settle(undefined);
    // An answer that arrived while this thread was busy is delivered before the immediate runs: it still counts.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    worker.on('message', settle);
    worker.on('error', giveUp);
    worker.postMessage(question);
  });
}
