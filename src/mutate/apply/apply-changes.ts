/**
 * Changes files all together or not at all (mutation.md §8, K1–K10; K13 is `finishApply`). The caller holds the writer lock, has
 * recovered what an earlier writer left, and between the two tells the ledger (K11) and the facts (K12).
 *
 *   K1 look ─ K2 new bytes ─ K3 journal ─ K4 copies, witnesses ─ K5 temps ─ K6 READY ─ K7 rename ─ K8 flush ─ K9 verify ─ K10 DONE
 *      │ refused, changed        └────────── nothing touched: discard ──────────┘          └── changed: the way back
 *
 * E4: every target is hashed again immediately before its rename. E5: none is replaced before copies, temps and journal are durable.
 * What remains is a save by rename that lands between that hash and the rename of one file.
 */

import { lstatSync } from 'node:fs';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { FileChange } from '../types.ts';
import { checkTargets, type Refusal, refuse, type ScopeFacts, type Target, type Wanted } from './check-targets.ts';
import { discardJournal, findLateWrites, finishJournal, type LateWrite, removeJournal } from './clean-up.ts';
import { errnoOf, reasonOf } from './disk-error.ts';
import { type Flusher, openFlusher } from './flusher.ts';
import { type ApplyHooks, noHooks } from './hooks.ts';
import {
  appendRecord,
  type Begin,
  type Journal,
  journalDir,
  type LedgerNote,
  readJournal,
  readLog,
} from './journal.ts';
import { describeChange, prepare } from './prepare-change.ts';
import { rollBack } from './roll-back.ts';
import { findSeal, openSeal, type Seal } from './seal.ts';
import { flushParents, moveInto, stateOf, takeAway } from './target.ts';

export type ApplyRequest = ScopeFacts & {
  readonly root: string;
  /** The user's, where the key of the journal's seal is; where it is not said, that of the process. */
  readonly home?: string | undefined;
  readonly dataDir: string;
  readonly planId: string;
  readonly changes: readonly FileChange[];
  /** K6: marks the plan `committing`; false if it is somebody else's already. */
  readonly onReady: () => boolean;
  readonly nowMs: () => number;
  /** 64 random bits, as hex. */
  readonly random: () => string;
  /** Kept in the journal, so that a restart after DONE can tell the ledger the same. */
  readonly ledger?: LedgerNote | null | undefined;
  readonly hooks?: ApplyHooks | undefined;
};

export type ApplyOutcome =
  | {
      readonly kind: 'applied';
      readonly files: readonly { readonly path: string; readonly hash: string | null }[];
      readonly lateWrites: readonly LateWrite[];
      readonly notes: readonly string[];
      /** For the ledger's undo row; `dir` is below the data dir. The copies are there after `finishApply`. */
      readonly undo: { readonly dir: string; readonly bytes: number };
    }
  /** Nothing of ours is left in the tree; the plan is to be opened again. */
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  | Refusal;

export function applyChanges(request: ApplyRequest): ApplyOutcome {
  const { root, changes } = request;
  const removed = changes.flatMap(({ kind, path }) => (kind === 'remove' ? path : []));
  return applyWanted({ ...request, op: 'commit', wanted: changes.map(toWanted), drops: listLeft(root, removed) });
}

/** Directories that nothing may be left in, outermost first. One with rights of its own stays: an undo makes them as any other. */
function listLeft(root: string, removed: readonly string[]): readonly string[] {
  const usual = 0o777 & ~process.umask();
  const found = new Set<string>();
  for (const path of removed) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = path.slice(0, slash);
      const mode = lstatSync(`${root}/${directory}`, { throwIfNoEntry: false })?.mode ?? 0;
      if ((mode & 0o7777) !== usual) break;
      found.add(directory);
    }
  }
  return [...found].sort((a, b) => a.length - b.length || compareCodeUnits(a, b));
}

