/**
 * M41 Of all users of a tree one at a time checks and writes it. The writer lock keeps one user's processes apart, and lies in that user's own
 * state; two users, or one with two state directories, share only the tree: `.codegenie.lock` in its root, for as long as a commit or an
 * undo takes from its first look to its last write.
 *
 * Nothing is learned from it but whether a living process holds it: it is a link to nowhere whose target names its holder, so that it
 * appears whole in one step, is never followed, and other users can read it whatever the umask. One whose holder is gone is taken over.
 * Processes that do not see each other (containers over one tree) are not kept apart: for them the looks of K1, K7 and K9 remain.
 */

import { randomBytes } from 'node:crypto';
import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describeHolder, isHolderGone } from '../../kernel/base/processes.ts';
import { treeLockName } from '../../kernel/tree/scope-layers.ts';
import type { Answer } from '../answer.ts';
import { blockedAnswer, refusedAnswer } from '../plans/answers.ts';
import type { MutationWorld } from '../world.ts';
import { errnoOf } from './journal.ts';

const pauseMs = 25;
/** A commit that has to be proven takes seconds; one that takes longer is better asked for again. */
const waitMs = 60_000;

/** Runs `act` as the only one that changes this tree. */
export async function withTreeLock(
  { root, signal, lockWaitMs = waitMs }: Pick<MutationWorld, 'root' | 'signal' | 'lockWaitMs'>,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const lock = await takeTreeLock(root, lockWaitMs, signal);
  if (lock.kind === 'busy')
    return blockedAnswer('tree_busy', `${root}/${treeLockName} is held by another process`, { retry_after_ms: 1_000 });
  if (lock.kind === 'in_the_way')
    return refusedAnswer('lock_in_the_way', `${root}/${treeLockName} is no lock of ours; it is in the way`);
  try {
    return await act();
  } finally {
    lock.release();
  }
}

type TreeLock =
  | { readonly kind: 'held'; release(): void }
  /** Another process changes the tree. */
  | { readonly kind: 'busy' }
  /** What has the name is no lock, and is not removed. */
  | { readonly kind: 'in_the_way' };

async function takeTreeLock(root: string, waitMs: number, signal: AbortSignal): Promise<TreeLock> {
  const lock = `${root}/${treeLockName}`;
  const own = describeHolder();
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const made = tryLink(own, lock);
    if (made === 'made') return { kind: 'held', release: () => releaseIfMine(lock, own) };
    // A root in which this user may make nothing: there is no lock to be had, and no user without that right to keep out.
    if (made === 'cannot') return { kind: 'held', release: () => {} };
    const holder = readHolder(lock);
    if (holder.kind === 'other') return { kind: 'in_the_way' };
    if (holder.kind === 'link' && isHolderGone(holder.says)) removeGone(lock, holder.says);
    else if (performance.now() >= deadline) return { kind: 'busy' };
    else await delay(pauseMs, undefined, { signal });
  }
}

function tryLink(own: string, lock: string): 'made' | 'taken' | 'cannot' {
  try {
    symlinkSync(own, lock);
    return 'made';
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code === 'EEXIST' ? 'taken' : 'cannot';
  }
}

type Holder =
  | { readonly kind: 'link'; readonly says: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'other' };

function readHolder(lock: string): Holder {
  try {
    return { kind: 'link', says: readlinkSync(lock) };
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? { kind: 'nothing' } : { kind: 'other' };
  }
}

/** What a killed process left would stand in `git status` until the next change. A link that tells of no process stays until then. */
export function removeGoneLock(root: string): void {
  const lock = `${root}/${treeLockName}`;
  const holder = readHolder(lock);
  if (holder.kind === 'link' && holder.says.startsWith('{"pid":') && isHolderGone(holder.says))
    removeGone(lock, holder.says);
}

/** Moves the lock aside; if that of a living process was caught in the move, puts it back. */
function removeGone(lock: string, gone: string): void {
  const aside = `${lock}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Another process was faster.
  }
  const moved = readHolder(aside);
  if (moved.kind === 'link' && moved.says !== gone) tryLink(moved.says, lock);
  rmSync(aside, { force: true });
}

function releaseIfMine(lock: string, own: string): void {
  const holder = readHolder(lock);
  if (holder.kind === 'link' && holder.says === own) rmSync(lock, { force: true });
}
