/** Trees made to break a listing. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
});
afterEach(() => tree.dispose());

const oddNames = [
  'line\nfeed.ts',
  '\u001b[31mred.ts',
  'bidi\u202etxt.ts',
  '"quoted\'.ts',
  '--flag',
  '-',
  ' leading and trailing ',
  'back\\slash',
  '*.ts',
  '[a]',
  '{a,b}',
  '!not',
  '#hash',
  'replacement\ufffd.ts',
  'e\u0301',
  '\u00e9',
  'n'.repeat(255),
];

test('G28 odd names are listed as they are, tracked or not, with git and without', async () => {
  for (const name of oddNames) tree.write(`dir/${name}`);
  const expected = oddNames.map((name) => `dir/${name}`).sort();
  for (const commit of [() => {}, () => tree.commit()]) {
    commit();
    for (const git of [true, false]) {
      const { scope } = await tree.list({ git });
      expect(scope.files.map((file) => file.path).sort()).toEqual(expected);
      expect(scope.gaps).toEqual([]);
      for (const path of expected) expect(scope.exists(path)).toBe(true);
    }
  }
  expect((await tree.list()).git.dirtyFiles).toEqual([]);
});

test('G28 a name that is not UTF-8 is a gap under its escaped name, and its neighbours are listed', async () => {
  const bytes = Buffer.concat([Buffer.from(`${tree.root}/dir/bad`), Buffer.from([0xff]), Buffer.from('.ts')]);
  tree.write('dir/good.ts');
  writeFileSync(bytes, '');
  const gap = (path: string) => [{ path, reason: 'name_not_utf8' }];
  for (const commit of [() => {}, () => tree.commit()]) {
    commit();
    const withGit = await tree.list();
    expect(withGit.scope.files.map((file) => file.path)).toEqual(['dir/good.ts']);
    expect(withGit.scope.gaps).toEqual(gap('dir/bad\\xff.ts'));
    const walked = await tree.list({ git: false });
    expect(walked.scope.files.map((file) => file.path)).toEqual(['dir/good.ts']);
    expect(walked.scope.gaps).toEqual(gap('dir/bad\\xff.ts'));
  }
});

test('G28 a tracked name that this disk cannot hold is a gap', async () => {
  tree.write('a.ts');
  tree.git('add', 'a.ts');
  const blob = tree.git('hash-object', '-w', 'a.ts').trim();
  for (const path of ['x'.repeat(300), `deep/${'y'.repeat(300)}/z`]) {
    tree.git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  }
  const { scope } = await tree.list();
  expect(scope.files.map((file) => file.path)).toEqual(['a.ts']);
  // Below a directory that is not there nothing is; only a name that cannot be asked for is unknown.
  expect(scope.gaps).toEqual([{ path: 'x'.repeat(300), reason: 'ENAMETOOLONG' }]);
});

test('G29 a FIFO, a socket and a directory named package.json are not files', async () => {
  tree.write('a.ts');
  tree.write('package.json/inner.ts');
  execFileSync('mkfifo', [join(tree.root, 'pipe.json')]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(tree.root, 'socket.json'), resolve));
  try {
    for (const git of [true, false]) {
      const { scope } = await tree.list({ git });
      expect(scope.files.map((file) => file.path)).toEqual(['a.ts', 'package.json/inner.ts']);
      expect(scope.match(['**/package.json'])).toEqual([]);
    }
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('G29 a tracked file that became a FIFO or a directory is not listed', async () => {
  tree.write('a.json');
  tree.write('b.json');
  tree.commit();
  execFileSync('rm', [join(tree.root, 'a.json'), join(tree.root, 'b.json')]);
  execFileSync('mkfifo', [join(tree.root, 'a.json')]);
  mkdirSync(join(tree.root, 'b.json'));
  expect(await tree.paths()).toEqual([]);
});

test('G29 a path 5 000 deep ends in a gap, and the rest is listed', async () => {
  tree.write('a.ts');
  // One component at a time, because no system call takes the whole path.
  const descend = `
    process.chdir(process.argv[1]);
    for (let depth = 0; depth < 5000; depth += 1) {
      fs.mkdirSync('d');
      process.chdir('d');
    }
    fs.writeFileSync('end.ts', '');
  `;
  execFileSync(process.execPath, ['-e', descend, tree.root]);
  for (const git of [true, false]) {
    const { scope } = await tree.list({ git });
    expect(scope.files.map((file) => file.path)).toEqual(['a.ts']);
  }
  const { scope } = await tree.list({ git: false });
  expect(scope.gaps.map((gap) => gap.reason)).toEqual(['ENAMETOOLONG']);
});

test('G29 20 000 files in one directory', async () => {
  mkdirSync(join(tree.root, 'many'));
  for (let index = 0; index < 20_000; index += 1) writeFileSync(join(tree.root, `many/f${index}.ts`), '');
  for (const git of [true, false]) {
    const { scope } = await tree.list({ git });
    expect(scope.files.length).toBe(20_000);
    expect(scope.match(['many/*7.ts']).length).toBe(2000);
  }
});
