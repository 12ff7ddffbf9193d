/** The whole of a project, indexed by ours and by scip-typescript in turns, each as the refresh starts it. */

import { indexWith } from '../../scripts/parity/index-with.ts';
import type { IndexerAdapter } from '../../src/languages/indexers/indexer-adapter.ts';
import { scipTypescript, tsgo } from '../../src/languages/typescript/typescript-indexer.ts';
import { createTable, mb, median, ms } from '../figures.ts';
import { listSources } from '../semantic/projects.ts';

type FullRun = { readonly ms: number; readonly peakMb: number; readonly says: string };

/** Gives the times of the peer, which the other parts are compared with. */
export async function benchFullIndex(name: string, root: string, pairs: number): Promise<readonly number[]> {
  const [ours, peer]: [FullRun[], FullRun[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    ours.push(await runWhole(tsgo, root));
    peer.push(await runWhole(scipTypescript, root));
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

function runWhole(adapter: IndexerAdapter, root: string): Promise<FullRun> {
  const tree = { root, configPath: 'tsconfig.json', members: [...listSources(root)].sort() };
  return indexWith(adapter, tree, null, (run) => {
    if (run.kind !== 'output') throw new Error(run.kind === 'failed' ? run.detail : run.kind);
    return { ms: run.ms, peakMb: run.peakMb, says: run.log.split('\n').at(-1) ?? '' };
  });
}
