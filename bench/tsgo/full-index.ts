/** The whole of a project, indexed by ours and by scip-typescript in turns, each as the refresh starts it. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexerAdapter } from '../../src/index/semantic/indexers/adapter.ts';
import { probeIndexer } from '../../src/index/semantic/indexers/probe-indexer.ts';
import { runIndexer } from '../../src/index/semantic/indexers/run-indexer.ts';
import { scipTypescript } from '../../src/index/semantic/indexers/scip-typescript.ts';
import { tsgo } from '../../src/index/semantic/indexers/tsgo.ts';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { createTable, mb, median, ms } from '../semantic/figures.ts';
import { listSources } from '../semantic/projects.ts';

export type FullRun = { readonly ms: number; readonly peakMb: number; readonly says: string };

/** Gives the times of the peer, which the other parts are compared with. */
export async function benchFullIndex(
  name: string,
  root: string,
  scratch: string,
  pairs: number,
): Promise<readonly number[]> {
  const [ours, peer]: [FullRun[], FullRun[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    ours.push(await runWhole(tsgo, root, scratch));
    peer.push(await runWhole(scipTypescript, root, scratch));
  }
  const times = (runs: readonly FullRun[]) => runs.map((run) => run.ms);
  const sizes = (runs: readonly FullRun[]) => runs.map((run) => run.peakMb);
  const table = createTable(`${name}: everything, ${pairs} pairs`);
  const ratio = median(times(ours)) / median(times(peer));
  table.add({
    measure: 'full index',
    ours: ms(times(ours)),
    peer: `scip-typescript ${ms(times(peer))}`,
    ratio,
    target: { says: '≤ ¼ of the time', value: ratio, most: 0.25 },
  });
  const share = median(sizes(ours)) / median(sizes(peer));
  table.add({
    measure: '… peak memory with all it starts',
    ours: mb(sizes(ours)),
    peer: mb(sizes(peer)),
    ratio: share,
    target: { says: '≤ 60 %', value: share, most: 0.6 },
  });
  console.log(`\n${ours.at(-1)?.says}`);
  return times(peer);
}

async function runWhole(adapter: IndexerAdapter, root: string, scratch: string): Promise<FullRun> {
  const jobDir = join(scratch, 'job');
  rmSync(jobDir, { recursive: true, force: true });
  mkdirSync(jobDir, { mode: 0o700 });
  const environment = process.env;
  const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
  const { signal } = new AbortController();
  const exec = host.bind({ name: 'bench', signal, workspace: jobDir });
  const probe = await probeIndexer(adapter, { host, exec, repoRoot: root, environment, contextRoot: root });
  const members = [...listSources(root)].sort();
  const context = {
    key: 'bench',
    family: 'typescript',
    root: '',
    configPath: 'tsconfig.json',
    config: {},
    members,
  } as const;
  const run = await runIndexer(adapter, context, { exec, repoRoot: root, jobDir, maxFileMb: 4, probe, signal });
  rmSync(jobDir, { recursive: true, force: true });
  if (run.kind !== 'output') throw new Error(run.kind === 'failed' ? run.detail : run.kind);
  return { ms: run.ms, peakMb: run.peakMb, says: run.log.split('\n').at(-1) ?? '' };
}
