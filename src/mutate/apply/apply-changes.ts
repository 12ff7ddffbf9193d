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

import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import type { FileChange } from '../plans/plan.ts';
import { checkTargets, type Refusal, refuse, type ScopeFacts, type Target, type Wanted } from './check-targets.ts';
import { discardJournal, findLateWrites, finishJournal, type LateWrite, removeJournal, rollBack } from './clean-up.ts';
import { type Flusher, openFlusher } from './flusher.ts';
import {
  appendRecord,
  type Begin,
  backupPath,
  type Entry,
  encodeRecord,
  errnoOf,
  type Journal,
  journalDir,
  type LedgerNote,
  readJournal,
  readLog,
  reasonOf,
  witnessPath,
} from './journal.ts';
import { findSeal, openSeal, type Seal } from './seal.ts';
import {
  type ApplyHooks,
  flushParents,
  flushQuietly,
  isInTree,
  makeDirectories,
  moveInto,
  noHooks,
  requireInTree,
  stateOf,
  takeAway,
  writeNewFiles,
} from './target.ts';

export type ApplyRequest = ScopeFacts & {
  readonly root: string;
  /** The user's, where the key of the journal's seal is; where it is not said, that of the process. */
  readonly home?: string | undefined;
  readonly stateDir: string;
  readonly planId: string;
  readonly changes: readonly FileChange[];
  /** K6: marks the plan `committing`; false if another commit has it already. */
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
  /** The tree is as it was; the plan is to be opened again. */
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
  readonly stateDir: string;
  readonly planId: string;
  readonly hooks?: ApplyHooks | undefined;
}): readonly LateWrite[] {
  const journal = readJournal(findSeal(of), journalDir(of.stateDir, of.planId));
  // A recovery in between has done it.
  if (journal === undefined) return [];
  assert(journal.last.kind === 'DONE', 'only a change that is done is finished');
  const known = new Set(journal.last.late);
  // K8 has made the renames durable, in this process.
  const late = finishJournal(of.root, of.stateDir, journal, of.hooks ?? noHooks, 'flushed');
  return late.filter(({ path }) => !known.has(path));
}

type WantedRequest = Omit<ApplyRequest, 'changes'> & {
  readonly op: Begin['op'];
  readonly wanted: readonly Wanted[];
  readonly drops: readonly string[];
};

