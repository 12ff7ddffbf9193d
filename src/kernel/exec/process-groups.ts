/**
 * The process groups that are alive. Groups are ended by the id held here, never by name, and none outlives this process:
 * if it exits with groups left, they are killed on the way out.
 */

import { readdirSync, readFileSync } from 'node:fs';

export type ProcessGroup = {
  /** Id of the group, which is the pid of its leader. */
  readonly id: number;
  /** Begins SIGTERM, grace, SIGKILL. */
  readonly end: () => void;
  /** Resolves when nothing of the group is left, or nothing more can be done. */
  readonly settled: Promise<unknown>;
};

export type ProcessGroups = {
  /** The answer takes the group off the list again: from then on its id may belong to somebody else. */
  add(group: ProcessGroup): () => void;
  list(): readonly number[];
  endAll(): Promise<void>;
};

const alive = new Set<number>();
let killsOnExit = false;

export function createProcessGroups(): ProcessGroups {
  const groups = new Set<ProcessGroup>();
  return {
    add(group) {
      groups.add(group);
      alive.add(group.id);
      if (!killsOnExit) process.on('exit', killEveryGroup);
      killsOnExit = true;
      return () => {
        groups.delete(group);
        alive.delete(group.id);
      };
    },
    list: () => [...groups].map((group) => group.id).sort((a, b) => a - b),
    async endAll() {
      const all = [...groups];
      for (const group of all) group.end();
      await Promise.allSettled(all.map((group) => group.settled));
    },
  };
}

/** False when there is nobody left to signal. Windows has no groups: there the leader alone is signalled. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? id : -id, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is there who has changed user; ESRCH: nobody is.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Is anybody of the group still running? An orphan that has ended stays a zombie until the machine's first process reaps it,
 * in some containers forever; a zombie can be signalled but does nothing, so it counts as gone.
 */
export function isGroupAlive(id: number): boolean {
  if (!signalGroup(id, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isMember(entry, id));
}

function isMember(pid: string, group: number): boolean {
  try {
    // `pid (name) state parent group …`; the name may hold anything, a parenthesis too.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return memberOf === String(group) && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

function killEveryGroup(): void {
  for (const id of alive) signalGroup(id, 'SIGKILL');
}
