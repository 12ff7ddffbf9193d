/**
 * Private scratch directories of probes. They may hold cleartext, so they lie in memory where the system has it, are removed on every
 * exit path, and those of a gather that was killed are removed by the next one.
 */

import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { processStart } from '../kernel/base/processes.ts';

/** `codegenie-<probe>-<pid>.<start time>-<random>`: enough to tell a living owner from a dead one. */
const scratchName = /^codegenie-[a-z0-9_]+-(\d{1,10})\.([a-z0-9]+)-[A-Za-z0-9]{6}$/;

export function makeScratch(probeName: string): string {
  return mkdtempSync(`${scratchBase()}/codegenie-${probeName}-${process.pid}.${processStart(process.pid)}-`);
}

export function sweepScratch(): void {
  const base = scratchBase();
  for (const name of readdirSync(base)) {
    const match = scratchName.exec(name);
    if (match === null || processStart(Number(match[1])) === match[2]) continue;
    try {
      rmSync(`${base}/${name}`, { recursive: true, force: true });
    } catch (error) {
      // Another user's leftover is that user's to remove.
      if (!['EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function scratchBase(): string {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}
