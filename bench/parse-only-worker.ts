/** The peer of a cold index: read, decode and parse, and nothing else. */

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { withParsedSource } from '../src/languages/parsing/parse-source.ts';

const { files } = workerData as { readonly files: readonly string[] };
for (const file of files) {
  await withParsedSource(file.endsWith('.tsx') ? 'tsx' : 'typescript', readFileSync(file, 'utf8'), () => undefined);
}
parentPort?.postMessage('done');
