/**
 * Answers at texts that are not on disk (decision 0041): an editor's unsaved buffers, planned and proven as if they were saved. The tree's own
 * index must not learn of them, so that a thread with a copy of it answers; where there is no copy to be had it reads the tree anew. It starts with
 * the first request, rests after a while, and nothing of it is left when this process has ended in peace; what a killed one left, the
 * next removes.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { copyFacts } from '../../index/store/facts-file.ts';
import { copyKey } from '../../index/store/ledger/state-key.ts';
import { identityOf } from '../../index/sync/index-session.ts';
import type { OwnDirs } from '../../kernel/base/own-dirs.ts';
import { processStart } from '../../kernel/base/processes.ts';
import type { UnsavedTexts } from '../../kernel/tree/unsaved-texts.ts';
import type { Edit } from '../../mutate/plans/plan.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import type { Changed } from '../changes/run-change.ts';
import type { Operation } from '../operations/operation.ts';
import { readSessionSettings } from '../workspace/local-workspace.ts';
import type { AskOutcome, ConfigInvalid, LocalSettings } from '../workspace/workspace.ts';
import type { UnsavedAnswer, UnsavedMessage, UnsavedRequest, UnsavedWorld } from './unsaved-worker.ts';

type UnsavedCall = {
  readonly texts: UnsavedTexts;
  readonly signal: AbortSignal;
  readonly onStep?: ((says: string) => void) | undefined;
};

type UnsavedChange<O> =
  | { readonly kind: 'answered'; readonly answer: Changed<O>; readonly handed: readonly Edit[] }
  | Exclude<AskOutcome<never>, { kind: 'answered' }>;

export type UnsavedAnswers = {
  ask<I, O extends object>(operation: Operation<I, O>, input: unknown, call: UnsavedCall): Promise<AskOutcome<O>>;
  /** A commit writes nothing: its edits are `handed`. */
  change<I, O extends AnyAnswer>(change: Change<I, O>, input: unknown, call: UnsavedCall): Promise<UnsavedChange<O>>;
  close(): Promise<void>;
};

const restAfterMs = 10 * 60_000;

type Open = {
  readonly resolve: (answer: Extract<UnsavedAnswer, { outcome: unknown }>) => void;
  readonly reject: (error: unknown) => void;
  readonly onStep: ((says: string) => void) | undefined;
};

export function openUnsavedAnswers(settings: LocalSettings): UnsavedAnswers {
  const open = new Map<number, Open>();
  let thread: Promise<Worker | ConfigInvalid> | undefined;
  let left: string | undefined;
  let resting: NodeJS.Timeout | undefined;
  let count = 0;

  const start = async (): Promise<Worker | ConfigInvalid> => {
    const ready = await readSessionSettings(settings, () => {});
    if (ready.kind === 'config_invalid') return ready;
    const { stateDir, cacheDir } = ready.settings;
    const home = join(cacheDir, 'unsaved');
    removeLeft(home);
    left = join(home, `${process.pid}-${processStart(process.pid)}-${randomBytes(4).toString('hex')}`);
    const dirs: OwnDirs = { stateDir: join(left, 'state'), cacheDir: join(left, 'cache') };
    for (const directory of [home, left, dirs.stateDir, dirs.cacheDir])
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Secrets are hashed under the key of the tree: rows of another key would have to be made anew.
    if (copyKey(stateDir, dirs.stateDir)) await copyFacts(identityOf(ready.settings), dirs.cacheDir);
    const { root, isGit, environment, cliVersion } = settings;
    const data: UnsavedWorld = { root, isGit, home: settings.home, environment, cliVersion, dirs };
    const worker = new Worker(workerUrl, { workerData: data });
    worker.unref();
    worker.on('message', (answer: UnsavedAnswer) => {
      const call = open.get(answer.id);
      if ('step' in answer) call?.onStep?.(answer.step);
      else if ('thrown' in answer) call?.reject(new Error(answer.thrown));
      else call?.resolve(answer);
    });
    const gone = (why: unknown) => {
      thread = undefined;
      for (const { reject } of open.values()) reject(why);
    };
    worker.once('error', gone);
    worker.once('exit', () => gone(new Error('the thread that answers at unsaved text ended')));
    return worker;
  };

  const send = async (request: Pick<UnsavedRequest, 'method' | 'name' | 'input'>, call: UnsavedCall) => {
    call.signal.throwIfAborted();
    clearTimeout(resting);
    thread ??= start();
    const worker = await thread.catch((error: unknown) => {
      thread = undefined;
      throw error;
    });
    if (!(worker instanceof Worker)) {
      thread = undefined;
      return worker;
    }
    count += 1;
    const id = count;
    const texts = [...call.texts];
    const cancel = () => worker.postMessage({ cancel: id } satisfies UnsavedMessage);
    try {
      return await new Promise<Extract<UnsavedAnswer, { outcome: unknown }>>((resolve, reject) => {
        open.set(id, { resolve, reject, onStep: call.onStep });
        worker.ref();
        worker.postMessage({ id, texts, ...request } satisfies UnsavedMessage);
        if (call.signal.aborted) cancel();
        call.signal.addEventListener('abort', cancel, { once: true });
      });
    } finally {
      call.signal.removeEventListener('abort', cancel);
      open.delete(id);
      if (open.size === 0) {
        worker.unref();
        clearTimeout(resting);
        resting = setTimeout(() => void close(), restAfterMs);
        resting.unref();
      }
    }
  };

  const close = async () => {
    clearTimeout(resting);
    const worker = await thread?.catch(() => undefined);
    thread = undefined;
    if (worker instanceof Worker) {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      worker.postMessage('end' satisfies UnsavedMessage);
      await ended;
    }
    if (left !== undefined) rmSync(left, { recursive: true, force: true });
    left = undefined;
  };

  return {
    async ask<I, O extends object>(operation: Operation<I, O>, input: unknown, call: UnsavedCall) {
      const answer = await send({ method: 'ask', name: operation.name, input }, call);
      return 'outcome' in answer ? (answer.outcome as AskOutcome<O>) : answer;
    },
    async change<I, O extends AnyAnswer>(change: Change<I, O>, input: unknown, call: UnsavedCall) {
      const answer = await send({ method: 'change', name: change.name, input }, call);
      if (!('outcome' in answer)) return answer;
      const outcome = answer.outcome as Omit<UnsavedChange<O>, 'handed'> & { kind: string };
      return { ...outcome, handed: answer.handed } as UnsavedChange<O>;
    },
    close,
  };
}

/** Of processes that were killed. */
function removeLeft(home: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(home);
  } catch {
    return; // There never was one.
  }
  for (const name of names) {
    const [, pid, started] = /^(\d+)-([^-]*)-[0-9a-f]+$/.exec(name) ?? [];
    if (pid !== undefined && processStart(Number(pid)) === started) continue;
    rmSync(join(home, name), { recursive: true, force: true });
  }
}

// The published form has its entries beside each other.
const workerUrl = new URL(`./unsaved-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
