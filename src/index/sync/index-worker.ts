/**
 * The thread that reads and describes files. It gets paths, reads each once, and answers in the order it was asked; it holds no state
 * but loaded grammars and never touches the store. A wasm trap is not caught: the module may be damaged, so the thread dies and the
 * pool starts another.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import {
  createDirectoryGuard,
  type DirectoryGuard,
  hashSource,
  readSource,
  unsavedStat,
} from '../../kernel/tree/safe-read.ts';
import { startRuntime } from '../../languages/parsing/parse-source.ts';
import { hasIndexer } from '../../languages/projects/context-spec.ts';
import type { SkipReason, StatSignature } from '../store/file-rows.ts';
import { describeFile } from '../text/describe-file.ts';
import { type FileIdentity, skippedRecord } from '../text/file-record.ts';
import { type PackedRecord, packRecord } from './pack-record.ts';

export type DescribeRequest = {
  readonly identity: FileIdentity;
  /** The hash in the store: equal bytes are not described again. */
  readonly knownHash: string | null;
  readonly parse: 'full' | 'none';
  /** What stands in for the file (`kernel/tree/unsaved-texts.ts`). */
  readonly unsaved?: Uint8Array | undefined;
};
/** Whose files: threads serve any tree, because starting one costs more than most saves. */
export type DescribedTree = {
  readonly root: string;
  /** Of the keyed hashes in the place of secrets. */
  readonly key: Uint8Array;
};
type WorkerBatch = DescribedTree & {
  /** Another number means another look at the directories. */
  readonly epoch: number;
  readonly requests: readonly DescribeRequest[];
};
/** `end`: the thread ends by itself when it has answered what it was asked before. */
export type WorkerMessage = WorkerBatch | 'end';

export type DescribeAnswer =
  | { readonly kind: 'described'; readonly packed: PackedRecord }
  | { readonly kind: 'same'; readonly stat: StatSignature; readonly hashedUs: number }
  /** Not a regular file any more, or its folder is no real folder: what is there now is for the listing to say. */
  | { readonly kind: 'gone' };
export type FileAnswer = DescribeAnswer | { readonly kind: 'threw'; readonly message: string };
/** One message per batch: waking the other thread costs more than describing a small file. */
export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly answers: readonly FileAnswer[] };

const port = parentPort;
assert(port !== null, 'index-worker runs as a worker thread');
const { progress } = workerData as {
  /** Files begun since the thread started: the pool reads here which one takes too long. */
  readonly progress: Int32Array;
};
let guard: { readonly epoch: number; readonly directories: DirectoryGuard } | undefined;
const waiting: WorkerBatch[] = [];
let busy = false;

port.on('message', (message: WorkerMessage) => {
  if (message === 'end') {
    port.close();
    return;
  }
  waiting.push(message);
  if (!busy) void work();
});
await startRuntime();
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);

async function work(): Promise<void> {
  busy = true;
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    if (guard?.epoch !== batch.epoch) guard = { epoch: batch.epoch, directories: createDirectoryGuard(batch.root) };
    const answers: FileAnswer[] = [];
    const moved: ArrayBuffer[] = [];
    for (const request of batch.requests) {
      Atomics.add(progress, 0, 1);
      const answer = await answerFor(request, batch, guard.directories);
      answers.push(answer);
      if (answer.kind === 'described' && answer.packed.numbers !== null)
        moved.push(answer.packed.numbers.buffer as ArrayBuffer);
    }
    port?.postMessage({ kind: 'batch', answers } satisfies WorkerAnswer, moved);
  }
  busy = false;
}

async function answerFor(
  request: DescribeRequest,
  { root, key }: DescribedTree,
  directories: DirectoryGuard,
): Promise<FileAnswer> {
  try {
    const { identity } = request;
    const hashedUs = Date.now() * 1000;
    const read = readRequested(request, root, directories);
    if (read.kind === 'absent') return { kind: 'gone' };
    const skipped = (
      reason: SkipReason,
      stat: StatSignature | null,
      contentHash: string | null = null,
    ): FileAnswer => ({
      kind: 'described',
      packed: packRecord(
        skippedRecord(identity, reason, { stat, hashedUs: contentHash === null ? null : hashedUs, contentHash }),
      ),
    });
    if (read.kind === 'too_large') {
      const isSource = request.unsaved === undefined && hasIndexer(identity.language);
      const hashed = isSource ? hashSource(root, identity.path, textLimits.hashedBytes, directories) : undefined;
      if (hashed === undefined) return skipped('large', read.stat);
      if (hashed.hash === request.knownHash) return { kind: 'same', stat: hashed.stat, hashedUs };
      return skipped('large', hashed.stat, hashed.hash);
    }
    if (read.kind === 'unreadable') return skipped('unreadable', null);
    const hash = blake3Hex(read.bytes);
    if (hash === request.knownHash) return { kind: 'same', stat: read.stat, hashedUs };
    const bytes = { bytes: read.bytes, stat: read.stat, hashedUs };
    const record = await describeFile(identity, bytes, { key: Buffer.from(key), hash, parse: request.parse });
    return { kind: 'described', packed: packRecord(record) };
  } catch (error) {
    // A trap of the parser leaves its memory in doubt: the thread goes down with it.
    if (error instanceof Error && error.name === 'RuntimeError') throw error;
    return { kind: 'threw', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function readRequested(
  { identity, unsaved }: DescribeRequest,
  root: string,
  directories: DirectoryGuard,
): ReturnType<typeof readSource> {
  if (unsaved === undefined) return readSource(root, identity.path, textLimits.textBytes, directories);
  const bytes = Buffer.from(unsaved);
  const stat = unsavedStat(bytes);
  return bytes.length > textLimits.textBytes ? { kind: 'too_large', stat } : { kind: 'read', bytes, stat };
}
