/** bun: bun.lock, the text form. The binary form cannot be read without bun. */

import { parseBunLock } from '../../../kernel/formats/lockfiles/bun-lock.ts';
import { readParsed } from '../read.ts';
import { graphOfNodeLock } from './node-graph.ts';
import { lockLimits, malformedLock, type Strategy } from './strategy.ts';

export const readGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseBunLock(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: false }) };
};
