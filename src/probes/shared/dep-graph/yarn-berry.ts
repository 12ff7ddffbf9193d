/** yarn 2 and later: the lock lists development dependencies of workspaces among the others, so the manifests tell them apart. */

import { parseYarnBerryLock } from '../../../kernel/formats/lockfiles/yarn-berry-lock.ts';
import { readParsed } from '../read.ts';
import { graphOfNodeLock } from './node-graph.ts';
import { lockLimits, malformedLock, type Strategy } from './strategy.ts';

export const readGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) =>
    parseYarnBerryLock(bytes, lockLimits),
  );
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: true }) };
};
