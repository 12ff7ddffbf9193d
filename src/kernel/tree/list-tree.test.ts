import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';
import { silentLogger } from '../base/log.ts';
import type { Exec } from '../exec/exec.ts';
import { createExecHost } from '../exec/exec-host.ts';
import { createTreeLister, parseStage } from './list-tree.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
});
afterEach(() => tree.dispose());

/** A lister, and the sub-commands that it asked git for. */
function openLister(signal = new AbortController().signal) {
  const asked: string[] = [];
  const environment = { PATH: process.env['PATH'], HOME: join(tree.place, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const lister = createTreeLister(tree.root, () => {
    const host = createExecHost({ root: tree.root, environment, toolPaths: {}, logger: silentLogger });
    const { git } = host.bind({ name: 'test', signal, workspace: tree.root });
    const counted: Exec['git'] = (args, options) => {
      asked.push(args.join(' '));
      return git(args, options);
    };
    return counted;
  });
  const paths = async () => (await lister.list()).entries.map((entry) => entry.path);
  return { lister, paths, stageAsked: () => asked.filter((args) => args.includes('--stage')).length };
}

test('an unchanged tree gives the same object, and what git tracks is asked for once', async () => {
  tree.write('a.ts');
  tree.commit();
  const { lister, stageAsked } = openLister();
  const first = await lister.list();
  expect(await lister.list()).toBe(first);
  tree.write('a.ts', 'other bytes');
  expect(await lister.list()).toBe(first);
  expect(stageAsked()).toBe(1);
});

test('F8 what git tracks is asked for again when its index changes, and only then', async () => {
  tree.write('a.ts');
  tree.write('.gitignore', 'out/\n');
  tree.commit();
  tree.write('out/b.ts');
  const { paths, stageAsked } = openLister();
  expect(await paths()).toEqual(['.gitignore', 'a.ts']);
  tree.git('add', '-f', 'out/b.ts');
  expect(await paths()).toEqual(['.gitignore', 'a.ts', 'out/b.ts']);
  tree.write('new.ts');
  expect(await paths()).toEqual(['.gitignore', 'a.ts', 'new.ts', 'out/b.ts']);
  expect(stageAsked()).toBe(2);
  tree.git('rm', '-q', '--cached', 'out/b.ts');
  expect(await paths()).toEqual(['.gitignore', 'a.ts', 'new.ts']);
  expect(stageAsked()).toBe(3);
});

test('HEAD, ignore files and untracked names make a new listing', async () => {
  tree.write('a.ts');
  tree.commit();
  const { lister } = openLister();
  let last = await lister.list();
  const changes = [
    () => tree.git('commit', '-q', '--allow-empty', '-m', 'next'),
    () => tree.write('.cplignore', '*.log\n'),
    () => tree.write('.cplignore', '*.tmp\n'),
    () => tree.write('sub/new.ts'),
    () => tree.write('.gitignore', 'sub/\n'),
    () => rmSync(join(tree.root, '.gitignore')),
  ];
  for (const change of changes) {
    change();
    const next = await lister.list();
    expect(next, String(change)).not.toBe(last);
    expect(await lister.list()).toBe(next);
    last = next;
  }
});

test('F9 HEAD is a commit, unborn or none', async () => {
  const { lister } = openLister();
  tree.write('a.ts');
  expect(await lister.list()).toMatchObject({ head: 'unborn', gitIndexSignature: 'absent' });
  tree.commit();
  expect((await lister.list()).head).toBe(tree.git('rev-parse', 'HEAD').trim());
  const walker = createTreeLister(tree.root, undefined);
  const walked = await walker.list();
  expect(walked).toMatchObject({ head: 'none', gitIndexSignature: null });
  expect(await walker.list()).toBe(walked);
  tree.write('b.ts');
  expect((await walker.list()).entries.map((entry) => entry.path)).toEqual(['a.ts', 'b.ts']);
});

test('F4 a repository that git cannot read is walked, and the listing says so until git can', async () => {
  tree.write('a.ts');
  tree.write('vendor/v.ts');
  tree.commit();
  const { lister, paths } = openLister();
  const good = await lister.list();
  expect(good.problem).toBeNull();
  const index = readFileSync(join(tree.root, '.git/index'));
  writeFileSync(join(tree.root, '.git/index'), 'no index');
  const walked = await lister.list();
  expect(walked).toMatchObject({ head: good.head, entries: [{ path: 'a.ts', tracked: false }] });
  expect(walked.problem).toMatch(/^git ls-files --stage: exit code 128/);
  expect(await lister.list()).toBe(walked);
  expect((await openLister().lister.list()).problem).toBe(walked.problem);
  writeFileSync(join(tree.root, '.git/index'), index);
  expect(await paths()).toEqual(['a.ts', 'vendor/v.ts']);
  expect((await lister.list()).problem).toBeNull();
});

test('a root without .git is walked without a problem', async () => {
  tree.write('a.ts');
  rmSync(join(tree.root, '.git'), { recursive: true });
  const listing = await openLister().lister.list();
  expect(listing).toMatchObject({ head: 'none', problem: null, entries: [{ path: 'a.ts' }] });
});

/** A git of which one question fails, as long as `broken` says so. */
function openBroken(question: string) {
  const state = { broken: true };
  const environment = { PATH: process.env['PATH'], HOME: join(tree.place, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const host = createExecHost({ root: tree.root, environment, toolPaths: {}, logger: silentLogger });
  const { git } = host.bind({ name: 'test', signal: new AbortController().signal, workspace: tree.root });
  const lister = createTreeLister(tree.root, () => async (args, options) => {
    if (state.broken && args.includes(question)) return { kind: 'timed_out', elapsedMs: 1, stderrTail: '' };
    return git(args, options);
  });
  return { lister, state };
}

test('F9 a question about HEAD that fails is a problem, and is asked again', async () => {
  tree.write('a.ts');
  tree.commit();
  const { lister, state } = openBroken('rev-parse');
  const listing = await lister.list();
  expect(listing).toMatchObject({ head: 'none', problem: 'git rev-parse HEAD: timed out' });
  expect(listing.entries).toMatchObject([{ path: 'a.ts', tracked: true }]);
  state.broken = false;
  const head = tree.git('rev-parse', 'HEAD').trim();
  expect(await lister.list()).toMatchObject({ head, problem: null });
});

test('a failing question about ignored files is a problem: what negations bring back may be missing', async () => {
  tree.write('.gitignore', '*.log\n');
  tree.write('.cplignore', '!*.log\n');
  tree.write('a.log');
  const { lister, state } = openBroken('--ignored');
  expect((await lister.list()).problem).toBe('git ls-files --ignored: timed out');
  state.broken = false;
  const listing = await lister.list();
  expect(listing.problem).toBeNull();
  expect(listing.byPath.has('a.log')).toBe(true);
});

test('a listing that is cancelled rejects: it does not become another one', async () => {
  tree.write('.gitignore', 'out/\n');
  tree.write('out/tracked.ts');
  tree.git('add', '-f', 'out/tracked.ts');
  tree.commit();
  const interrupt = new AbortController();
  const { lister } = openLister(interrupt.signal);
  await lister.list();
  const pending = lister.list();
  interrupt.abort(new Error('interrupted'));
  await expect(pending).rejects.toThrow();
  await expect(lister.list()).rejects.toThrow();
});

test('F7 skip-worktree is absent, a gitlink is nothing, an unfinished merge is one entry', () => {
  const record = (tag: string, mode: string, stage: number, path: string) =>
    `${tag} ${mode} ${'0'.repeat(40)} ${stage}\t${path}\0`;
  const output = [
    record('H', '100644', 0, 'a.ts'),
    record('S', '100644', 0, 'b\tc.ts'),
    record('H', '160000', 0, 'sub'),
    record('M', '100644', 1, 'd.ts'),
    record('M', '100644', 2, 'd.ts'),
    record('M', '100644', 3, 'd.ts'),
    record('H', '120000', 0, 'link'),
  ];
  expect(parseStage(Buffer.from(output.join(''))).entries).toEqual([
    { path: 'a.ts', tracked: true, absent: false, conflicted: false },
    { path: 'b\tc.ts', tracked: true, absent: true, conflicted: false },
    { path: 'd.ts', tracked: true, absent: false, conflicted: true },
    { path: 'link', tracked: true, absent: false, conflicted: false },
  ]);
});

test('F5 a .cplignore behind a link is not read, also where the folder became one', async () => {
  tree.write('dir/.cplignore', '*.ts\n');
  tree.write('dir/a.ts');
  tree.commit();
  const { paths } = openLister();
  expect(await paths()).toEqual(['dir/.cplignore']);
  rmSync(join(tree.root, 'dir/.cplignore'));
  writeFileSync(join(tree.place, 'rules'), '*.ts\n');
  symlinkSync(join(tree.place, 'rules'), join(tree.root, 'dir/.cplignore'));
  expect(await paths()).toEqual(['dir/.cplignore', 'dir/a.ts']);
});