/** For commit and undo alike. */
export function applyWanted(request: WantedRequest): ApplyOutcome {
  const { stateDir, planId } = request;
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
  const dir = journalDir(stateDir, planId);
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
  const { root, stateDir } = request;
  try {
    const refusal = prepare(request, journal, targets, flusher, hooks) ?? markReady(request, journal, hooks);
    if (refusal !== undefined) {
      giveUp(root, stateDir, journal, hooks);
      return refusal;
    }
  } catch (error) {
    const refusal = refusalOf(error);
    // A bug, or a disk that does nothing any more: the journal stays, and recovery removes what is left.
    if (refusal === undefined) throw error;
    giveUp(root, stateDir, journal, hooks);
    return refusal;
  }
  return replaceAll(request, journal, targets, flusher, hooks);
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
  { root, stateDir }: WantedRequest,
  journal: Journal,
  targets: readonly Target[],
  flusher: Flusher,
  hooks: ApplyHooks,
): ApplyOutcome {
  let failed: Exclude<ApplyOutcome, { kind: 'applied' }> | undefined;
  try {
    failed = renameAll(root, journal, targets, hooks) ?? verifyAll(root, journal, flusher, hooks);
    if (failed === undefined) {
      const lateWrites = findLateWrites(stateDir, journal).map(({ path, kept }) => ({ path, kept }));
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
  return takeBack(root, stateDir, journal, failed, hooks);
}

function takeBack(
  root: string,
  stateDir: string,
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
    discardJournal(root, stateDir, journal, hooks);
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

/** K8, K9: what is not new any more was saved over in this moment, by an editor that had the old text. */
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
function giveUp(root: string, stateDir: string, journal: Journal, hooks: ApplyHooks): void {
  const written = readJournal(journal.seal, journal.dir);
  if (written === undefined) {
    removeJournal(stateDir, journal.dir, hooks);
    return;
  }
  // A flush that failed may have left READY behind.
  if (written.last.kind === 'READY') appendRecord(journal, { kind: 'END' });
  discardJournal(root, stateDir, journal, hooks);
}

function refusalOf(error: unknown): Refusal | undefined {
  const code = errnoOf(error);
  return code === undefined ? undefined : refuse(reasonOf(code), (error as Error).message, []);
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}

// All that must be durable before the first target is replaced (K3–K5): the journal, copies of the old files with witnesses of their
// inodes, and the new files beside their targets. E5: when `prepare` returns, it is. No target is touched here.

/** All that the journal says of a change before it begins. */
function describeChange(
  request: Pick<WantedRequest, 'root' | 'planId' | 'op' | 'drops' | 'ledger' | 'nowMs' | 'random'>,
  targets: readonly Target[],
  checked: { readonly makes: readonly string[]; readonly notes: readonly string[] },
): Begin {
  const nonce = request.random();
  assert(/^[0-9a-f]{16}$/.test(nonce), '64 random bits');
  const entries = targets.map(
    ({ path, oldHash, newBytes, newMode, newOwner, inode }): Entry => ({
      path,
      old: oldHash,
      new: newBytes === null ? null : blake3Hex(newBytes),
      oldMode: inode?.mode ?? null,
      newMode: newBytes === null ? null : (newMode ?? inode?.mode ?? 0o644),
      owner: inode === undefined ? (newOwner ?? null) : { uid: inode.uid, gid: inode.gid },
      temp: tempBeside(path, nonce),
    }),
  );
  const { op, planId: plan, drops, ledger = null } = request;
  const { makes, notes } = checked;
  const trials = listVolumes(request.root, entries, makes).flatMap((at) =>
    ['trial', 'moved'].map((name) => `${at}.cg-${nonce}.${name}.tmp`),
  );
  return { kind: 'BEGIN', plan, op, atMs: request.nowMs(), entries, makes, drops, trials, notes, ledger };
}

const longestName = 255;

function tempBeside(path: string, nonce: string): string {
  const name = basename(path);
  const temp = `.${name}.cg-${nonce}.tmp`;
  const fits = Buffer.byteLength(temp) <= longestName;
  const short = `.cg-${nonce}-${blake3Hex(name).slice(0, 16)}.tmp`;
  const parent = dirname(path);
  return `${parent === '.' ? '' : `${parent}/`}${fits ? temp : short}`;
}

/** One directory that exists on each volume that is written to. */
function listVolumes(root: string, entries: readonly Entry[], makes: readonly string[]): readonly string[] {
  const byDevice = new Map<number, string>();
  const made = new Set(makes);
  for (const { path } of entries) {
    let parent = dirname(path);
    while (made.has(parent)) parent = dirname(parent);
    const { dev } = lstatSync(`${root}/${parent}`);
    if (!byDevice.has(dev)) byDevice.set(dev, parent === '.' ? '' : `${parent}/`);
  }
  return [...byDevice.values()];
}

/** K3 to K5: all that must be durable before the first target is replaced. */
function prepare(
  { root, stateDir }: WantedRequest,
  journal: Journal,
  targets: readonly Target[],
  flusher: Flusher,
  hooks: ApplyHooks,
): Refusal | undefined {
  const { dir, begin, seal } = journal;
  hooks.at('before K3');
  rmSync(dir, { recursive: true, force: true });
  for (const made of [`${stateDir}/state`, dirname(dir), dir, `${dir}/backup`, `${dir}/witness`])
    ensureOwnDirectory(made);
  appendRecord(journal, begin);
  for (const directory of [dir, dirname(dir), `${stateDir}/state`, stateDir]) flushQuietly(directory);
  hooks.at('after K3');
  const refusal = tryVolumes(root, begin.trials, hooks);
  if (refusal !== undefined) return refusal;
  hooks.at('before K4');
  const copies = targets.flatMap(({ oldBytes }, position) =>
    oldBytes === null ? [] : [{ absolute: backupPath(dir, position), bytes: oldBytes, mode: 0o600, owner: null }],
  );
  writeNewFiles(
    [
      ...copies,
      { absolute: `${dir}/backup/manifest`, bytes: encodeRecord(seal, begin.plan, begin), mode: 0o600, owner: null },
    ],
    flusher,
  );
  for (const [position, { path, oldBytes }] of targets.entries()) {
    if (oldBytes !== null && isInTree(root, path)) linkIfPossible(`${root}/${path}`, witnessPath(dir, position));
  }
  for (const directory of ['backup', 'witness']) flushQuietly(`${dir}/${directory}`);
  hooks.at('after K4');
  hooks.at('before K5');
  for (const directory of begin.makes) makeDirectories(root, directory);
  const written = begin.entries.flatMap((entry, position) => {
    const bytes = targets[position]?.newBytes ?? null;
    return bytes === null ? [] : [{ entry, bytes }];
  });
  writeNewFiles(
    written.map(({ entry: { temp, newMode, owner }, bytes }) => ({
      absolute: `${root}/${temp}`,
      bytes,
      mode: newMode ?? 0o644,
      owner,
    })),
    flusher,
    {
      before(n) {
        hooks.at(`before K5 ${written[n]?.entry.path}`);
        requireInTree(root, written[n]?.entry.temp ?? '');
      },
      after: (n) => hooks.at(`after K5 ${written[n]?.entry.path}`),
    },
  );
  flushParents(root, [...begin.makes, ...begin.entries.map(({ temp }) => temp)], flusher);
  hooks.at('after K5');
  return undefined;
}

/** A volume that cannot flush or rename would break the promise only when it matters. */
function tryVolumes(root: string, trials: readonly string[], hooks: ApplyHooks): Refusal | undefined {
  for (let at = 0; at < trials.length; at += 2) {
    const [trial, moved] = [`${root}/${trials[at]}`, `${root}/${trials[at + 1]}`];
    try {
      hooks.at('trial');
      requireInTree(root, trials[at] ?? '');
      writeNewFiles([{ absolute: trial, bytes: Buffer.from('x'), mode: 0o600, owner: null }]);
      renameSync(trial, moved);
      rmSync(moved);
      flushQuietly(dirname(trial));
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      const says = `${dirname(trial)}: a trial file could not be written, flushed and renamed (${code})`;
      return refuse(reasonOf(code), says, []);
    }
  }
  return undefined;
}

/** Without it a write through an old handle goes unseen; the change itself is as safe. */
function linkIfPossible(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another volume, or one without links.
  }
}
