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
import type { ReadSession } from '../../store/facts-handle.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { listAugmentingMembers } from '../../store/queries/list-augmenting-files.ts';
import { findGlobals, type StoredContext } from '../../store/queries/list-contexts.ts';
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
    const globals = findGlobals(session, context.id);
    if (globals?.madeOf !== madeOf(context, listExternalImports(session))) return null;
    const augmenting = listAugmentingMembers(session, context.id).map(({ path }) => path);
    // Found by their words; a few of them import half of the project, so it is worth a look at the text.
    const members = new Set([...scope, ...augmenting.filter((path) => mayAugment(path, readText(path)))]);
    return { members: [...members].sort(compareCodeUnits), others: globals.paths };
  });
}

/** They were known, and something that they follow from is different; what it is now. */
export function findOutdatedGlobals(session: ReadSession, context: StoredContext): string | undefined {
  const globals = findGlobals(session, context.id);
  if (globals === undefined) return undefined;
  const now = madeOf(context, listExternalImports(session));
  return globals.madeOf === now ? undefined : now;
}

function mayAugment(path: string, text: string | undefined): boolean {
  if (text === undefined || /\.d\.(?:\w+\.)?[cm]?ts$/.test(path)) return true;
  return augmentation.test(text) || !/^[ \t]*(?:import|export)\b/m.test(text);
}

/** With whatever may stand between two words. */
const augmentation = /\bdeclare(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)+(?:global|module)\b/;

/**
 * After a run of the whole program. True: they are others than before, as when a package is imported for the first time that declares
 * globals, and every member may mean something else by that.
 */
export function keepGlobals(facts: WritableFacts, context: StoredContext, globals: readonly string[]): boolean {
  const { before, key } = facts.read((session) => ({
    before: findGlobals(session, context.id),
    key: madeOf(context, listExternalImports(session)),
  }));
  const paths = [...globals].sort(compareCodeUnits);
  const isOther = before !== undefined && before.paths.join('\0') !== paths.join('\0');
  if (isOther || before?.madeOf !== key) {
    facts.writer.remember(() => facts.semantic.putGlobals(context.id, key, paths));
  }
  return isOther;
}

function madeOf({ configHash, envHash, toolId }: StoredContext, imported: readonly string[]): string {
  return idOf({ configHash, envHash, toolId, imported: [...imported].sort(compareCodeUnits) });
}
