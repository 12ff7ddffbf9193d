/** An indexer that crashes: told as failed, with what it said and what to do, by `status` and by a change that rests on it. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { type ChangeWorld, openChangeWorld } from '../support/change-world.ts';
import { runCli } from '../support/run-cli.ts';

const files = { 'a.py': 'def area():\n    pass\n\n\narea()\n' };
let base = '';
let world: ChangeWorld | undefined;

afterEach(async () => {
  await world?.dispose();
  rmSync(base, { recursive: true, force: true });
});

function putCrashing(): string {
  base = realpathSync(mkdtempSync(`${tmpdir()}/indexer-fails-`));
  const tool = `${base}/scip-python`;
  const script = '#!/bin/sh\nif [ "$1" = --version ]; then echo 0.6.6; exit 0; fi\necho "no such thing" >&2\nexit 3\n';
  writeFileSync(tool, script, { mode: 0o755 });
  return tool;
}

test('R24 a change that waits for it is told when it is tried again, and at last that it failed', async () => {
  const own = openChangeWorld(files, { config: false });
  world = own;
  own.settings = { semantic: { toolPaths: { 'scip-python': putCrashing() }, maxFileMb: 4 } };
  const ask = () => own.rename('a.py:def «area»', 'surface', { wait_ms: 20_000 });
  for (const seconds of [5, 30, 120, 600]) {
    const answer = await ask();
    expect(answer.outcome).toMatchObject({
      kind: 'blocked',
      reason: 'not_fresh',
      files: [{ path: 'a.py', state: 'unindexed' }],
      jobs: [{ context: 'python:.', status: 'queued', detail: expect.stringMatching(/tool crashed.*no such thing/) }],
      witness: {
        bounds: { contexts: ['python:.'], files_not_scanned: [{ path: 'a.py' }] },
        facts: [{ type: 'job', text: expect.stringContaining('the last run failed (tool crashed') }],
        invariants_failed: [expect.stringMatching(/^M8 /)],
        checklist: [{ how: '`codegenie index --semantic`' }],
      },
    });
    const { retry_after_ms } = answer.outcome as { retry_after_ms: number };
    expect(retry_after_ms).toBeGreaterThanOrEqual(seconds * 1_000);
    expect(answer.next).toContain('Ask again in');
    own.clock.nowMs += seconds * 1_000;
  }
  const last = await ask();
  expect(last.outcome).toMatchObject({
    kind: 'blocked',
    reason: 'refresh_failed',
    detail: expect.stringMatching(/the indexer of python:\. failed \(tool crashed.*no such thing/),
    jobs: [{ status: 'failed' }],
    retry_after_ms: null,
    can_force_syntactic: true,
  });
  expect(last.next).toContain('codegenie index --semantic --again');
});

test('R24 status says that it failed, why, and what to do; not that it is not indexed yet', async () => {
  const tool = putCrashing();
  const root = `${base}/tree`;
  mkdirSync(`${base}/.codegenie`, { recursive: true });
  mkdirSync(root);
  writeFileSync(`${base}/.codegenie/config.yaml`, `tools.scip-python.path: ${tool}\n`);
  writeFileSync(`${root}/a.py`, files['a.py']);
  const where = { cwd: root, home: base, environment: { CODEGENIE_STATE_DIR: `${base}/state` } };
  await runCli(['index', '--semantic'], where);
  const { stdout } = await runCli(['status'], where);
  expect(stdout).toMatch(/python:\.\s.*the indexer failed \(tool crashed.*no such thing.*\), and is tried again/);
  expect(stdout).not.toContain('not indexed yet');
  expect(stdout).toContain('1 indexer failed');
});
