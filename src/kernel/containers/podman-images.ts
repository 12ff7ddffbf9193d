/**
 * Keeps our storage small: every edit of a repository may be an image, and nobody else removes them. The images used last are kept, so
 * that going back and forth between branches builds nothing, and so is the one that is the latest of a repository.
 */

import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodeUnits } from '../base/json.ts';
import { linesOf, textOf } from './outcome-text.ts';
import type { PrivateStorage } from './private-storage.ts';
import { type EngineCall, imageRefForDigest } from './types.ts';

export const imagesKept = 20;
/** Of the builds that failed: the next attempt begins where they ended. */
export const unfinishedKept = 20;
const timeoutS = 120;

export function noteUse(storage: PrivateStorage, digest: string): void {
  const ref = imageRefForDigest(digest);
  if (ref.kind === 'ref') writeFileSync(join(storage.images, digest.replace('sha256:', '')), '', { mode: 0o600 });
}

/** `justBuilt` has no tag yet. An image that a container still uses is refused by the engine, and stays for another time. */
export async function trimImages(storage: PrivateStorage, call: EngineCall, justBuilt: string): Promise<void> {
  for (const hex of listByUse(storage).slice(imagesKept)) {
    if (justBuilt.endsWith(hex)) continue;
    const tags = await call(['image', 'inspect', '--format', '{{range .RepoTags}}{{println .}}{{end}}', hex], {
      timeoutS,
    });
    if (linesOf(tags).some((tag) => tag.includes(':latest-'))) continue;
    const isGone = textOf(tags) === null;
    if (isGone || textOf(await call(['rmi', hex], { timeoutS })) !== null)
      rmSync(join(storage.images, hex), { force: true });
  }
}

/** A build that fails leaves the image of its last good step, which has no name. Asked for before a build, when no other goes on. */
export async function trimUnfinished(call: EngineCall): Promise<void> {
  const filters = ['--filter', 'dangling=true', '--filter', 'readonly=false'];
  const unfinished = linesOf(await call(['images', '-q', ...filters], { timeoutS }));
  if (unfinished.length > unfinishedKept) await call(['image', 'prune', '-f'], { timeoutS });
}

/** Last used first. */
function listByUse(storage: PrivateStorage): readonly string[] {
  return readdirSync(storage.images)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => ({ name, usedMs: statSync(join(storage.images, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs || compareCodeUnits(a.name, b.name))
    .map(({ name }) => name);
}
