/** S15 on a volume that is really full: a small tmpfs, which only root may mount. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { type CliEnding, runCli } from '../support/run-cli.ts';

const source = 'export function f() {\n  const one = 1;\n  return one;\n}\n';
const config =
  '{ "compilerOptions": { "strict": true, "lib": ["esnext"], "module": "nodenext" }, "include": ["src"] }\n';

let base = '';
let volume = '';
let root = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(`${tmpdir()}/full-disk-`));
  volume = `${base}/volume`;
  root = `${base}/tree`;
  mkdirSync(volume);
  mkdirSync(`${root}/src`, { recursive: true });
  writeFileSync(`${root}/tsconfig.json`, config);
  writeFileSync(`${root}/src/a.ts`, source);
});

afterEach(() => {
  if (canMount) execFileSync('umount', ['--lazy', volume]);
  rmSync(base, { recursive: true, force: true });
});

const canMount = process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const at = mkdtempSync(`${tmpdir()}/full-disk-try-`);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at], { stdio: 'ignore' });
    execFileSync('umount', [at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

function mount(): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', volume]);
}

const cli = (...argv: string[]): Promise<CliEnding> =>
  runCli(argv, { cwd: root, home: base, environment: { CODEGENIE_STATE_DIR: `${volume}/state` } });

/** To the last block: files may still grow into blocks that they have. */
function fill(): void {
  const { bavail, bsize } = statfsSync(volume);
  writeFileSync(`${volume}/filler`, Buffer.alloc(bavail * bsize));
}

const makeRoom = (): void => rmSync(`${volume}/filler`);

function checkAdvice({ code, stdout, stderr }: CliEnding): void {
  const said = `${stdout}${stderr}`;
  expect(said).toMatch(/make room|see whether its volume is full|not enough space/i);
  expect(said).not.toMatch(/remove|delete|made anew|away/);
  expect(code).not.toBe(exitCodes.internal.code);
}

test.skipIf(!canMount)('S15 a full disk loses no plan and no undo, and is told as a full disk', async () => {
  mount();
  const planned = JSON.parse((await cli('rename', 'src/a.ts:2:9', 'two', '--json')).stdout);
  const { id } = planned.outcome.plan;
  fill();
  for (const argv of [['plan', 'list'], ['status'], ['refs', 'src/a.ts:2:9'], ['index'], ['plan', 'commit', id]])
    checkAdvice(await cli(...argv));
  expect((await cli('doctor')).stdout).not.toMatch(/code index.*anew/);
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source);

  makeRoom();
  expect((await cli('plan', 'commit', id)).code).toBe(0);
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source.replaceAll('one', 'two'));
  fill();
  checkAdvice(await cli('plan', 'undo', id));
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source.replaceAll('one', 'two'));
  makeRoom();
  expect((await cli('plan', 'undo', id)).code).toBe(0);
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source);
});

test.skipIf(!canMount)('S15 a gather on a full disk says so, and its old context stays', async () => {
  mount();
  expect((await cli('gather', '.', '--only', 'language_detection')).code).toBe(0);
  const before = readFileSync(`${root}/.codegenie/context/repo-context.yaml`, 'utf8');
  writeFileSync(`${root}/src/b.ts`, source);
  fill();
  checkAdvice(await cli('gather', '.', '--only', 'language_detection'));
  expect(readFileSync(`${root}/.codegenie/context/repo-context.yaml`, 'utf8')).toBe(before);
});

test.skipIf(!canMount)('S15 a first start on a full disk says so, whatever is asked', async () => {
  mount();
  fill();
  for (const argv of [['index'], ['status'], ['refs', 'src/a.ts:2:9'], ['rename', 'src/a.ts:2:9', 'two', '--apply']])
    checkAdvice(await cli(...argv));
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source);
});

test.skipIf(!canMount)(
  'S15 a full disk can be cleaned: what is derived goes, what cannot be made again stays',
  async () => {
    mount();
    const planned = JSON.parse((await cli('rename', 'src/a.ts:2:9', 'two', '--json')).stdout);
    const { id } = planned.outcome.plan;
    fill();
    const cleaned = await cli('clean');
    expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringContaining('/index') });
    makeRoom();
    expect((await cli('plan', 'commit', id)).code).toBe(0);
    expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source.replaceAll('one', 'two'));
  },
);

test.skipIf(!canMount)('S15 a tree on a full disk is left as it is by a commit and by an undo', async () => {
  mount();
  const moved = `${volume}/tree`;
  cpSync(root, moved, { recursive: true });
  root = moved;
  const own = (...argv: string[]) => runCli(argv, { cwd: moved, home: base });
  const planned = JSON.parse((await own('rename', 'src/a.ts:2:9', 'two', '--json')).stdout);
  const { id } = planned.outcome.plan;
  fill();
  checkAdvice(await own('plan', 'commit', id));
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source);
  makeRoom();
  expect((await own('plan', 'commit', id)).code).toBe(0);
  fill();
  checkAdvice(await own('plan', 'undo', id));
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source.replaceAll('one', 'two'));
  makeRoom();
  expect((await own('plan', 'undo', id)).code).toBe(0);
  expect(readFileSync(`${root}/src/a.ts`, 'utf8')).toBe(source);
});
