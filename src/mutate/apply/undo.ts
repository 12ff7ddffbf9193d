/**
 * A committed plan taken back (mutation.md §9), through the same journal as a commit.
 * E13: every byte and mode of the tree before is restored, or nothing is changed.
 */

import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { StoreFailed } from '../../index/store/store-failed.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { PlanStore } from '../plans/plan-store.ts';
import { applyWanted } from './apply-changes.ts';
import { type Refusal, refuse, type ScopeFacts, type Wanted } from './check-targets.ts';
import { finishJournal, type LateWrite, lateRoot, undoDir } from './clean-up.ts';
import { type Begin, errnoOf, journalDir, readJournal, readManifest } from './journal.ts';
import { settleUndo } from './recover.ts';
import { findSeal } from './seal.ts';
import { type ApplyHooks, hashOwnFile, noHooks, stateOf } from './target.ts';

export type UndoOutcome =
  | {
      readonly kind: 'undone';
      readonly files: readonly { readonly path: string; readonly hash: string | null }[];
      readonly lateWrites: readonly LateWrite[];
      readonly notes: readonly string[];
    }
  | Refusal;

export function undoChanges(
  request: ScopeFacts & {
    readonly root: string;
    readonly home?: string | undefined;
    readonly stateDir: string;
    readonly planId: string;
    readonly plans: PlanStore;
    readonly nowMs: () => number;
    readonly random: () => string;
    readonly hooks?: ApplyHooks | undefined;
  },
): UndoOutcome {
  const { root, stateDir, planId, plans } = request;
  const dir = undoDir(stateDir, planId);
  const seal = findSeal(request);
  const isKept = plans.listUndo().some((row) => row.planId === planId);
  const manifest = isKept ? readManifest(seal, planId, `${dir}/manifest`) : undefined;
  if (manifest === undefined) return refuse('undo_conflict', `the old files are no longer kept (${whatIsKept})`, []);
  const edited = manifest.entries.filter((entry) => stateOf(root, entry) !== 'new').map(({ path }) => path);
  if (edited.length > 0) return refuse('undo_conflict', 'changed since the plan was committed', edited);
  const wanted = listWanted(manifest, dir);
  if (wanted === undefined) return refuse('undo_conflict', `${dir}: a copy of an old file is gone or damaged`, []);
  const outcome = applyWanted({
    ...request,
    op: 'undo',
    wanted,
    drops: manifest.makes,
    onReady: () => plans.find(planId)?.status === 'committed',
  });
  if (outcome.kind === 'changed') return refuse('undo_conflict', 'changed while the plan was undone', outcome.paths);
  if (outcome.kind === 'refused') return outcome;
  const hooks = request.hooks ?? noHooks;
  hooks.at('before K11');
  const { files, notes } = outcome;
  try {
    settleUndo(plans, planId);
    hooks.at('after K11');
    const journal = readJournal(seal, journalDir(stateDir, planId));
    const late = journal === undefined ? [] : finishJournal(root, stateDir, journal, hooks, 'flushed');
    return { kind: 'undone', files, lateWrites: late, notes };
  } catch (error) {
    if (!(error instanceof StoreFailed) && errnoOf(error) === undefined) throw error;
    // All files are old again, and the journal says what is left: the next start does it.
    const left = `what is left of the undo is done by the next command (${(error as Error).message})`;
    return { kind: 'undone', files, lateWrites: [], notes: [...notes, left] };
  }
}

function listWanted(manifest: Begin, dir: string): readonly Wanted[] | undefined {
  const wanted: Wanted[] = [];
  for (const [position, entry] of manifest.entries.entries()) {
    const copy = `${dir}/${position}`;
    const bytes = entry.old === null ? null : hashOwnFile(copy) === undefined ? undefined : readFileSync(copy);
    if (bytes === undefined || (bytes !== null && blake3Hex(bytes) !== entry.old)) return undefined;
    wanted.push({
      path: entry.path,
      oldHash: entry.new,
      newBytes: bytes,
      newMode: entry.oldMode,
      newOwner: entry.owner,
    });
  }
  return wanted;
}

const keptCommits = 20;
const keptMs = 7 * 24 * 60 * 60 * 1000;
const keptBytes = 256 * 1024 * 1024;
const whatIsKept = 'the last 20 commits, for 7 days, up to 256 MiB';

/** Whichever limit ends first. Under the writer lock, after a commit. */
export function evictUndo(of: {
  readonly stateDir: string;
  readonly plans: PlanStore;
  readonly nowMs: () => number;
}): void {
  const { stateDir, plans } = of;
  const since = of.nowMs() - keptMs;
  const kept = new Set<string>();
  let bytes = 0;
  for (const row of plans.listUndo()) {
    bytes += row.bytes;
    if (kept.size < keptCommits && row.createdMs >= since && bytes <= keptBytes) kept.add(row.planId);
    else plans.dropUndo(row.planId);
  }
  for (const name of listNames(`${stateDir}/state/undo`)) {
    if (!kept.has(name)) rmSync(undoDir(stateDir, name), { recursive: true, force: true });
  }
  for (const name of listNames(lateRoot(stateDir))) {
    const path = `${lateRoot(stateDir)}/${name}`;
    if (lstatSync(path).mtimeMs < since) rmSync(path, { recursive: true, force: true });
  }
}

function listNames(directory: string): readonly string[] {
  return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(directory) : [];
}
