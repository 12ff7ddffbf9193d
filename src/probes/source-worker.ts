/**
 * The thread that parses source files for probes, and the table of what it can extract. It says `ready` once, then answers the requests of a message one after the other; it reads no file and holds no state but
 * loaded grammars. A wasm trap is not caught: the module may be damaged, so the thread dies and the pool starts another.
 */

import { parentPort } from 'node:worker_threads';
import { assert } from '../kernel/base/assert.ts';
import { releaseMemory } from '../kernel/base/processes.ts';
import type { GrammarName } from '../languages/languages.ts';
import { forgetOxcInstance } from '../languages/parsing/oxc-parser.ts';
import { type ParsedSource, startRuntime, withParsedSource } from '../languages/parsing/parse-source.ts';
import { scanBuiltIn, startBuiltInScan } from './ast-grep/built-in-scan.ts';
import { extractTlsOptions } from './certificate/tls-options.ts';
import { extractInvariantHints } from './invariant-hints/source-hints.ts';
import { extractReflection } from './node-reflection/reflective-code.ts';
import { extractTyping } from './scip-index/source-typing.ts';
import { extractHttpClients } from './service-contracts/http-clients.ts';
import { extractDefinitions } from './test-coverage-mapping/source-definitions.ts';
import { extractTestCases } from './test-inventory/test-cases.ts';
import { extractImports } from './tree-sitter-import-graph/source-imports.ts';

/** An extractor is a pure function from a parsed file to plain facts, which cross a thread border. A new one is a file and a line here. */
const extractors = {
  'test-cases': extractTestCases,
  'http-clients': extractHttpClients,
  definitions: extractDefinitions,
  imports: extractImports,
  'invariant-hints': extractInvariantHints,
  reflection: extractReflection,
  'tls-options': extractTlsOptions,
  typing: extractTyping,
  'ast-grep': scanBuiltIn,
} as const satisfies Record<string, (source: ParsedSource) => unknown>;

export type ExtractorName = keyof typeof extractors;
export type Facts = { readonly [K in ExtractorName]: ReturnType<(typeof extractors)[K]> };

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

const restAfterMs = 1_000;

const port = parentPort;
assert(port !== null, 'source-worker runs as a worker thread');
let resting: NodeJS.Timeout | undefined;
port.on('message', async (requests: readonly WorkerRequest[]) => {
  clearTimeout(resting);
  for (const request of requests) port.postMessage(await answer(request));
  resting = setTimeout(rest, restAfterMs).unref();
});
await startRuntime();
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);

/** A gather may go on for long without a file to parse, while a compiler needs the memory. */
function rest(): void {
  forgetOxcInstance();
  releaseMemory();
}

async function answer({ id, grammar, bytes, extract }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    if (extract.includes('ast-grep')) await startBuiltInScan(grammar);
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
