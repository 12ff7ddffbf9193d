import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SyncEvent } from '../index/sync/sync-loop.ts';
import type { Invocation } from './command.ts';
import { createSyncLog } from './sync-log.ts';

let base: string;
let fd: number | undefined;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sync-log-')));
});
afterEach(() => {
  if (fd !== undefined) closeSync(fd);
  fd = undefined;
  rmSync(base, { recursive: true, force: true });
});

const outcome = { listed: 1, written: 1, deleted: 0, resolvedAgain: 0, generation: 2 } as unknown as (SyncEvent & {
  kind: 'reconciled';
})['outcome'];
const reconciled: SyncEvent = { kind: 'reconciled', why: 'watcher', outcome, ms: 1 };
const failed: SyncEvent = { kind: 'failed', why: 'watcher', error: new Error('no\u001b[31m luck') };

function logTo(root: string, file: string, verbose = false) {
  fd = openSync(file, 'w');
  const said: string[] = [];
  const stream = { fd, write: (text: string) => void said.push(text) };
  const globals = { repo: undefined, json: false, quiet: false, verbose, color: false };
  const terminal = {
    ...{ cwd: root, home: root, environment: {}, stdout: stream, stderr: stream },
    ...{ signal: new AbortController().signal, nowMs: () => 0 },
  };
  const invocation: Invocation = { args: [], flags: {}, globals, terminal };
  return { log: createSyncLog(root, invocation, () => {}), said };
}

test('a log inside the root reports no reconcile, which would be of itself, and says so', () => {
  const { log, said } = logTo(base, join(base, 'serve.log'));
  log.show({ kind: 'ready', first: outcome });
  expect(said.join('')).toContain('note: this output is a file inside the root');
  const before = said.length;
  log.show(reconciled);
  log.show(failed);
  log.show(failed);
  expect(said.slice(before)).toEqual([expect.stringContaining('no[31m luck')]);
});

test('a log elsewhere, or asked for, reports each reconcile', () => {
  const apart = logTo(join(base, 'root'), join(base, 'serve.log'));
  apart.log.show(reconciled);
  expect(apart.said).toEqual([expect.stringContaining('1 indexed')]);
  closeSync(fd as number);
  const asked = logTo(base, join(base, 'serve.log'), true);
  asked.log.show(reconciled);
  expect(asked.said).toEqual([expect.stringContaining('1 indexed')]);
});

test('what is wrong with contexts.json is said where the index is kept: readers leave contexts to it', () => {
  const { log, said } = logTo(join(base, 'root'), join(base, 'serve.log'));
  log.showRefresh({ kind: 'context_problems', problems: ['.codegenie/contexts.json: no\u001b[31m', 'and more'] });
  expect(said).toEqual([
    expect.stringContaining('.codegenie/contexts.json: no[31m\n'),
    expect.stringContaining(' and more\n'),
  ]);
});
