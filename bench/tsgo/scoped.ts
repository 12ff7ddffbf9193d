/**
 * From the start of a process to committed facts: after an edit of a body, and after one of an exported signature. The command is timed as it
 * is published; where its time goes is measured in the sources. Then what it is for: an edit, and a rename in the next call.
 */

import { createTable, median, ms, type Table } from '../figures.ts';
import { runChild, runProcess } from '../semantic/run-process.ts';
import { afterEdits, type Edit, findEdits } from './edits.ts';
import type { Refreshed } from './refresh-child.ts';
import { benchRenames } from './renames.ts';

const wantedDependents = 50;

export async function benchScoped(
  name: string,
  root: string,
  program: string,
  peerMs: readonly number[],
  rounds: number,
): Promise<void> {
  const index = [program, 'index', '--semantic'];
  await runProcess(process.execPath, index, root);
  const { body, signature } = await findEdits(root, wantedDependents);
  const peer = `scip-typescript ${ms(peerMs)}`;
  const bodyMs = await measure(root, body, rounds, index);
  const bodyTable = createTable(`${name}: an edit in a body of \`${body.path}\`, ${rounds} rounds`);
  const ratio = median(bodyMs) / median(peerMs);
  bodyTable.add({
    measure: '`codegenie index --semantic`, from start to end',
    ours: ms(bodyMs),
    target: { says: '≤ 1.5 s', value: median(bodyMs), most: 1_500 },
  });
  bodyTable.add({
    measure: '… beside a whole run of the peer',
    ours: ms(bodyMs),
    peer,
    ratio,
    target: { says: '≤ 1/20', value: ratio, most: 0.05 },
  });
  await benchRenames(name, root, program, body, Math.min(rounds, 3));

  const signatureMs = await measure(root, signature, rounds, index);
  const table = createTable(
    `${name}: an exported signature of \`${signature.path}\`, ${signature.dependents} dependents, ${rounds} rounds`,
  );
  table.add({
    measure: '`codegenie index --semantic`, from start to end',
    ours: ms(signatureMs),
    peer,
    ratio: median(signatureMs) / median(peerMs),
    target: { says: '≤ 4 s', value: median(signatureMs), most: 4_000 },
  });

  // The sources are another tool than what is built from them: they index everything once.
  await runChild<Refreshed>('../tsgo/refresh-child.ts', { root });
  addPhases(
    createTable(`${name}: where the time goes after an edit in a body, in the sources`),
    await phases(root, body, rounds),
  );
  addPhases(createTable(`${name}: … of an exported signature`), await phases(root, signature, rounds));
}

async function measure(root: string, edit: Edit, rounds: number, command: readonly string[]): Promise<number[]> {
  const runs = await afterEdits(root, edit, rounds, () => runProcess(process.execPath, command, root));
  return runs.map((one) => one.ms);
}

function phases(root: string, edit: Edit, rounds: number): Promise<readonly Refreshed[]> {
  const run = (): Promise<Refreshed> => runChild<Refreshed>('../tsgo/refresh-child.ts', { root });
  return afterEdits(root, edit, rounds, run);
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
