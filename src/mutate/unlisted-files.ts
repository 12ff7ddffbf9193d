/**
 * Files that a compiler takes into its programs and the index does not list: what git ignores, and what belongs to another repository
 * below this one. Nobody reviews an edit of the first as part of a change, and the second are not this repository's to change (M13).
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Question } from '../index/state/navigate/question.ts';

export function isListed(question: Question, path: string): boolean {
  return question.file(path)?.presence === 'present';
}

/** The directory of the repository that an unlisted file belongs to, if it is another one: a submodule, or a clone inside the tree. */
export function findInnerRepository(question: Question, path: string): string | undefined {
  if (isListed(question, path)) return undefined;
  for (let directory = dirname(path); directory !== '.' && directory !== '/'; directory = dirname(directory))
    if (existsSync(join(question.view.root, directory, '.git'))) return directory;
  return undefined;
}
