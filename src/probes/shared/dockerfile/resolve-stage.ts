/** `--from=build`, `--from=0`, `--from=nginx:1.27`: a stage before this one, or an image from elsewhere. */

import { noteUnresolvedStage, type Reading } from './reading.ts';
import type { StageDraft } from './stage-draft.ts';

/** The stage's index; null for an image, and for a stage that does not exist (yet), which is noted. */
export function resolveStage(reading: Reading, draft: StageDraft, from: string, line: number): number | null {
  const byName = reading.stageNames.get(from.toLowerCase());
  const index = byName !== undefined && byName !== draft.index ? byName : /^\d{1,6}$/.test(from) ? Number(from) : null;
  if (index !== null && index < draft.index) {
    draft.takesFrom.add(index);
    return index;
  }
  // A bare word is taken for a stage with a mistake in its name; images are written with a tag, a digest or a path.
  if (index !== null || from.includes('$') || !/[:/@.]/.test(from)) noteUnresolvedStage(reading, from, line);
  return null;
}
