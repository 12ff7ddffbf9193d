/** `npm run new` in a copy of this repository: every skeleton is in its registry, has no type error, and its example runs. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'codegenie-new-'));
const kinds = ['probe', 'refactoring', 'operation', 'command', 'language'] as const;

function run(program: string, ...words: readonly string[]): { readonly status: number | null; readonly said: string } {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const environment = { ...process.env, PATH: path, CODEGENIE_TEST_INSTALL: '0' };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: copy, encoding: 'utf8', env: environment });
  return { status, said: `${stdout}${stderr}` };
}

beforeAll(() => {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const wanted =
    /^(?:src|scripts|schemas|bin|bench\/real-corpus|test\/(?:support|setup|probe-examples|syntax-goldens|fixtures\/syntax)|docs)|^[^/]+$/;
  for (const path of stdout.split('\n').filter((one) => wanted.test(one)))
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('each kind, with its example', () => {
  for (const kind of kinds) {
    const { status, said } = run(process.execPath, 'scripts/new.ts', kind, `sample_${kind}`);
    expect(said).toContain('written:');
    expect(status, said).toBe(0);
  }
  expect(run('node_modules/.bin/tsc', '--noEmit')).toEqual({ status: 0, said: '' });
  const examples = [
    'test/probe-examples.test.ts',
    'src/mutate/sample-refactoring',
    'test/serve/sample-operation.test.ts',
    'test/e2e/sample-command.test.ts',
    'src/languages/samplelanguage',
    'src/languages/samplelanguage',
  ];
  const { status, said } = run('node_modules/.bin/vitest', 'run', ...examples, '-t', 'sample|answers|declared');
  expect(said).toMatch(/Test Files .*5 passed/);
  expect(status, said).toBe(0);
});

test('a name that is taken or no name, and a kind that is none, are refused', () => {
  expect(run(process.execPath, 'scripts/new.ts', 'probe', 'ci')).toMatchObject({ status: 2 });
  expect(run(process.execPath, 'scripts/new.ts', 'probe', 'No Name')).toMatchObject({ status: 2 });
  expect(run(process.execPath, 'scripts/new.ts', 'room', 'attic')).toMatchObject({ status: 2 });
});
