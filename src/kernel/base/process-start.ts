/** Which process a pid means: a number is used again, a number with its start time is not. */

import { readFileSync } from 'node:fs';

/** Start time of a living process; `gone` for a dead one; on systems without /proc only whether it lives. */
export function processStart(pid: number): string {
  const stat = readStat(pid);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing.
    return fields[0] === 'Z' ? 'gone' : (fields[19] ?? 'unknown');
  }
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : 'gone';
  }
}

export function isProcessGone(pid: number): boolean {
  return processStart(pid) === 'gone';
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
}
