/**
 * K12: the facts of files that a commit has changed. What the text says is read anew; what compilers said follows the renaming, so that the
 * next change need not wait for an indexer (mutation.md §8 "Facts patch").
 *
 * E9   After it the files are clean, with the facts of a fresh index; or they are dirty, as after any edit.
 * E12  It may be lost and it may be repeated: everything it needs is in the ledger, on disk and in the cache.
 */

import type { PatchReport } from '../../index/refresh/patch-contexts.ts';
import type { PatchEdit, PatchForm, Renaming } from '../../index/semantic/renaming.ts';
import { listFactsOfFile } from '../../index/store/stored-facts.ts';
import { findFile } from '../../index/store/stored-files.ts';
import type { Edit, Plan } from '../plans/plan.ts';
import type { CommitResult } from '../plans/plan-store.ts';
import { isForced, mergeEdits, riskyGroups } from '../plans/selection.ts';
import type { EditForm, ItemKind } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';

export type PatchWorld = Pick<MutationWorld, 'session' | 'root' | 'stateDir' | 'settings' | 'nowMs' | 'signal'>;

export type Committed = {
  readonly plan: Plan;
  readonly edits: readonly Edit[];
  readonly files: CommitResult['files'];
  /** The compiler has found that every name means what it meant. */
  readonly isProven: boolean;
};

const nothing: PatchReport = { patched: [], skipped: [] };

/** Right after the commit. */
export async function patchFacts(world: PatchWorld, committed: Committed): Promise<PatchReport> {
  const { plan, files } = committed;
  await world.session.reconcile(new Set([...files.map(({ path }) => path), ...plan.moves.map(({ from }) => from)]));
  return follow(world, committed);
}

/** At the next start, where a crash came between the commit and its facts. Nearly always there is nothing to do. */
export async function resumePatch(world: PatchWorld & Pick<MutationWorld, 'plans'>): Promise<PatchReport> {
  const [last] = world.plans
    .list(recentPlans)
    .filter(({ status }) => status === 'committed')
    .sort((a, b) => (b.committedMs ?? 0) - (a.committedMs ?? 0));
  const result = last === undefined ? undefined : world.plans.result(last.id);
  if (last === undefined || result === undefined || !isLeftBehind(world, last, result)) return nothing;
  const merged = mergeEdits(chosenGroups(last));
  if (merged.kind !== 'merged') return nothing;
  const isProven = last.provenance === 'proven';
  return follow(world, { plan: last, edits: merged.edits, files: result.files, isProven });
}

const recentPlans = 20;

/** Files are as the commit left them, and facts as they were before it. */
function isLeftBehind({ session }: PatchWorld, plan: Plan, { files }: CommitResult): boolean {
  const before = new Map(plan.files.map(({ path, hash }) => [path, hash]));
  return session.facts.read((moment) =>
    files.some(
      ({ path, hash }) =>
        findFile(moment, path)?.contentHash === hash &&
        listFactsOfFile(moment, path).some(({ hashAtIndex }) => hashAtIndex === before.get(path)),
    ),
  );
}

function chosenGroups(plan: Plan) {
  const risky = riskyGroups(plan);
  const chosen = new Set(
    plan.items.flatMap((item) => item.options.filter(({ id }) => id === item.chosen).map(({ groupId }) => groupId)),
  );
  return plan.groups.filter(({ id, itemId }) => (itemId === null ? !risky.has(id) : chosen.has(id)));
}

async function follow(world: PatchWorld, committed: Committed): Promise<PatchReport> {
  const renaming = describeRenaming(committed);
  if (renaming === undefined) return nothing;
  const { patchContexts } = await import('../../index/refresh/patch-contexts.ts');
  const { session, root, stateDir, settings, nowMs, signal } = world;
  const { cacheDir, environment } = settings;
  return patchContexts(renaming, { session, root, stateDir, cacheDir, environment, nowMs, signal });
}

/** Names that no compiler bound may be bound once they are changed, and to what is not known. */
const unbound: ReadonlySet<ItemKind> = new Set([
  'unaccounted_token',
  'untyped_access',
  'unresolved_reference',
  'indexer_gap',
  'uncovered_file',
  'parse_error',
]);

const formOf: Readonly<Record<EditForm, PatchForm>> = {
  plain: 'plain',
  string: 'plain',
  jsdoc: 'plain',
  import_keeps_local: 'both',
  import_local: 'both',
  export_keeps_public: 'both',
  export_public: 'both',
  shorthand_value: 'value',
  shorthand_property: 'property',
  destructured_property: 'property',
  // Whether what is taken apart has a property of the new name as well is known to the compiler alone.
  destructured_local: 'other',
  specifier: 'other',
};

function describeRenaming({ plan, edits, files, isProven }: Committed): Renaming | undefined {
  if (plan.operation.kind !== 'rename' || plan.moves.length > 0 || isForced(plan)) return undefined;
  const doubtful = new Set(plan.items.filter(({ kind }) => unbound.has(kind)).map(({ id }) => id));
  const guessed = new Set(
    plan.groups.flatMap(({ itemId, edits: own }) => (itemId !== null && doubtful.has(itemId) ? own.map(placeOf) : [])),
  );
  const before = new Map(plan.files.map(({ path, hash }) => [path, hash]));
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const plain = edits.find(({ form }) => formOf[form] === 'plain');
  const described: Renaming['files'][number][] = [];
  for (const { path, hash } of files) {
    const oldHash = before.get(path);
    if (hash === null || oldHash === undefined) return undefined;
    const own = (byPath.get(path) ?? []).toSorted((a, b) => a.startByte - b.startByte);
    const asPatch = (edit: Edit): PatchEdit => ({
      startByte: edit.startByte,
      endByte: edit.endByte,
      oldText: edit.oldText,
      newText: edit.newText,
      form: guessed.has(placeOf(edit)) ? 'other' : formOf[edit.form],
    });
    described.push({ path, oldHash, newHash: hash, edits: own.map(asPatch) });
  }
  return plain === undefined
    ? undefined
    : { oldName: plain.oldText, newName: plain.newText, isProven, files: described };
}

function placeOf({ path, startByte, endByte }: Edit): string {
  return `${path}:${startByte}:${endByte}`;
}
