/** A rename under way in a small project: the target is marked `«name»` in one of the files. */

import type { RenameWorld } from '../../src/mutate/compiler/job/job-types.ts';
import { findDoubts } from '../../src/mutate/compiler/rename/doubts.ts';
import { planOccurrences } from '../../src/mutate/compiler/rename/occurrences.ts';
import type { AliasPolicy, ItemKind } from '../../src/mutate/vocabulary.ts';
import { openTree } from './open-programs.ts';

export function openRename(
  marked: Readonly<Record<string, string>>,
  newName: string,
  aliasPolicy: AliasPolicy = 'through',
  configs: readonly string[] = ['tsconfig.json'],
): RenameWorld {
  let target: { path: string; offset: number } | undefined;
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(marked)) {
    const offset = text.indexOf('«');
    if (offset >= 0) target = { path, offset };
    files[path] = text.replace('«', '').replace('»', '');
  }
  if (target === undefined) throw new Error('no target is marked');
  const world = planOccurrences(
    openTree(
      files,
      configs.map((config) => ({ key: config, config })),
    ),
    {
      kind: 'rename',
      ...target,
      newName,
      aliasPolicy,
      publicNames: 'rename',
      census: [],
    },
  );
  if ('kind' in world) throw new Error(`refused: ${world.reason}, ${world.detail}`);
  return world;
}

/** What is asked for one reason, as `path: text`, the text being what stands at the place. */
export function askedAbout(
  kind: ItemKind,
  marked: string | Readonly<Record<string, string>>,
  newName = 'b',
): readonly string[] {
  const world = openRename(typeof marked === 'string' ? { 'a.ts': marked } : marked, newName);
  return findDoubts(world).flatMap((item) => {
    const text = world.programs.open[0]?.sourceFile(item.path)?.text ?? '';
    return item.kind === kind ? [`${item.path}: ${text.slice(item.start, item.end)}`] : [];
  });
}
