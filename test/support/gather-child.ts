/**
 * A gather in a process of its own: `gather-child.ts <root> <home> [kill-at-step]`. Prints one JSON line with the outcome's kind
 * and the number of file operations since the lock was taken. With a step it ends itself there by SIGKILL, in the middle of the
 * operation where that is a write, so that every instant of publishing can be visited.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [root = '', home = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;
let counting = false;

function step(): void {
  if (!counting) return;
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const { linkSync, openSync, fsyncSync, renameSync, rmSync, mkdirSync, writeSync } = fs;
Object.assign(fs, {
  linkSync(...args: Parameters<typeof linkSync>) {
    // The user's key is made by a link too, before.
    counting ||= String(args[1]).endsWith('gather.lock');
    step();
    linkSync(...args);
    step();
  },
  openSync(...args: Parameters<typeof openSync>) {
    if (args[1] === 'wx') step();
    return openSync(...args);
  },
  writeSync(descriptor: number, bytes: Uint8Array, offset: number) {
    // The first half alone, so that there is an instant at which the file is torn.
    const isFirst = counting && typeof bytes !== 'string' && offset === 0;
    const written = isFirst
      ? writeSync(descriptor, bytes, 0, Math.ceil(bytes.length / 2))
      : writeSync(descriptor, bytes, offset);
    step();
    return written;
  },
  fsyncSync(descriptor: number) {
    step();
    fsyncSync(descriptor);
  },
  renameSync(...args: Parameters<typeof renameSync>) {
    step();
    renameSync(...args);
  },
  rmSync(...args: Parameters<typeof rmSync>) {
    step();
    rmSync(...args);
  },
  mkdirSync(...args: Parameters<typeof mkdirSync>) {
    step();
    return mkdirSync(...args);
  },
});
syncBuiltinESMExports();

const { createLocalWorkspace } = await import('../../src/serve/workspace/local-workspace.ts');
const { echoProbe } = await import('./engine-probes.ts');
const workspace = createLocalWorkspace({
  root,
  home,
  isGit: true,
  environment: { PATH: process.env['PATH'], HOME: home },
  cliVersion: '0.0.0',
  nowMs: Date.now,
  signal: new AbortController().signal,
  probes: [echoProbe('alpha', ['a/**']), echoProbe('beta', ['b/**'])],
});
const outcome = await workspace.gather({
  task: null,
  only: null,
  skip: [],
  mode: 'default',
  maxConcurrency: null,
  onProgress: () => {},
});
process.stdout.write(`${JSON.stringify({ kind: outcome.kind, steps })}\n`);
