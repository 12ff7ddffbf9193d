/**
 * Runs once before the tests: their temporary directories lie in memory, where the machine has room for that, and what they leave goes
 * with the run. On a disk a third of their processor time went into looking for free inodes. What a crash leaves is the same in both:
 * nothing here ends the machine, and what processes wrote stays when they are killed.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessGone } from '../../src/kernel/base/processes.ts';

const memory = '/dev/shm';
const tmpfs = 0x01021994;
/** The whole suite needs less at any time. */
const neededBytes = 4 * 2 ** 30;
/** Named after the process of the run. Short: the address of a socket below it holds 107 characters. */
const named = /^cg([0-9a-z]+)$/;

export default function scratchInMemory(): (() => void) | undefined {
  const scratch = join(memory, `cg${process.pid.toString(36)}`);
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  try {
    const { type, bsize, bavail } = statfsSync(memory);
    if (type !== tmpfs || bsize * bavail < neededBytes) return undefined;
    sweep();
    remove();
    mkdirSync(scratch, { mode: 0o700 });
  } catch {
    return undefined;
  }
  if (!runsPrograms(scratch)) {
    remove();
    return undefined;
  }
  process.env['TMPDIR'] = scratch;
  return remove;
}

/** Containers often mount it `noexec`, and tests put programs beside their trees. */
function runsPrograms(directory: string): boolean {
  const program = join(directory, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}

/** What a run that was killed has left. */
function sweep(): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = named.exec(name) ?? [];
    if (pid !== undefined && isProcessGone(Number.parseInt(pid, 36)))
      rmSync(join(memory, name), { recursive: true, force: true });
  }
}