/** K13, after the ledger and the facts. Gives what was written through old handles since K9. */
export function finishApply(of: {
  readonly root: string;
  readonly home?: string | undefined;
  readonly dataDir: string;
  readonly planId: string;
  readonly hooks?: ApplyHooks | undefined;
}): readonly LateWrite[] {
  const journal = readJournal(findSeal(of), journalDir(of.dataDir, of.planId));
  // A recovery in between has done it.
  if (journal === undefined) return [];
  assert(journal.last.kind === 'DONE', 'only a change that is done is finished');
  const known = new Set(journal.last.late);
  // K8 has made the renames durable, in this process.
  const late = finishJournal(of.root, of.dataDir, journal, of.hooks ?? noHooks, 'flushed');
  return late.filter(({ path }) => !known.has(path));
}

export type WantedRequest = Omit<ApplyRequest, 'changes'> & {
  readonly op: Begin['op'];
  readonly wanted: readonly Wanted[];
  readonly drops: readonly string[];
};

/** For commit and undo alike. */
export function applyWanted(request: WantedRequest): ApplyOutcome {
  const { dataDir, planId } = request;
  const hooks = request.hooks ?? noHooks;
  assert(/^[\w-]{1,128}$/.test(planId), 'the id of a plan is a file name');
  hooks.at('before K1');
  const checked = checkTargets(request);
  hooks.at('after K1');
  if (checked.kind !== 'fit') return checked;
  const targets = checked.targets.filter(hasEffect).sort((a, b) => compareCodeUnits(a.path, b.path));
  assert(new Set(targets.map(({ path }) => path)).size === targets.length, 'one change per file');
  const begin = describeChange(request, targets, checked);
  hooks.at('after K2');
  const dir = journalDir(dataDir, planId);
  const seal = sealOrRefusal(request);
  if ('kind' in seal) return seal;
  const journal: Journal = { dir, begin, last: begin, seal };
  if (readLog(seal, dir).kind !== 'nothing')
    return refuse('plan_used', `an unfinished change of this plan is in the way (${dir})`, []);
  const flusher = openFlusher(targets.length);
  try {
    return exchange(request, journal, targets, flusher, hooks);
  } finally {
    flusher.close();
  }
}

/** K3 to K10. */
function exchange(
  request: WantedRequest,
  journal: Journal,
  targets: readonly Target[],
  flusher: Flusher,
  hooks: ApplyHooks,
): ApplyOutcome {
  const { root, dataDir } = request;
  try {
    const refusal = prepare(root, dataDir, journal, targets, flusher, hooks) ?? markReady(request, journal, hooks);
    if (refusal !== undefined) {
      giveUp(root, dataDir, journal, hooks);
      return refusal;
    }
  } catch (error) {
    const refusal = refusalOf(error);
    // A bug, or a disk that does nothing any more: the journal stays, and recovery removes what is left.
    if (refusal === undefined) throw error;
    giveUp(root, dataDir, journal, hooks);
    return refusal;
  }
  return replaceAll(root, dataDir, journal, targets, flusher, hooks);
}

