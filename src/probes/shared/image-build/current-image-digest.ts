/**
 * The image that the engine has now of a repository, for indexes that speak of one (`index.imageDigest`): an image that was built
 * again after the gather shows as drift. Null where no engine answers, or it has none. `containers.engine` must be among the config keys.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { latestImageRef } from '../../../kernel/containers/types.ts';
import { type EngineContext, openEngine } from '../engine/open-engine.ts';

export async function currentImageDigest(repo: ProbeRepo, ctx: EngineContext): Promise<string | null> {
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return null;
  return (await engine.inspectImage(latestImageRef(repo.root)))?.digest ?? null;
}
