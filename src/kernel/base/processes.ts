/** Which process a pid means: a number is used again, a number with its start time is not. */

import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Start time of a living process; `gone` for a dead one; on systems without /proc only whether it lives. */
export function processStart(pid: number): string {
  const stat = readStatLine(pid);
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

function readStatLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
}

// The processes below one, by parent (Linux). A group does not hold them all: a sandbox puts what runs inside into a session of its
// own. Orphans of a sandbox stay below it (its first process adopts them); orphans of a plain run do not, and are not seen here.

export type TreeProcess = {
  readonly pid: number;
  /** As `processStart` has it. */
  readonly start: string;
};

/** Without `root` itself; zombies are left out. Empty where there is no /proc. */
export function listDescendants(root: number): TreeProcess[] {
  const children = new Map<number, TreeProcess[]>();
  for (const pid of listPids()) {
    const found = readStat(pid);
    if (found === undefined) continue;
    const siblings = children.get(found.parent);
    if (siblings === undefined) children.set(found.parent, [found]);
    else siblings.push(found);
  }
  const below: TreeProcess[] = [];
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    for (const child of children.get(pid) ?? []) {
      below.push({ pid: child.pid, start: child.start });
      pending.push(child.pid);
    }
  }
  return below;
}

export type TreeUse = {
  /** What is resident, shared pages counted once per process. */
  readonly residentBytes: number;
  /** Time on a processor so far, of those that are there now; 0 where the system does not tell. */
  readonly ticks: number;
};

/** Of a process and of all below it. */
export function measureTree(root: number): TreeUse {
  const pids = [root, ...listDescendants(root).map(({ pid }) => pid)];
  const sum = (of: (pid: number) => number): number => pids.reduce((all, pid) => all + of(pid), 0);
  return { residentBytes: sum(residentOf), ticks: sum((pid) => readStat(pid)?.ticks ?? 0) };
}

export function residentBytes(root: number): number {
  return measureTree(root).residentBytes;
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readStat(pid: number): (TreeProcess & { readonly parent: number; readonly ticks: number }) | undefined {
  try {
    // `pid (name) state parent …`; the name may hold anything, a parenthesis too.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return {
      pid,
      parent: Number(fields[1]),
      start: fields[19] ?? 'unknown',
      ticks: Number(fields[11]) + Number(fields[12]),
    };
  } catch {
    return undefined;
  }
}

function residentOf(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

// Gives back what is no longer used, now instead of when more is needed: for a process that has just done much and will do nothing for
// long. The collector is reached through a flag of the engine, because Node has no other way to ask for it.

export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
