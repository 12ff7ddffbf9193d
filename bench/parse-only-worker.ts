/** The peers of a cold index: read, decode and parse, and nothing else. By oxc as its package offers it, natively, with its tree; or by tree-sitter. */

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parseSync } from 'oxc-parser';
import { withGrammarTree } from '../src/languages/parsing/parse-source.ts';

const { files, parser } = workerData as { readonly files: readonly string[]; readonly parser: 'oxc' | 'tree-sitter' };
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  if (parser === 'oxc') void parseSync(file, text).program;
  else await withGrammarTree(file.endsWith('.tsx') ? 'tsx' : 'typescript', text, () => undefined);
}
parentPort?.postMessage('done');
