/**
 * The thread that answers at texts which are not on disk: a workspace like the local one, of a store of its own, in which they stand in for
 * their files. One request after the other, because all of a thread sees the same texts. It never writes to the tree: a commit makes its
 * checks and hands its edits over.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../kernel/base/assert.ts';
import type { OwnDirs } from '../../kernel/base/own-dirs.ts';
import { setUnsavedTexts } from '../../kernel/tree/unsaved-texts.ts';
import type { Edit } from '../../mutate/plans/plan.ts';
import { changes } from '../changes/changes.gen.ts';
import { createLocalFactory } from '../mcp/workspace-factory.ts';
import { operations } from '../operations/operations.gen.ts';
import type { LocalSettings, Workspace } from '../workspace/workspace.ts';

export type UnsavedWorld = Pick<LocalSettings, 'root' | 'isGit' | 'home' | 'environment' | 'cliVersion'> & {
  readonly dirs: OwnDirs;
};
export type UnsavedRequest = {
  readonly id: number;
  /** By path from the root. */
  readonly texts: readonly (readonly [path: string, bytes: Uint8Array])[];
  readonly method: 'ask' | 'change';
  /** Of the operation or the change. */
  readonly name: string;
  readonly input: unknown;
};
export type UnsavedMessage = UnsavedRequest | { readonly cancel: number } | 'end';
export type UnsavedAnswer =
  | { readonly id: number; readonly step: string }
  | { readonly id: number; readonly outcome: unknown; readonly handed: readonly Edit[] }
  /** What a request threw: stopped, or a bug of ours. */
  | { readonly id: number; readonly thrown: string };

const waitMs = 60_000;

const port = parentPort;
assert(port !== null, 'unsaved-worker runs as a worker thread');
const world = workerData as UnsavedWorld;
const ending = new AbortController();
const calls = new Map<number, AbortController>();
let handed: readonly Edit[] = [];
const factory = createLocalFactory({
  ...world,
  nowMs: Date.now,
  signal: ending.signal,
  apart: {
    dirs: world.dirs,
    handOver: (edits) => {
      handed = edits;
    },
  },
});
let turn: Promise<void> = Promise.resolve();

port.on('message', (message: UnsavedMessage) => {
  if (message === 'end') {
    ending.abort(new Error('the editor is gone'));
    void turn.then(() => factory.close()).then(() => port.close());
  } else if ('cancel' in message) calls.get(message.cancel)?.abort(new Error('cancelled'));
  else {
    calls.set(message.id, new AbortController());
    turn = turn.then(() => answer(message));
  }
});

async function answer(request: UnsavedRequest): Promise<void> {
  const { id } = request;
  const signal = calls.get(id)?.signal ?? ending.signal;
  const say = (message: UnsavedAnswer) => port?.postMessage(message);
  try {
    signal.throwIfAborted();
    ending.signal.throwIfAborted();
    setUnsavedTexts(world.root, new Map(request.texts.map(([path, bytes]) => [path, Buffer.from(bytes)])));
    handed = [];
    const outcome = await ask(await factory.open(signal), request, (step) => say({ id, step }));
    say({ id, outcome, handed });
  } catch (error) {
    say({ id, thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    calls.delete(id);
  }
}

async function ask(
  workspace: Workspace,
  { method, name, input }: UnsavedRequest,
  onStep: (says: string) => void,
): Promise<unknown> {
  const options = { onProgress: () => {}, waitMs };
  if (method === 'ask') {
    const operation = operations.find((one) => one.name === name);
    assert(operation !== undefined, `there is no operation ${name}`);
    // Indexers read the disk: what they said of its bytes serves, and a run of theirs could not say more of these.
    const given = operation.asksCompiler === undefined ? input : { ...(input as object), as_indexed: true };
    return workspace.ask(operation as never, given, options);
  }
  const change = changes.find((one) => one.name === name);
  assert(change !== undefined, `there is no change ${name}`);
  const outcome = await workspace.change(change as never, input, { ...options, onStep });
  // A function does not leave the thread; who asked has the texts.
  return outcome.kind === 'answered' ? { kind: outcome.kind, answer: outcome.answer } : outcome;
}
