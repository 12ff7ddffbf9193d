/**
 * All that must be durable before the first target is replaced (K3–K5): the journal, copies of the old files with witnesses of their
 * inodes, and the new files beside their targets. E5: when `prepare` returns, it is. No target is touched here.
 */

import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import type { WantedRequest } from './apply-changes.ts';
import { type Refusal, refuse, type Target } from './check-targets.ts';
import { errnoOf, reasonOf } from './disk-error.ts';
import type { Flusher } from './flusher.ts';
import type { ApplyHooks } from './hooks.ts';
import {
  appendRecord,
  type Begin,
  backupPath,
  type Entry,
  encodeRecord,
  type Journal,
  witnessPath,
} from './journal.ts';
import { flushParents, flushQuietly, isInTree, makeDirectories, requireInTree, writeNewFiles } from './target.ts';

/** All that the journal says of a change before it begins. */
export function describeChange(
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
export function prepare(
  root: string,
  dataDir: string,
  journal: Journal,
  targets: readonly Target[],
  flusher: Flusher,
  hooks: ApplyHooks,
): Refusal | undefined {
  const { dir, begin, seal } = journal;
  hooks.at('before K3');
  rmSync(dir, { recursive: true, force: true });
  for (const made of [`${dataDir}/state`, dirname(dir), dir, `${dir}/backup`, `${dir}/witness`])
    ensureOwnDirectory(made);
  appendRecord(journal, begin);
  for (const directory of [dir, dirname(dir), `${dataDir}/state`, dataDir]) flushQuietly(directory);
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
