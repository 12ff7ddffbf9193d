/**
 * Runs once before the tests: their temporary directories lie in memory, where the machine has room for that, and what they leave goes with
 * the run. A disk spends a third of the suite's time on looking for free inodes. What a crash leaves is the same in both: nothing here
 * ends the machine, and what processes wrote stays when they are killed.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** A run of the whole suite needs less than half of this at any time. */
const neededBytes = 4 * 2 ** 30;
const tmpfs = 0x01021994;

export default function scratchInMemory(): () => void {
  const scratch = mkdtempSync(join(findRoom(), 'codegenie-suite-'));
  process.env['TMPDIR'] = realpathSync(scratch);
  return () => {
    // Tests take rights away from directories, and root needs none.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  };
}

function findRoom(): string {
  try {
    const { type, bsize, bavail } = statfsSync(memory);
    return type === tmpfs && bsize * bavail >= neededBytes && canRunPrograms(memory) ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Containers often mount it `noexec`, and tests put programs beside their trees. */
function canRunPrograms(directory: string): boolean {
  const place = mkdtempSync(join(directory, 'codegenie-suite-'));
  try {
    const program = join(place, 'program');
    writeFileSync(program, '#!/bin/sh\nexit 0\n');
    chmodSync(program, 0o700);
    return spawnSync(program).status === 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
