/**
 * Condition 4 of the shadow proof (mutation.md §3.1): the after programs have the planned texts in the edited files, and every other file
 * as it was, no more and no fewer files than before. A file that moves may change programs, which others look at (`stray-files.ts`).
 */

import type { OpenProgram, Programs } from '../in-job.ts';
import type { ProofPlace } from '../types.ts';
import type { EditMap } from './map-edits.ts';

export function compareTexts(
  programs: Programs,
  before: OpenProgram,
  after: OpenProgram,
  map: EditMap,
  /** After the edits. */
  strays: ReadonlySet<string>,
): readonly ProofPlace[] {
  const was = listAll(programs, before).map(map.path).sort();
  const is = [...listAll(programs, after)].sort();
  const stays = (path: string) => !strays.has(path);
  const lost = subtract(was, is)
    .filter(stays)
    .map((path) => say(path, `part of ${before.key}`, `${path} is no part of ${before.key}`));
  const come = subtract(is, was)
    .filter(stays)
    .map((path) => say(path, `no part of ${before.key}`, `${path} is part of ${before.key}`));
  if (lost.length + come.length > 0) return [...lost, ...come];
  const touched = new Set(map.touched);
  return before.files.flatMap((path) => {
    if (strays.has(map.path(path)) && after.sourceFile(map.path(path)) === undefined) return [];
    const old = before.sourceFile(path);
    const now = after.sourceFile(map.path(path));
    // The same object stands for the same bytes, parsed the same way.
    if (old !== undefined && old === now && !touched.has(path)) return [];
    const expected = old === undefined ? undefined : map.textAfter(path, old.text);
    return expected !== undefined && expected === now?.text ? [] : [say(path, 'as planned', 'another text')];
  });
}

function listAll(programs: Programs, { project }: OpenProgram): readonly string[] {
  return project.program.getSourceFileNames().map((fileName) => programs.place(fileName).path);
}

function subtract(from: readonly string[], what: readonly string[]): readonly string[] {
  const known = new Set(what);
  return from.filter((path) => !known.has(path));
}

function say(path: string, before: string, after: string): ProofPlace {
  return { at: { path, start: 0, end: 0 }, before, after };
}
