/**
 * The thread that parses. It says `ready` once, then answers one request at a time; it reads no file and holds no state but
 * loaded grammars. A wasm trap is not caught: the module may be damaged, so the thread dies and the pool starts another.
 */

import { parentPort } from 'node:worker_threads';
import { assert } from '../../kernel/base/assert.ts';
import { type ExtractorName, extractors } from './extractors.ts';
import { type GrammarName, startRuntime } from './grammars.ts';
import { withParsedSource } from './parse-source.ts';

export type WorkerRequest = {
  readonly id: number;
  readonly grammar: GrammarName;
  readonly bytes: Uint8Array;
  readonly extract: readonly ExtractorName[];
};
export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'extracted'; readonly id: number; readonly facts: object; readonly hasErrors: boolean }
  | { readonly kind: 'threw'; readonly id: number; readonly message: string };

const port = parentPort;
assert(port !== null, 'parse-worker runs as a worker thread');
port.on('message', async (request: WorkerRequest) => port.postMessage(await answer(request)));
await startRuntime();
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);

async function answer({ id, grammar, bytes, extract }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    return await withParsedSource(grammar, bytes, (source) => ({
      kind: 'extracted',
      id,
      facts: Object.fromEntries(extract.map((name) => [name, extractors[name](source)])),
      hasErrors: source.hasErrors,
    }));
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') throw error;
    return { kind: 'threw', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
