import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
});
afterEach(() => tree.dispose());

test('F2: an untracked file that nothing ignores is in scope at once, and is called untracked', async () => {
  tree.write('old.ts');
  tree.commit();
  tree.write('src/new.ts', 'x');
  const { scope, git } = await tree.list();
  expect(scope.files.map(({ path, tracked, kind, size }) => ({ path, tracked, kind, size }))).toEqual([
    { path: 'old.ts', tracked: true, kind: 'file', size: 0 },
    { path: 'src/new.ts', tracked: false, kind: 'file', size: 1 },
  ]);
  expect(git.dirtyFiles).toEqual(['src/new.ts']);
});

test('F8: a later listing believes what an earlier one knew of the index while that is the same, and asks when it is not', async () => {
  tree.write('a.ts');
  tree.write('b.ts');
  tree.commit();
  const { index } = await tree.list();
  expect(index?.tracked.paths).toEqual(['a.ts', 'b.ts']);
  const paths = async (known: typeof index) => (await tree.list({ known })).scope.files.map(({ path }) => path);
  // What is believed is what was told: a listing that is given fewer names, of this index, has no more.
  const fewer = { signature: index?.signature ?? '', tracked: { paths: ['b.ts'], invalidNames: [] } };
  expect(await paths(fewer)).toEqual(['b.ts']);
  tree.write('c.ts');
  tree.git('rm', '-q', '--cached', 'a.ts');
  tree.write('.gitignore', 'a.ts\n');
  expect(await paths(fewer)).toEqual(['.gitignore', 'b.ts', 'c.ts']);
  expect(await paths(index)).toEqual(['.gitignore', 'b.ts', 'c.ts']);
  // In a linked work tree only git knows where the index is.
  tree.git('worktree', 'add', '-q', join(tree.place, 'linked'));
  expect((await tree.list({ root: join(tree.place, 'linked') })).index).toBeUndefined();
});

describe('F3: layers', () => {
  test('a .cplignore line hides a tracked file, and the deepest last line wins', async () => {
    for (const path of ['a.gen.ts', 'b.ts', 'deep/c.gen.ts', 'deep/d.gen.ts']) tree.write(path);
    tree.write('.cplignore', '*.gen.ts\n');
    tree.write('deep/.cplignore', '!d.gen.ts\n');
    tree.commit();
    expect(await tree.paths()).toEqual(['.cplignore', 'b.ts', 'deep/.cplignore', 'deep/d.gen.ts']);
    expect(await tree.paths({ git: false })).toEqual(['.cplignore', 'b.ts', 'deep/.cplignore', 'deep/d.gen.ts']);
  });

  test.each(['!dist/types/**', '!/dist/types/', '!dist/types/*.d.ts'])(
    '%s brings files back from below a pruned directory, each once',
    async (line) => {
      tree.write('.gitignore', 'dist/\n');
      tree.write('.cplignore', `${line}\n`);
      tree.write('dist/types/a.d.ts');
      tree.write('dist/other.js');
      const expected = ['.cplignore', '.gitignore', 'dist/types/a.d.ts'];
      expect(await tree.paths()).toEqual(expected);
      expect(await tree.paths({ git: false })).toEqual(expected);
    },
  );

  test('a directory that a negation names comes back whole', async () => {
    tree.write('.gitignore', 'dist/\n');
    tree.write('.cplignore', '!dist/\n');
    tree.write('dist/a/b.js');
    expect(await tree.paths()).toContain('dist/a/b.js');
    expect(await tree.paths({ git: false })).toContain('dist/a/b.js');
  });

  test('an ignored file beside listed ones comes back, and what git lists already is not listed twice', async () => {
    tree.write('.gitignore', '*.gen.ts\n');
    tree.write('.cplignore', '!src/**\n!*.gen.ts\n');
    tree.write('src/a.gen.ts');
    tree.write('src/untracked.ts');
    tree.write('b.gen.ts');
    const expected = ['.cplignore', '.gitignore', 'b.gen.ts', 'src/a.gen.ts', 'src/untracked.ts'];
    expect(await tree.paths()).toEqual(expected);
    expect(await tree.paths({ git: false })).toEqual(expected);
  });

  test('a git-ignored .cplignore at the root still counts', async () => {
    tree.write('.gitignore', '.cplignore\n');
    tree.write('.cplignore', 'a.ts\n');
    tree.write('a.ts');
    expect(await tree.paths()).toEqual(['.gitignore']);
  });
});

