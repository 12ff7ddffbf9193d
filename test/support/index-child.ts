/**
 * A process that indexes a tree and can be killed at any step: `index-child.ts <root> <data dir> <step>`.
 * A step is a call that changes what is on disk: a statement, a rename, a flush. Before that call the process kills itself; with
 * step 0 it goes on to the end and prints how many there were. Only what comes after the given number of steps is counted alike
 * from run to run, because files are described in one thread and written in the order of the listing.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [root = '', stateDir = '', at = '0'] = process.argv.slice(2);
const last = Number(at);
let steps = 0;

function count(): void {
  steps += 1;
  if (steps === last) process.kill(process.pid, 'SIGKILL');
}

/** The same function, counted. */
function counted<T extends object, K extends keyof T>(owner: T, name: K): void {
  const original = owner[name] as (...args: unknown[]) => unknown;
  owner[name] = function (this: unknown, ...args: unknown[]) {
    count();
    return original.apply(this, args);
  } as T[K];
}

counted(DatabaseSync.prototype, 'exec');
counted(StatementSync.prototype, 'run');
for (const name of ['renameSync', 'fsyncSync', 'rmSync', 'unlinkSync'] as const) counted(fs, name);
syncBuiltinESMExports();

const { openIndexSession } = await import('../../src/index/sync/index-session.ts');
const { sessionSettings } = await import('./indexed-tree.ts');
const opened = await openIndexSession({ ...sessionSettings(root, stateDir, true), waitMs: 0 });
if (opened.kind !== 'open') throw new Error(opened.kind);
await opened.session.close();
process.stdout.write(`${steps}\n`);
