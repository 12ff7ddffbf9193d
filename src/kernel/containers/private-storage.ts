/**
 * Where podman keeps our images and containers (containers.md §2): one place per user, shared by all repositories, apart from the user's
 * own images and containers. Images can be made again, so it is a cache: `~/.cache/codegenie/containers`, and below the system's
 * temporary directory where there is no home that can be written to. It is not below `~/.codegenie`, which holds what people wrote and is
 * listed whole by the probes that read it.
 *
 * The run-time state lies in memory, as podman expects: it must not survive the machine. Its path is short, because sockets lie in it.
 */

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureOwnDirectory, writeAtomically } from '../base/write-file.ts';

export type PrivateStorage = {
  readonly base: string;
  readonly root: string;
  readonly runRoot: string;
  readonly runTmp: string;
  /** Large temporary files of the engine: a scratch directory in memory would not hold them. */
  readonly tmp: string;
  /** An empty root file system, for asking whether containers can be started at all. */
  readonly emptyRoot: string;
  readonly builds: string;
  /** One empty file per image, as old as its last use. */
  readonly images: string;
  readonly plainConfiguration: string;
  readonly fallbackConfiguration: string;
  /** An empty list: what else would be mounted into every container. */
  readonly noMounts: string;
  readonly stateFile: string;
};

const tmpfsType = 0x01021994;
const ownMark = 'of';

export function openPrivateStorage(home: string | null): PrivateStorage {
  const base = makeBase(home);
  const run = makeRunDirectory(base);
  const storage: PrivateStorage = {
    base,
    root: join(base, 'storage'),
    runRoot: join(run, 'r'),
    runTmp: join(run, 't'),
    tmp: join(base, 'tmp'),
    emptyRoot: join(base, 'empty'),
    builds: join(base, 'builds'),
    images: join(base, 'images'),
    plainConfiguration: join(base, 'plain.conf'),
    fallbackConfiguration: join(base, 'containers.conf'),
    noMounts: join(base, 'mounts.conf'),
    stateFile: join(base, 'engine.json'),
  };
  const { root, runRoot, runTmp, tmp, emptyRoot, builds, images } = storage;
  for (const path of [root, runRoot, runTmp, tmp, emptyRoot, builds, images]) ensureOwnDirectory(path);
  return storage;
}

function makeBase(home: string | null): string {
  if (home !== null) {
    try {
      const base = join(home, '.cache', 'codegenie', 'containers');
      // Not with its parents: a home that does not exist is not made.
      if (!existsSync(join(home, '.cache'))) mkdirSync(join(home, '.cache'));
      ensureOwnDirectory(join(home, '.cache', 'codegenie'));
      ensureOwnDirectory(base);
      return base;
    } catch {
      // A home that cannot be written to, as many services have.
    }
  }
  const base = join(tmpdir(), `codegenie-containers-${userId()}`);
  ensureOwnDirectory(base);
  refuseForeign(base);
  return base;
}

/** Named after the storage it belongs to: podman refuses a storage whose run-time state has moved. */
function makeRunDirectory(base: string): string {
  const name = createHash('sha256').update(base).digest('hex').slice(0, 10);
  for (const parent of [`/run/user/${userId()}/codegenie`, '/run/codegenie', `/dev/shm/codegenie-run-${userId()}`]) {
    try {
      if (!isInMemory(join(parent, '..'))) continue;
      ensureOwnDirectory(parent);
      refuseForeign(parent);
      const run = join(parent, name);
      if (!existsSync(run)) sweepRunDirectories(parent);
      ensureOwnDirectory(run);
      if (!existsSync(join(run, ownMark))) writeAtomically(join(run, ownMark), base, { durable: false });
      return run;
    } catch {
      // We may not write there.
    }
  }
  const run = join(base, 'run');
  ensureOwnDirectory(run);
  return run;
}

/** State of storage that is gone: a home may be removed without it. */
function sweepRunDirectories(parent: string): void {
  for (const name of readdirSync(parent)) {
    try {
      const storage = readFileSync(join(parent, name, ownMark), 'utf8');
      if (!existsSync(storage)) rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Just being made by another process, or no longer there.
    }
  }
}

function isInMemory(path: string): boolean {
  return process.platform === 'linux' && existsSync(path) && statfsSync(path).type === tmpfsType;
}

/** In a directory where every user may write, another user may have made ours before us. */
function refuseForeign(path: string): void {
  const { uid, mode } = lstatSync(path);
  if (uid !== userId() || (mode & 0o077) !== 0) throw new Error(`${path} belongs to another user`);
}

function userId(): number {
  return process.getuid?.() ?? 0;
}
