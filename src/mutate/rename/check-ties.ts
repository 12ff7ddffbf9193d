/** M13: what is tied by shape is renamed along only where all of it stands in files that are edited without being asked about. */

import type { Question } from '../../index/state/navigate/question.ts';
import { cannotFollow } from '../compiler/rename/cannot-follow.ts';
import { isListed } from '../unlisted-files.ts';
import type { ItemDraft } from './build-groups.ts';

export function checkTies(question: Question, items: readonly ItemDraft[]): readonly ItemDraft[] {
  return items.map((item) => {
    const edits = item.kind === 'structural_tie' ? (item.edits['rename'] ?? []) : [];
    const why = edits.map(({ path }) => whyNotEdited(question, path)).find((one) => one !== undefined);
    return why === undefined ? item : cannotFollow(item, why);
  });
}

function whyNotEdited(question: Question, path: string): string | undefined {
  const row = question.file(path);
  if (row === undefined || !isListed(question, path)) return `${path} is no part of the repository`;
  if (row.vendored) return `${path} is vendored code`;
  if (row.generated) return `${path} is generated`;
  if (row.conflicted) return `${path} has merge conflict markers`;
  return question.source(path) === undefined ? `${path} cannot be read as text` : undefined;
}
