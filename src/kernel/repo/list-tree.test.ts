import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';
import { silentLogger } from '../base/log.ts';
import { createExecHost } from '../exec/exec-host.ts';
import type { Exec } from '../exec/types.ts';
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

test('a repository that git cannot read is walked', async () => {
  tree.write('a.ts');
  tree.commit();
  writeFileSync(join(tree.root, '.git/index'), 'no index');
  const { lister } = openLister();
  expect(await lister.list()).toMatchObject({ head: 'none', entries: [{ path: 'a.ts', tracked: false }] });
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
