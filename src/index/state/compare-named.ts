/**
 * Question-time verification of what an answer touches (code-plane.md §2): every file it names, and what those import, is as the store has
 * it. Of all other files nothing is said.
 */

import { createDiskLook } from '../../kernel/tree/safe-read.ts';
import { listTargetsOfFiles } from '../store/queries/list-imports.ts';
import type { FileState } from '../sync/file-table.ts';
import { screenFile, screenStat } from '../sync/screen-files.ts';
import type { CodeView } from './code-view.ts';

/** Comparing more than these takes as long as comparing all. */
const maxFiles = 2_000;

/**
 * False also where nothing is named: that there is nothing is not known from the files that were found. `find`: how the moment that was
 * answered from knows a file.
 */
export function isAsOnDisk(view: CodeView, find: (path: string) => FileState | undefined, answer: unknown): boolean {
  const touched = new Map<string, FileState | undefined>();
  addNamed(answer, find, touched);
  if (touched.size === 0 || touched.size > maxFiles) return false;
  for (const path of view.read((moment) => listTargetsOfFiles(moment, touched.keys())))
    if (!touched.has(path)) touched.set(path, find(path));
  if (touched.size > maxFiles) return false;
  const { guard, stats } = view.look ?? createDiskLook(view.root);
  for (const [path, known] of touched) {
    // A link owns no facts, and leads to a file that does.
    if (known?.kind === 'alias') continue;
    const stat = stats.get(path);
    const seen = stat === undefined ? screenFile(view.root, path, known, guard) : screenStat(stat, known);
    if (seen.kind !== 'unchanged') return false;
  }
  return true;
}

function addNamed(
  value: unknown,
  find: (path: string) => FileState | undefined,
  named: Map<string, FileState | undefined>,
): void {
  if (typeof value === 'string') {
    const known = find(value);
    if (known !== undefined) named.set(value, known);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) addNamed(inner, find, named);
  }
}
