/** A rename under way in a small project: the target is marked `«name»` in one of the files. */

import type { RenameWorld } from '../../src/mutate/compiler/job/job-types.ts';
import { planOccurrences } from '../../src/mutate/compiler/rename/occurrences.ts';
import type { AliasPolicy } from '../../src/mutate/vocabulary.ts';
import { openTree } from './open-programs.ts';

export function openRename(
  marked: Readonly<Record<string, string>>,
  newName: string,
  aliasPolicy: AliasPolicy = 'through',
): RenameWorld {
  let target: { path: string; offset: number } | undefined;
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(marked)) {
    const offset = text.indexOf('«');
    if (offset >= 0) target = { path, offset };
    files[path] = text.replace('«', '').replace('»', '');
  }
  if (target === undefined) throw new Error('no target is marked');
  const world = planOccurrences(openTree(files), {
    kind: 'rename',
    ...target,
    newName,
    aliasPolicy,
    publicNames: 'rename',
    census: [],
  });
  if ('kind' in world) throw new Error(`refused: ${world.reason}, ${world.detail}`);
  return world;
}
