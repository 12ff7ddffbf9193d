/** `index --semantic` and the import in it, beside the indexer run plainly on the same tree. */

import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forget, stateOf } from '../build-program.ts';
import { createTable, mb, median, ms } from '../figures.ts';
import type { Imported } from './import-child.ts';
import { type ProcessRun, runChild, runProcess } from './run-process.ts';

const clone = fileURLToPath(new URL('../..', import.meta.url));
export const command = join(clone, 'bin/codegenie.mjs');
const indexer = join(clone, 'node_modules/@sourcegraph/scip-typescript/dist/src/main.js');

export type Indexed = {
  /** What the plain run wrote. */
  readonly output: string;
};

/** Leaves the tree with a complete index. */
export async function benchIndexing(name: string, root: string, scratch: string, pairs: number): Promise<Indexed> {
  const output = join(scratch, `${name}.scip`);
  const stateDir = stateOf(root);
  const plain = createSeries();
  const syntactic = createSeries();
  const cold = createSeries();
  const imports: Imported[] = [];
  const index = (...flags: string[]) =>
    runProcess(process.execPath, [command, '-C', root, 'index', '--quiet', ...flags], root);
  for (let round = 0; round < pairs; round += 1) {
    rmSync(stateDir, { recursive: true, force: true });
    rmSync(output, { force: true });
    plain.push(await runIndexer(root, output));
    syntactic.push(await index());
    const apart = join(scratch, 'data');
    renameSync(stateDir, apart);
    cold.push(await index('--semantic'));
    imports.push(await runChild<Imported>('./import-child.ts', { mode: 'import', root, stateDir: apart, output }));
    rmSync(apart, { recursive: true, force: true });
  }
  const imported = imports.map(({ prepareMs, commitMs }) => prepareMs + commitMs);
  const share = median(imported) / median(plain.ms);
  const table = createTable(`${name}: ${(statSync(output).size / 1e6).toFixed(1)} MB of index, ${pairs} pairs`);
  const peer = `scip-typescript ${ms(plain.ms)}`;
  table.add({ measure: 'index, cold, without indexers', ours: ms(syntactic.ms), peer });
  table.add({
    measure: 'index --semantic, cold',
    ours: ms(cold.ms),
    peer,
    ratio: median(cold.ms) / median(plain.ms),
  });
  table.add({
    measure: '… peak memory with all it starts',
    ours: mb(cold.mb),
    peer: mb(plain.mb),
    ratio: median(cold.mb) / median(plain.mb),
  });
  table.add({
    measure: `import of ${imports[0]?.accepted} documents`,
    ours: ms(imported),
    peer,
    ratio: share,
    target: { says: '≤ 15 % of the indexer', value: share, most: 0.15 },
  });
  table.add({ measure: '… of that preparing', ours: ms(imports.map(({ prepareMs }) => prepareMs)) });
  table.add({ measure: '… of that committing', ours: ms(imports.map(({ commitMs }) => commitMs)) });
  table.add({ measure: 'redacted copy of the output, kept', ours: ms(imports.map(({ redactMs }) => redactMs)) });
  table.add({ measure: 'peak memory of the importing process', ours: mb(imports.map(({ rssMb }) => rssMb)) });
  return { output };
}

function createSeries() {
  const [times, sizes]: [number[], number[]] = [[], []];
  return {
    ms: times,
    mb: sizes,
    push(run: ProcessRun) {
      times.push(run.ms);
      sizes.push(run.rssMb);
    },
  };
}

export async function runIndexer(root: string, output: string): Promise<ProcessRun> {
  const args = ['index', '--cwd', root, '--output', output, '--no-progress-bar', '--', root];
  return runProcess(process.execPath, [indexer, ...args], root);
}

/** The syntactic index of a tree in a data directory outside of it. */
export async function indexApart(root: string, stateDir: string): Promise<void> {
  forget(root);
  await runProcess(process.execPath, [command, '-C', root, 'index', '--quiet'], root);
  renameSync(stateOf(root), stateDir);
}
