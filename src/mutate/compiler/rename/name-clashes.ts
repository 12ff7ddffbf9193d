/**
 * Who else has the new name (mutation.md §2.7, M10): in the scopes, types and modules that a rename touches, each with both places. The
 * proof decides again and independently; what is found here is what a person can be told. Nothing is changed and nothing is guessed: a
 * place where the compiler cannot be asked is left to the proof.
 */

import type { RenameWorld } from '../in-job.ts';
import type { Clash } from '../types.ts';
import { findExportClashes } from './export-clashes.ts';
import { findLexicalClashes } from './lexical-clashes.ts';
import { listWrites } from './list-writes.ts';
import { findMemberClashes } from './member-clashes.ts';
import { findSyntaxClashes } from './syntax-clashes.ts';

/** Told at most; one is enough to refuse. */
const clashesMax = 50;

export function findClashes(world: RenameWorld): readonly Clash[] {
  const writes = listWrites(world);
  const found = [
    ...findSyntaxClashes(world, writes),
    ...findLexicalClashes(world, writes),
    ...findMemberClashes(world, writes),
    ...findExportClashes(world, writes),
  ];
  const distinct = new Map<string, Clash>();
  const told = new Set<string>();
  for (const clash of found) {
    const other = `${clash.other?.path}\0${clash.other?.start}`;
    // The same two places under a second reason say nothing new.
    if (clash.reason === 'export_clash' && told.has(other)) continue;
    told.add(other);
    const key = `${clash.reason}\0${clash.path}\0${clash.start}\0${other}`;
    if (!distinct.has(key)) distinct.set(key, clash);
  }
  return [...distinct.values()].slice(0, clashesMax);
}
