/**
 * The fresh-name proof (mutation.md §3.2): no file that could mean the new name holds it as an identifier, and no base type outside the
 * repository that can be listed has it. Where it fails, the files that hold the name are what the scope proof has to cover.
 */

import { mayHold } from '../../index/state/navigate/find-in-text.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import { listSearchableFiles } from '../../index/store/queries/list-searchable.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/queries/list-text-candidates.ts';
import { MAX_RUN_CHARS } from '../../index/syntax/scan-bytes.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { familyOf } from '../../languages/language-family.ts';

export type FreshNameProof = {
  readonly kind: 'fresh' | 'taken';
  /** Files of the language's family whose text may hold the name, sorted. */
  readonly paths: readonly string[];
};

export function freshNameProof(question: Question, language: string, newName: string): FreshNameProof {
  const { code, holders } = familyOf(language);
  const paths = listFilesHolding(question, newName).filter((path) => {
    const written = question.file(path)?.language ?? null;
    if (holders?.test(path) !== true && (written === null || !code.includes(written))) return false;
    const source = question.source(path);
    return source !== undefined && mayHold(source, new Set([newName]), written ?? '');
  });
  return { kind: paths.length === 0 ? 'fresh' : 'taken', paths };
}

/** Every file in scope whose text may hold the name as a word, sorted; a superset. */
export function listFilesHolding(question: Question, name: string): readonly string[] {
  const { changed, added, gone } = question.view.differences;
  const rows = question.ask((session) => [
    // Longer names are stored as hashes of a key that a reader does not have.
    ...(name.length > MAX_RUN_CHARS ? listSearchableFiles(session) : listFilesMatchingName(session, name)),
    ...listRedactedFiles(session),
  ]);
  const paths = new Set([...rows.map(({ path }) => path), ...changed, ...added]);
  for (const path of gone) paths.delete(path);
  return [...paths].sort(compareCodeUnits);
}