/** What is written down without a seal would not be believed: then nothing is begun. */
function sealOrRefusal(request: WantedRequest): Seal | Refusal {
  try {
    return openSeal(request);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

function toWanted(change: FileChange): Wanted {
  const { path } = change;
  if (change.kind === 'create') {
    const { newBytes, mode, owner } = change;
    return { path, oldHash: null, newBytes, newMode: mode, newOwner: owner };
  }
  const newBytes = change.kind === 'remove' ? null : change.newBytes;
  return { path, oldHash: change.oldHash, newBytes, newMode: null };
}

function hasEffect({ oldHash, newBytes }: Target): boolean {
  return (newBytes === null ? null : blake3Hex(newBytes)) !== oldHash;
}

/** K6. */
function markReady(request: WantedRequest, journal: Journal, hooks: ApplyHooks): Refusal | undefined {
  hooks.at('before K6');
  if (!request.onReady()) return refuse('plan_used', 'the plan is being committed or has been', []);
  hooks.at('during K6');
  appendRecord(journal, { kind: 'READY' });
  hooks.at('after K6');
  return undefined;
}

/** K7 to K10, or the way back. */
function replaceAll(
  root: string,
  dataDir: string,
  journal: Journal,
  targets: readonly Target[],
  flusher: Flusher,
  hooks: ApplyHooks,
): ApplyOutcome {
  let failed: Exclude<ApplyOutcome, { kind: 'applied' }> | undefined;
  try {
    failed = renameAll(root, journal, targets, hooks) ?? verifyAll(root, journal, flusher, hooks);
    if (failed === undefined) {
      const lateWrites = findLateWrites(dataDir, journal).map(({ path, kept }) => ({ path, kept }));
      hooks.at('after K9');
      hooks.at('before K10');
      appendRecord(journal, { kind: 'DONE', late: lateWrites.map(({ path }) => path) });
      hooks.at('after K10');
      return { kind: 'applied', lateWrites, ...describeDone(journal.begin, targets) };
    }
  } catch (error) {
    failed = refusalOf(error);
    if (failed === undefined) throw error;
  }
  return takeBack(root, dataDir, journal, failed, hooks);
}

function takeBack(
  root: string,
  dataDir: string,
  journal: Journal,
  failed: Exclude<ApplyOutcome, { kind: 'applied' }>,
  hooks: ApplyHooks,
): ApplyOutcome {
  try {
    hooks.at('before ROLLBACK');
    appendRecord(journal, { kind: 'ROLLBACK', ends: journal.begin.op === 'undo' ? 'committed' : 'open' });
    hooks.at('after ROLLBACK');
    const { foreign, stuck } = rollBack(root, journal, hooks);
    if (stuck.length > 0) return refuse('unsafe_volume', 'the copy of the old text cannot be read back', stuck);
    appendRecord(journal, { kind: 'END' });
    discardJournal(root, dataDir, journal, hooks);
    return failed.kind === 'changed' ? { kind: 'changed', paths: union(failed.paths, foreign) } : failed;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    // The journal stays: the next start, and the next change, begin with it.
    const left = journal.begin.entries.filter((entry) => stateOf(root, entry) === 'new').map(({ path }) => path);
    return {
      ...refusal,
      detail: `${refusal.detail}; what was changed is taken back as soon as that works`,
      paths: left,
    };
  }
}

/** K7. */
function renameAll(
  root: string,
  { begin }: Journal,
  targets: readonly Target[],
  hooks: ApplyHooks,
): { readonly kind: 'changed'; readonly paths: readonly string[] } | undefined {
  hooks.at('before K7');
  for (const [position, { path, old, new: now, temp }] of begin.entries.entries()) {
    hooks.at(`before K7 ${path}`);
    const expected = { path, hash: old, inode: targets[position]?.inode };
    const done = now === null ? takeAway(root, expected, hooks) : moveInto(root, temp, expected, hooks);
    if (done === 'changed') return { kind: 'changed', paths: [path] };
    hooks.at(`after K7 ${path}`);
  }
  hooks.at('after K7');
  return undefined;
}

/** K8, K9: what is not new any more was saved over in this moment, by somebody who had the old text before them. */
function verifyAll(
  root: string,
  { begin }: Journal,
  flusher: Flusher,
  hooks: ApplyHooks,
): { readonly kind: 'changed'; readonly paths: readonly string[] } | undefined {
  hooks.at('before K8');
  flushParents(
    root,
    begin.entries.map(({ path }) => path),
    flusher,
  );
  hooks.at('after K8');
  hooks.at('before K9');
  const paths = begin.entries.filter((entry) => stateOf(root, entry) !== 'new').map(({ path }) => path);
  return paths.length > 0 ? { kind: 'changed', paths } : undefined;
}

function describeDone(begin: Begin, targets: readonly Target[]) {
  const bytes = targets.reduce((sum, { oldBytes }) => sum + (oldBytes?.length ?? 0), 0);
  const files = begin.entries.map((entry) => ({ path: entry.path, hash: entry.new }));
  return { files, notes: begin.notes, undo: { dir: `state/undo/${begin.plan}`, bytes } };
}

/** No target was touched. */
function giveUp(root: string, dataDir: string, journal: Journal, hooks: ApplyHooks): void {
  const written = readJournal(journal.seal, journal.dir);
  if (written === undefined) {
    removeJournal(dataDir, journal.dir, hooks);
    return;
  }
  // A flush that failed may have left READY behind.
  if (written.last.kind === 'READY') appendRecord(journal, { kind: 'END' });
  discardJournal(root, dataDir, journal, hooks);
}

function refusalOf(error: unknown): Refusal | undefined {
  const code = errnoOf(error);
  return code === undefined ? undefined : refuse(reasonOf(code), (error as Error).message, []);
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}
