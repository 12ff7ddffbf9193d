/**
 * Regular expressions of users, run where they cannot hurt: in a thread that is ended when its time is up (code-plane.md §9).
 * One thread serves a matcher from its first question to `close` and is started anew only after it had to be ended; a program that
 * answers many searches keeps its matcher.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
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

export function createRegexMatcher(): RegexMatcher {
  let worker: Promise<Worker> | undefined;
  let asked = 0;
  let shared = new SharedArrayBuffer(0);
  const stop = async () => {
    const running = worker;
    worker = undefined;
    await (await running)?.terminate();
  };
  return {
    async match(pattern, texts, { max, timeoutMs }) {
      worker ??= startWorker();
      asked += 1;
      const total = texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (shared.byteLength < total) shared = new SharedArrayBuffer(total * 2);
      const found = await ask(
        await worker,
        { id: asked, pattern, shared, texts: layOut(texts, shared), max },
        timeoutMs,
      );
      if (found !== undefined) return { kind: 'found', matches: found.matches };
      await stop();
      // The old thread may still read what it was given while it ends.
      shared = new SharedArrayBuffer(0);
      return { kind: 'timed_out' };
    },
    close: stop,
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

/** Resolves when the thread is ready, so that its start is not counted against the first question. */
async function startWorker(): Promise<Worker> {
  // A built package has `.js` here; both live beside this file.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./search-regex-worker.${extension}`, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  await once(worker, 'message');
  // A thread that is being ended may still die of its question; nobody is asking any more. A search never keeps a program alive.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

/** Undefined when there was no answer in time, or the thread died of the question. */
function ask(worker: Worker, task: RegexTask, timeoutMs: number): Promise<RegexFound | undefined> {
  return new Promise((resolve) => {
    const settle = (found: RegexFound | undefined) => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('error', giveUp);
      worker.unref();
      resolve(found);
    };
    const giveUp = () => settle(undefined);
    // An answer that arrived while this thread was busy is delivered before the immediate runs: it still counts.
    const timer = setTimeout(() => setImmediate(giveUp), Math.max(0, timeoutMs));
    worker.on('message', settle);
    worker.on('error', giveUp);
    worker.ref();
    worker.postMessage(task);
  });
}
