/** pnpm: pnpm-lock.yaml, versions 5, 6 and 9. Importers are the manifests of the repository; ranges inside other packages are not recorded. */

import { parsePnpmLock } from '../../../kernel/formats/lockfiles/pnpm-lock.ts';
import { readParsed } from '../read.ts';
import { graphOfNodeLock } from './node-graph.ts';
import { lockLimits, malformedLock, type Strategy } from './strategy.ts';

export const readGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parsePnpmLock(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: false }) };
};
