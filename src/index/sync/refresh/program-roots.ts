/**
 * What a program has to hold in which a few files mean what they do in the whole one: themselves, whatever of the members may add to the
 * declarations of others, and the files outside that do. What they import comes by itself. Loading all of a large project is most of the
 * time that a run about one file takes.
 *
 * The files outside are what the last run of the whole program found. They follow from the configuration, what is installed, and which
 * packages are imported at all: where one of these is different nobody knows them, and the whole program is loaded once more.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ProgramRoots } from '../../semantic/indexers/adapter.ts';
import type { StoredContext } from '../../semantic/types.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { listAugmentingMembers } from '../../store/queries/list-augmenting-files.ts';
import { findGlobals } from '../../store/queries/list-contexts.ts';
import { listExternalImports } from '../../store/queries/list-external-imports.ts';
import { idOf } from './fingerprint.ts';

/** Null: all members. */
export function findRoots(
  facts: WritableFacts,
  context: StoredContext,
  scope: readonly string[],
  readText: (path: string) => string | undefined,
): ProgramRoots | null {
  return facts.read((session) => {
    const others = findGlobals(session, context.id, madeOf(context, listExternalImports(session)));
    if (others === undefined) return null;
    const augmenting = listAugmentingMembers(session, context.id).map(({ path }) => path);
    // Found by their words; a few of them import half of the project, so it is worth a look at the text.
    const members = new Set([...scope, ...augmenting.filter((path) => mayAugment(path, readText(path)))]);
    return { members: [...members].sort(compareCodeUnits), others };
  });
}

function mayAugment(path: string, text: string | undefined): boolean {
  if (text === undefined || /\.d\.(?:\w+\.)?[cm]?ts$/.test(path)) return true;
  return augmentation.test(text) || !/^[ \t]*(?:import|export)\b/m.test(text);
}

/** With whatever may stand between two words. */
const augmentation = /\bdeclare(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)+(?:global|module)\b/;

/** After a run of the whole program. */
export function keepGlobals(facts: WritableFacts, context: StoredContext, globals: readonly string[]): void {
  const key = facts.read((session) => madeOf(context, listExternalImports(session)));
  facts.writer.remember(() => facts.semantic.putGlobals(context.id, key, globals));
}

function madeOf({ configHash, envHash, toolId }: StoredContext, imported: readonly string[]): string {
  return idOf({ configHash, envHash, toolId, imported: [...imported].sort(compareCodeUnits) });
}
