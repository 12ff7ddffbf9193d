/** The image that the engine has of a repository now, for freshness checks and for builds that are remembered. */

import type { InputFingerprint, ProbeRepo, Slice } from '../../gather/contract.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { imageRefForDigest, latestImageRef } from '../../kernel/containers/engine.ts';
import { type EngineContext, openEngine } from '../shared/open-engine.ts';
import { unseenSources } from './build-context.ts';
import type { ImageBuildContext } from './gather-image-build.ts';

/**
 * For indexes that speak of an image (`index.imageDigest`): one that was built again after the gather shows as drift. Null where no engine
 * answers, or it has none. `containers.engine` must be among the config keys.
 */
export async function currentImageDigest(repo: ProbeRepo, ctx: EngineContext): Promise<string | null> {
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return null;
  return (await engine.inspectImage(latestImageRef(repo.root)))?.digest ?? null;
}

/**
 * Is the image of a remembered build still there? The tag that says which image is the repository's is moved to it, because another
 * state of the repository may have been built in between. An image that was made of files that cannot be listed is built again.
 */
export async function findAgain(
  digest: string | null,
  ctx: ImageBuildContext,
  sources: readonly string[],
): Promise<boolean> {
  if (digest === null) return false;
  const present = [...ctx.inputSnapshot].filter(({ kind }) => kind !== 'absent');
  if (
    unseenSources(
      sources,
      present.map(({ id }) => id),
    ).length > 0
  )
    return false;
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return false;
  const latest = latestImageRef(rootOf(present));
  if ((await engine.inspectImage(latest))?.digest === digest) return true;
  const ref = imageRefForDigest(digest);
  if (ref.kind === 'refused' || (await engine.inspectImage(digest)) === null) return false;
  return (await engine.tagImage(digest, ref.ref)) && (await engine.tagImage(digest, latest));
}

/** Images that a build took something from and that are others by now; one that is not known is never known to be the same. */
export async function findMovedBases(slice: Slice, ctx: EngineContext): Promise<readonly string[]> {
  const bases = listAt(slice['image_build'], 'bases');
  if (textAt(slice['image_build'], 'built_image_digest') === null || bases.length === 0) return [];
  const engine = await openEngine(ctx);
  const moved: string[] = [];
  for (const base of bases) {
    const [ref, digest] = [textAt(base, 'ref') ?? '', textAt(base, 'digest')];
    const now = engine.kind === 'none' || digest === null ? null : await engine.inspectImage(ref);
    if (digest === null || now?.digest !== digest) moved.push(`image ${ref}`);
  }
  return moved;
}

/** Every file's path is the root and its name below it; the Dockerfile is among them. */
function rootOf(present: readonly InputFingerprint[]): string {
  const inside = present.find(({ id, path }) => path.endsWith(`/${id}`));
  return inside === undefined ? '' : inside.path.slice(0, -inside.id.length - 1);
}