test('F4: default directory names hide untracked files and never a tracked one', async () => {
  for (const path of ['vendor/a.go', 'bin/run', 'x/build/b.ts']) tree.write(path);
  tree.commit();
  for (const path of ['vendor/new.go', 'node_modules/x/index.js']) tree.write(path);
  expect(await tree.paths()).toEqual(['bin/run', 'vendor/a.go', 'x/build/b.ts']);
});

describe('F5: the data dir, .git and links', () => {
  test('are not in scope, tracked or not; tracked derived state is told', async () => {
    tree.write('.codegenie/cache/x.json');
    tree.write('sub/.codegenie/y.json');
    tree.write('a.ts');
    tree.commit();
    tree.write('.cplignore', '!.codegenie/**\n!.git/**\n');
    const { scope, trackedDataFiles } = await tree.list();
    expect(scope.files.map((file) => file.path)).toEqual(['.cplignore', 'a.ts']);
    expect(trackedDataFiles).toEqual(['.codegenie/cache/x.json']);
    expect(await tree.paths({ git: false })).toEqual(['.cplignore', 'a.ts']);
  });

  test('G2 a link is listed as a link, whatever it leads to, and a tracked directory that became one is gone', async () => {
    const outside = join(tree.place, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.ts'), 'secret');
    tree.write('was/secret.ts', 'mine');
    tree.commit();
    rmSync(join(tree.root, 'was'), { recursive: true });
    symlinkSync(outside, join(tree.root, 'was'));
    symlinkSync(join(outside, 'secret.ts'), join(tree.root, 'leaf.ts'));
    symlinkSync('.', join(tree.root, 'loop'));
    symlinkSync('turn-b', join(tree.root, 'turn-a'));
    symlinkSync('turn-a', join(tree.root, 'turn-b'));
    for (const git of [true, false]) {
      const { scope } = await tree.list({ git });
      expect(scope.files.map((file) => [file.path, file.kind])).toEqual([
        ['leaf.ts', 'link'],
        ['loop', 'link'],
        ['turn-a', 'link'],
        ['turn-b', 'link'],
        ['was', 'link'],
      ]);
      expect(scope.exists('was/secret.ts')).toBe(false);
      expect(scope.exists('leaf.ts')).toBe(true);
    }
  });

  test('G2 a .cplignore that is a link is not read', async () => {
    writeFileSync(join(tree.place, 'rules'), 'a.ts\n');
    symlinkSync(join(tree.place, 'rules'), join(tree.root, '.cplignore'));
    tree.write('a.ts');
    expect(await tree.paths()).toContain('a.ts');
  });
});

describe('F7: boundaries', () => {
  test('a gitlink and its checkout are neither listed nor dirty', async () => {
    const other = createScratchTree();
    try {
      other.write('inner.ts');
      other.commit();
      tree.write('a.ts');
      tree.git('submodule', '--quiet', 'add', other.root, 'sub');
      tree.commit();
      const { scope, git } = await tree.list();
      expect(scope.files.map((file) => file.path)).toEqual(['.gitmodules', 'a.ts']);
      expect(git.dirtyFiles).toEqual([]);
    } finally {
      other.dispose();
    }
  });

  test('a nested work tree is not entered, not even where a negation points into it', async () => {
    tree.write('a.ts');
    tree.write('nested/inner.ts');
    tree.git('init', '-q', 'nested');
    expect(await tree.paths()).toEqual(['a.ts']);
    expect(await tree.paths({ git: false })).toEqual(['a.ts']);
    tree.write('.gitignore', 'nested/\n');
    tree.write('.cplignore', '!nested/**\n!nested/\n');
    expect(await tree.paths()).toEqual(['.cplignore', '.gitignore', 'a.ts']);
    expect(await tree.paths({ git: false })).toEqual(['.cplignore', '.gitignore', 'a.ts']);
  });

  test('a sparse-absent path is not listed and not dirty; a deleted one is dirty', async () => {
    for (const path of ['keep/a.ts', 'away/b.ts', 'gone.ts']) tree.write(path);
    tree.commit();
    tree.git('sparse-checkout', 'set', '--cone', 'keep');
    rmSync(join(tree.root, 'gone.ts'));
    const { scope, git } = await tree.list();
    expect(scope.files.map((file) => file.path)).toEqual(['keep/a.ts']);
    expect(git.dirtyFiles).toEqual(['gone.ts']);
  });

  test('an unmerged path is listed once', async () => {
    tree.write('a.ts', 'one\n');
    tree.commit();
    tree.git('checkout', '-q', '-b', 'other');
    tree.write('a.ts', 'two\n');
    tree.commit();
    tree.git('checkout', '-q', 'main');
    tree.write('a.ts', 'three\n');
    tree.commit();
    expect(() => tree.git('merge', '-q', 'other')).toThrow();
    const { scope, git } = await tree.list();
    expect(scope.files.map((file) => file.path)).toEqual(['a.ts']);
    expect(git.dirtyFiles).toEqual(['a.ts']);
  });
});

test('F8: .gitignore, .cplignore, git add and git rm --cached change the scope without a new HEAD', async () => {
  tree.write('a.ts');
  tree.commit();
  tree.write('vendor/b.ts');
  const head = (await tree.list()).git.commit;
  expect(await tree.paths()).toEqual(['a.ts']);
  tree.git('add', 'vendor/b.ts');
  expect(await tree.paths()).toEqual(['a.ts', 'vendor/b.ts']);
  tree.git('rm', '-q', '--cached', 'vendor/b.ts');
  expect(await tree.paths()).toEqual(['a.ts']);
  tree.write('c.ts');
  tree.write('.gitignore', 'c.ts\n');
  expect(await tree.paths()).toEqual(['.gitignore', 'a.ts']);
  tree.write('.cplignore', '!c.ts\na.ts\n');
  expect(await tree.paths()).toEqual(['.cplignore', '.gitignore', 'c.ts']);
  expect((await tree.list()).git.commit).toBe(head);
});

describe('F9: kinds of root', () => {
  test('a linked worktree', async () => {
    tree.write('a.ts');
    tree.commit();
    const linked = join(tree.place, 'linked');
    tree.git('worktree', 'add', '-q', '-b', 'side', linked);
    writeFileSync(join(linked, 'b.ts'), '');
    const { scope, git } = await tree.list({ root: linked });
    expect(scope.files.map((file) => file.path)).toEqual(['a.ts', 'b.ts']);
    expect(git).toMatchObject({ state: 'commit', branch: 'side', dirtyFiles: ['b.ts'] });
  });

  test('an unborn HEAD', async () => {
    tree.write('a.ts');
    const { scope, git } = await tree.list();
    expect(scope.files.map((file) => file.path)).toEqual(['a.ts']);
    expect(git).toMatchObject({ state: 'unborn', commit: null, branch: 'main', dirtyFiles: ['a.ts'] });
  });

  test('no git, and a .git that is none: the tree is walked', async () => {
    tree.write('a.ts');
    tree.write('.gitignore', 'b.ts\n');
    tree.write('b.ts');
    rmSync(join(tree.root, '.git'), { recursive: true });
    expect(await tree.paths({ git: false })).toEqual(['.gitignore', 'a.ts']);
    mkdirSync(join(tree.root, '.git'));
    const { scope, git } = await tree.list();
    expect(scope.files.map((file) => file.path)).toEqual(['.gitignore', 'a.ts']);
    expect(git).toMatchObject({ state: 'unreadable', commit: null });
  });
});

test('F1: a walk and git give the same verdicts on random trees', async () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'c.x', '.d', 'dist');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const ignoreLine = fc.constantFrom(
    ...[
      'a',
      'a/',
      '/a',
      '*.x',
      '!c.x',
      '!a',
      'a/b',
      'a/**',
      '!a/b',
      '**/b/c.x',
      '*',
      '!*/',
      '.d',
      '/*/a',
      'dist',
      '!dist',
    ],
  );
  const ignoreFile = fc.array(ignoreLine, { maxLength: 4 }).map((lines) => lines.join('\n'));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 3, maxLength: 25 }),
      ignoreFile,
      ignoreFile,
      async (paths, rootRules, nestedRules) => {
        run += 1;
        const root = join(tree.root, String(run));
        tree.git('init', '-q', root);
        const files = paths.filter((one) => one !== 'a' && !paths.some((other) => other.startsWith(`${one}/`)));
        for (const file of files) tree.write(`${run}/${file}`);
        tree.write(`${run}/.gitignore`, rootRules);
        tree.write(`${run}/a/.gitignore`, nestedRules);
        expect(await tree.paths({ root, git: false })).toEqual(await tree.paths({ root, git: true }));
      },
    ),
    { numRuns: 25 },
  );
});
