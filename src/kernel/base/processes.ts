/**
 * Processes of this machine. Which one a pid means: a number is used again, a number with its start time is not. Which ones run below
 * another, and what they use. Linux tells by /proc; elsewhere only whether a process lives is known.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readTextIfThere } from './if-there.ts';

/** A process for good: no other ever has the same pid and start. */
export type TreeProcess = {
  readonly pid: number;
  /** As `processStart` has it. */
  readonly start: string;
};

type TreeUse = {
  /** What is resident, shared pages counted once per process. */
  readonly residentBytes: number;
  /** Time on a processor so far, of those that are there now; 0 where the system does not tell. */
  readonly ticks: number;
};

/** What this process has started and has to undo before it ends, because it would outlive it: containers, mounted images. */
export const owed = new Set<object>();

let listen: (() => void) | undefined;

/** `act` is called once, by the first `beginWork`: until then signals end the process at once, even while it loads its modules and hears nothing. */
export function whenWorkBegins(act: () => void): void {
  listen = act;
}

/** Called before a process is started or a lock is taken: from here on there is something to put away before this process may end. */
export function beginWork(): void {
  listen?.();
  listen = undefined;
}

/** Start time of a living process; `gone` for a dead one; on systems without /proc only whether it lives. */
export function processStart(pid: number): string {
  const stat = readStat(pid);
  if (stat !== undefined) return isEnded(stat) ? 'gone' : stat.start;
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    // Another user's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : 'gone';
  }
}

export function isProcessGone(pid: number): boolean {
  return processStart(pid) === 'gone';
}

/** What the holder of a lock says of itself: this process, at this boot of the machine, and this one taking of the lock. */
export function describeHolder(): string {
  const nonce = randomBytes(8).toString('hex');
  return JSON.stringify({ pid: process.pid, boot: bootId(), started: processStart(process.pid), nonce });
}

/** Whether it has ended since, or never was one: what is no description was not written by `describeHolder`. */
export function isHolderGone(holder: string): boolean {
  try {
    const owner = JSON.parse(holder) as { pid?: unknown; boot?: unknown; started?: unknown };
    if (typeof owner.pid !== 'number' || owner.boot !== bootId()) return true;
    const start = processStart(owner.pid);
    // Another user's process whose start the system does not tell lives.
    return start !== owner.started && start !== 'alive';
  } catch {
    return true;
  }
}

function bootId(): string {
  return readTextIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
}

/** Does any process of the group still run? Only where there is a /proc. */
export function hasLiveMember(group: number): boolean {
  return listPids().some((pid) => {
    const stat = readStat(pid);
    return stat !== undefined && stat.group === group && !isEnded(stat);
  });
}

/**
 * Every process below `root`, by parent, without `root` itself and without zombies; empty where there is no /proc. A process group does
 * not hold them all: a sandbox puts what runs inside into a session of its own. Orphans of a sandbox stay below it, because its first
 * process adopts them; orphans of a plain run do not, and are not listed.
 */
export function listDescendants(root: number): TreeProcess[] {
  const children = new Map<number, TreeProcess[]>();
  for (const pid of listPids()) {
    const found = readStat(pid);
    if (found === undefined || isEnded(found)) continue;
    const child = { pid, start: found.start };
    const siblings = children.get(found.parent);
    if (siblings === undefined) children.set(found.parent, [child]);
    else siblings.push(child);
  }
  const below: TreeProcess[] = [];
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    for (const child of children.get(pid) ?? []) {
      below.push(child);
      pending.push(child.pid);
    }
  }
  return below;
}

/** Of a process and of all below it. It is looked at again and again, so one that starts or ends at this moment may be missed. */
export function measureTree(root: number): TreeUse {
  const pids = listTree(root);
  const sum = (of: (pid: number) => number): number => pids.reduce((all, pid) => all + of(pid), 0);
  return { residentBytes: sum(residentOf), ticks: sum(ticksOf) };
}

/**
 * What a process and all below it have computed so far, where each of them sleeps; undefined where one runs or waits for a disk, and where the
 * system does not tell. Equal for a while: they wait for something that does not come.
 */
export function sleepingTicks(root: number): number | undefined {
  let ticks = 0;
  for (const pid of [root, ...listDescendants(root).map(({ pid }) => pid)]) {
    const stat = readStat(pid);
    if (stat === undefined || isEnded(stat)) continue;
    if (stat.state !== 'S') return undefined;
    ticks += stat.ticks + 1;
  }
  return ticks === 0 ? undefined : ticks;
}

export function residentBytes(root: number): number {
  return listTree(root).reduce((sum, pid) => sum + residentOf(pid), 0);
}

/**
 * Gives memory of this process back now instead of when more is needed: for a process that has just done much and will do nothing for
 * long. The collector is reached through a flag of the engine, because Node has no other way to ask for it.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

/** By the kernel's lists of children, which every thread has of its own; where it keeps none, by the parents of all processes there are. */
function listTree(root: number): readonly number[] {
  const pids = [root];
  // A list may grow while it is walked.
  for (const pid of pids) {
    const children = listChildren(pid);
    if (children === undefined && pid === root) return [root, ...listDescendants(root).map((below) => below.pid)];
    pids.push(...(children ?? []));
  }
  return pids;
}

function listChildren(pid: number): readonly number[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return undefined;
  }
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

type Stat = {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly ticks: number;
  readonly start: string;
};

/** `pid (name) state parent group …`; the name may hold anything, a parenthesis too. */
function readStat(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      state: fields[0] ?? '',
      parent: Number(fields[1]),
      group: Number(fields[2]),
      ticks: Number(fields[11]) + Number(fields[12]),
      start: fields[19] ?? 'unknown',
    };
  } catch {
    return undefined;
  }
}

/** A zombie holds nothing and does nothing. */
function isEnded({ state }: Stat): boolean {
  return state === 'Z' || state === 'X';
}

function ticksOf(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined || isEnded(stat) ? 0 : stat.ticks;
}

function residentOf(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** A negative number is a group. One that is gone already is no error. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
