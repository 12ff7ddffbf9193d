/** From the start of a process to committed facts: after an edit of a body, and after one of an exported signature. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTable, median, ms, type Table } from '../semantic/figures.ts';
import { runChild } from '../semantic/run-process.ts';
import { type Edit, findEdits } from './edits.ts';
import type { Refreshed } from './refresh-child.ts';

const wantedDependents = 50;

export async function benchScoped(
  name: string,
  root: string,
  peerMs: readonly number[],
  rounds: number,
): Promise<void> {
  await runChild<Refreshed>('../tsgo/refresh-child.ts', { root });
  const { body, signature } = await findEdits(root, wantedDependents);
  const peer = `scip-typescript ${ms(peerMs)}`;
  const ofBody = await measure(root, body, rounds);
  const bodyTable = createTable(`${name}: an edit in a body of \`${body.path}\`, ${rounds} rounds`);
  const ratio = median(timesOf(ofBody)) / median(peerMs);
  const limit = { says: '≤ 1.5 s', value: median(timesOf(ofBody)), most: 1_500 };
  bodyTable.add({ measure: 'process start to committed facts', ours: ms(timesOf(ofBody)), target: limit });
  bodyTable.add({
    measure: '… beside a whole run of the peer',
    ours: ms(timesOf(ofBody)),
    peer,
    ratio,
    target: { says: '≤ 1/20', value: ratio, most: 0.05 },
  });
  addPhases(bodyTable, ofBody);

  const ofSignature = await measure(root, signature, rounds);
  const table = createTable(
    `${name}: an exported signature of \`${signature.path}\`, ${signature.dependents} dependents, ${rounds} rounds`,
  );
  table.add({
    measure: 'process start to committed facts',
    ours: ms(timesOf(ofSignature)),
    peer,
    ratio: median(timesOf(ofSignature)) / median(peerMs),
    target: { says: '≤ 4 s', value: median(timesOf(ofSignature)), most: 4_000 },
  });
  addPhases(table, ofSignature);
}

const timesOf = (runs: readonly Refreshed[]): readonly number[] => runs.map(({ committedMs }) => committedMs);

async function measure(root: string, edit: Edit, rounds: number): Promise<readonly Refreshed[]> {
  const found: Refreshed[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(join(root, edit.path), edit.textOf(round));
      found.push(await runChild<Refreshed>('../tsgo/refresh-child.ts', { root }));
    }
  } finally {
    writeFileSync(join(root, edit.path), edit.before);
    await runChild<Refreshed>('../tsgo/refresh-child.ts', { root });
  }
  return found;
}

function addPhases(table: Table, runs: readonly Refreshed[]): void {
  const row = (measure: string, of: (run: Refreshed) => number) => table.add({ measure, ours: ms(runs.map(of)) });
  table.add({
    measure: 'files, runs of the indexer',
    ours: `${median(runs.map(({ files }) => files))}, ${median(runs.map((run) => run.runs))}`,
  });
  row('… the index opened and compared with the disk', ({ openedMs }) => openedMs);
  row('… contexts, and what is not clean', ({ openedMs, readyMs }) => readyMs - openedMs);
  row('… load', ({ loadMs }) => loadMs);
  row('… resolve', ({ resolveMs }) => resolveMs);
  row('… encode', ({ encodeMs }) => encodeMs);
  // Of two threads their times are added up, so they may be more than the whole.
  row('… the indexer, with its start and end', ({ indexerMs }) => indexerMs);
  row('… import', ({ importMs }) => importMs);
  row('until the process has ended', ({ endedMs }) => endedMs);
}
