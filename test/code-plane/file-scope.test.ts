/**
 * What is indexed and what is not (code-plane.md §1), seen in the store itself: F1–F14. F1 is a property: on random trees the
 * listing agrees with a second, naive reading of the layers that asks git about every single path.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFile } from '../../src/index/store/stored-files.ts';
import { listExportsOfFile, listImportersOf, listImportsOfFile } from '../../src/index/store/stored-imports.ts';
import { listSymbolsOfFile } from '../../src/index/store/stored-symbols.ts';
import { openIndexPool } from '../../src/index/sync/index-pool.ts';
import { createGit } from '../../src/index/sync/index-session.ts';
import { createReconciler } from '../../src/index/sync/reconcile.ts';
import { createTreeLister } from '../../src/kernel/tree/list-tree.ts';
import { type ByteOffset, createPositions } from '../../src/kernel/tree/positions.ts';
import { runOperation } from '../../src/serve/operations/run-operation.ts';
import search from '../../src/serve/operations/search.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { judgeNaively } from '../support/naive-scope.ts';
import fc from '../support/properties.ts';
import { secretSamples } from '../support/secret-samples.ts';
import { listRows, rowOf, rowsOf } from '../support/stored-rows.ts';

function make(files: Readonly<Record<string, string | Uint8Array>>, options: { readonly git?: boolean } = {}) {
  const tree = createIndexedTree(files, options);
  onTestFinished(() => tree.dispose());
  return tree;
}

// --- F1: the predicate --------------------------------------------------------------------------------------------------------

const names = ['a', 'b', 'c.x', 'd.gen.ts', 'dist', 'vendor', '.e'] as const;
const lines = [
  ...['a', 'a/', '/a', '*.x', '*.gen.ts', 'a/b', 'a/**', '**/b/c.x', '*', 'dist', 'dist/', '/vendor/b', 'b/*'],
  ...['!c.x', '!a', '!a/b', '!*/', '!dist', '!dist/a/**', '!*.gen.ts', '!vendor/**', '!a/b/c.x', '!dist/', '!a/?.x'],
] as const;
const somePath = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const someRules = fc.array(fc.constantFrom(...lines), { maxLength: 4 }).map((all) => `${all.join('\n')}\n`);

/** The listing that a session of this tree takes its verdicts from. */
function listerOf(tree: Pick<IndexedTree, 'root' | 'stateDir'>) {
  return createTreeLister(tree.root, createGit(sessionSettings(tree.root, tree.stateDir, true)));
}

test('F1 every verdict of the listing is the one that git and a naive reading of the layers give', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(somePath, { minLength: 3, maxLength: 20 }),
      fc.record({ root: someRules, a: someRules, dist: someRules }),
      fc.record({ root: someRules, a: someRules }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (paths, git, own, tracked) => {
        const tree = createIndexedTree({});
        try {
          const files = paths.filter(
            (one) => !['a', 'dist'].includes(one) && !paths.some((other) => other.startsWith(`${one}/`)),
          );
          for (const file of files) tree.write(file, '');
          tree.write('.gitignore', git.root);
          tree.write('a/.gitignore', git.a);
          if (files.some((file) => file.startsWith('dist/'))) tree.write('dist/.gitignore', git.dist);
          tree.write('.cplignore', own.root);
          tree.write('a/.cplignore', own.a);
          const chosen = [...new Set(tracked.flatMap((at) => files[at % (files.length || 1)] ?? []))];
          if (chosen.length > 0) tree.git('add', '-f', '--', ...chosen);
          const listing = await listerOf(tree).list();
          expect(listing.entries.map((entry) => entry.path)).toEqual(judgeNaively(tree));
        } finally {
          await tree.dispose();
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('F1 a single event gives each path the verdict of the bulk listing', async () => {
  const tree = make({ 'a.py': '', '.gitignore': 'ignored/\n*.log\n', '.cplignore': 'hidden/\n!ignored/back/**\n' });
  const session = await tree.session();
  const paths = ['new.py', 'ignored/x.py', 'ignored/back/y.py', 'hidden/z.py', 'a.log', 'dist/w.py', 'deep/er/v.py'];
  for (const path of paths) tree.write(path, 'def f(): pass\n');
  for (const path of paths) await session.reconcile(new Set([path]));
  const byEvents = session.facts.read(listRows);
  await session.reconcile('all');
  expect(Object.keys(byEvents)).toEqual(Object.keys(session.facts.read(listRows)));
  expect(Object.keys(byEvents)).toEqual([
    '.cplignore',
    '.gitignore',
    'a.py',
    'deep/er/v.py',
    'ignored/back/y.py',
    'new.py',
  ]);
  for (const path of paths) tree.remove(path);
  for (const path of paths) await session.reconcile(new Set([path]));
  expect(Object.keys(session.facts.read(listRows))).toEqual(['.cplignore', '.gitignore', 'a.py']);
});

// --- F2–F4: layers ------------------------------------------------------------------------------------------------------------

test('F2 an untracked file that nothing ignores has its facts at once', async () => {
  const tree = make({ 'a.py': '' });
  await tree.session();
  tree.write('new/b.py', 'def fresh(): pass\n');
  await rowsOf(tree);
  const session = await tree.session();
  expect(session.facts.read((read) => listSymbolsOfFile(read, 'new/b.py').map((row) => row.name))).toEqual(['fresh']);
});

test('F3 the last layer that speaks decides, also below pruned directories', async () => {
  for (const git of [true, false]) {
    const tree = make(
      {
        '.gitignore': 'dist/\n*.gen.ts\n',
        '.cplignore': '!dist/types/**\ndist/types/no.d.ts\n!*.gen.ts\nsrc/hidden.ts\n',
        'src/.cplignore': '!hidden.ts\n',
        'src/hidden.ts': '',
        'src/x.gen.ts': '',
        'lib/.cplignore': '*\n!keep.ts\n',
        'lib/keep.ts': '',
        'lib/drop.ts': '',
      },
      { git },
    );
    tree.write('dist/types/yes.d.ts', '');
    tree.write('dist/types/no.d.ts', '');
    tree.write('dist/other.gen.ts', '');
    tree.write('dist/sub/far.gen.ts', '');
    const found = Object.keys(await rowsOf(tree)).filter((path) => !path.includes('ignore'));
    expect(found).toEqual([
      // Its folder is walked because of the first negation, so that the other one finds it.
      'dist/other.gen.ts',
      'dist/types/yes.d.ts',
      'lib/keep.ts',
      'src/hidden.ts',
      'src/x.gen.ts',
    ]);
    expect(await tree.dump()).toBe(await tree.cleanDump());
  }
});

test('F4 tracked files in vendor/, bin/ and build/ are in scope, untracked ones are not', async () => {
  const tree = make({ 'vendor/a.py': '', 'bin/run': '#!/bin/sh\n', 'x/build/b.py': '', 'node_modules/p/i.js': '' });
  for (const path of ['vendor/new.py', 'bin/new', 'x/build/new.py', 'node_modules/q/i.js']) tree.write(path, '');
  const rows = await rowsOf(tree);
  expect(Object.keys(rows)).toEqual(['bin/run', 'node_modules/p/i.js', 'vendor/a.py', 'x/build/b.py']);
  expect(rowOf(rows, 'node_modules/p/i.js').vendored).toBe(true);
});

// --- F5–F7: links and borders -------------------------------------------------------------------------------------------------

test('F5 nothing outside the root, in .git or in the data dir is read, and no link to a directory is followed', async () => {
  const tree = make({ 'was/inner.py': 'def mine(): pass\n', 'a.py': '', 'real/b.py': '' });
  const outside = join(tree.base, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'inner.py'), 'def stolenFromOutside(): pass\n');
  tree.write('.codegenie/own.py', 'def stolenFromData(): pass\n');
  writeFileSync(join(tree.root, '.git/hook.py'), 'def stolenFromGit(): pass\n');
  await tree.session();
  tree.remove('was');
  symlinkSync(outside, join(tree.root, 'was'));
  const links = {
    'out.py': join(outside, 'inner.py'),
    'up.py': '../outside/inner.py',
    'git.py': '.git/hook.py',
    'own.py': '.codegenie/own.py',
    'tree.py': 'real',
    'self.py': '.',
    'dangling.py': 'nowhere.py',
    'turn-a.py': 'turn-b.py',
    'turn-b.py': 'turn-a.py',
    'device.py': '/dev/null',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(tree.root, path));
  const rows = await rowsOf(tree);
  const reasons = Object.fromEntries(
    Object.values(rows).flatMap((row) => (row.kind === 'alias' ? [[row.path, row.skipReason]] : [])),
  );
  expect(reasons).toEqual({
    'dangling.py': 'dangling',
    'device.py': 'outside_root',
    'git.py': 'forbidden',
    'out.py': 'outside_root',
    'own.py': 'forbidden',
    'self.py': 'directory',
    'tree.py': 'directory',
    'turn-a.py': 'loop',
    'turn-b.py': 'loop',
    'up.py': 'outside_root',
    was: 'outside_root',
  });
  expect(rows['was/inner.py']).toBeUndefined();
  const dump = await tree.dump();
  for (const name of ['stolenFromOutside', 'stolenFromData', 'stolenFromGit', 'mine']) expect(dump).not.toContain(name);
  expect(dump).toBe(await tree.cleanDump());
});

test('F6 a link owns no facts, and imports that name it lead to the file', async () => {
  const tree = make({
    'real.ts': 'export const real = 1;\n',
    'main.ts': "import { real } from './link';\nimport './second';\n",
  });
  await tree.session();
  symlinkSync('real.ts', join(tree.root, 'link.ts'));
  symlinkSync('link.ts', join(tree.root, 'second.ts'));
  const session = await tree.session();
  const rows = await rowsOf(tree);
  for (const path of ['link.ts', 'second.ts']) {
    expect(rowOf(rows, path)).toMatchObject({
      kind: 'alias',
      canonicalPath: 'real.ts',
      contentHash: null,
      parse: null,
    });
    expect(session.facts.read((read) => listSymbolsOfFile(read, path))).toEqual([]);
  }
  const targets = () => session.facts.read((read) => listImportsOfFile(read, 'main.ts').map((row) => row.targets));
  expect(targets()).toEqual([['real.ts'], ['real.ts']]);
  expect(session.facts.read((read) => listImportersOf(read, 'real.ts').length)).toBe(2);
  tree.write('other.ts', 'export const real = 2;\n');
  rmSync(join(tree.root, 'link.ts'));
  symlinkSync('other.ts', join(tree.root, 'link.ts'));
  expect(rowOf(await rowsOf(tree), 'second.ts').canonicalPath).toBe('other.ts');
  expect(targets()).toEqual([['other.ts'], ['other.ts']]);
  tree.remove('other.ts');
  expect(rowOf(await rowsOf(tree), 'second.ts')).toMatchObject({ canonicalPath: null, skipReason: 'dangling' });
  expect(targets()).toEqual([[], []]);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('F6 what .gitattributes says of a link is up to date', async () => {
  const tree = make({ 'real.ts': '', '.gitattributes': '' });
  symlinkSync('real.ts', join(tree.root, 'link.ts'));
  await tree.session();
  tree.write('.gitattributes', '*.ts linguist-generated linguist-vendored\n');
  expect(rowOf(await rowsOf(tree), 'real.ts')).toMatchObject({ generated: true, vendored: true });
  expect(await tree.dump()).toBe(await tree.cleanDump());
  const session = await tree.session();
  tree.write('.gitattributes', '');
  await session.reconcile(new Set(['.gitattributes']));
  expect(session.facts.read((read) => findFile(read, 'link.ts'))).toMatchObject({ kind: 'alias', generated: false });
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('F7 gitlinks, nested work trees and sparse-absent paths are neither indexed nor deleted', async () => {
  const tree = make({ 'keep/a.py': 'def a(): pass\n', 'away/b.py': 'def b(): pass\n', 'top.py': '' });
  const other = make({ 'inner.py': '' });
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub');
  tree.git('commit', '-qm', 'submodule');
  tree.write('nested/deep/inner.py', '');
  tree.git('init', '-q', 'nested');
  expect(Object.keys(await rowsOf(tree))).toEqual(['.gitmodules', 'away/b.py', 'keep/a.py', 'top.py']);
  tree.git('sparse-checkout', 'set', '--cone', 'keep');
  const rows = await rowsOf(tree);
  expect(rowOf(rows, 'away/b.py')).toMatchObject({ presence: 'absent', contentHash: null, skipReason: null });
  expect(rowOf(rows, 'top.py')).toMatchObject({ presence: 'present' });
  expect((await (await tree.session()).reconcile('all')).deleted).toBe(0);
  expect(await tree.dump()).toBe(await tree.cleanDump());
  // A file that is put there all the same is a file.
  tree.write('away/b.py', 'def other(): pass\n');
  expect(rowOf(await rowsOf(tree), 'away/b.py')).toMatchObject({ presence: 'present', parse: 'ok' });
  tree.git('sparse-checkout', 'disable');
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

// --- F8, F9: git --------------------------------------------------------------------------------------------------------------

test('F8 .gitignore, .cplignore, info/exclude, add and rm --cached change the scope while HEAD stays', async () => {
  const tree = make({ 'a.py': '', 'vendor/old.py': '' });
  tree.write('vendor/b.py', '');
  tree.write('c.py', '');
  const paths = async () => Object.keys(await rowsOf(tree)).filter((path) => path.endsWith('.py'));
  expect(await paths()).toEqual(['a.py', 'c.py', 'vendor/old.py']);
  tree.git('add', 'vendor/b.py');
  expect(await paths()).toEqual(['a.py', 'c.py', 'vendor/b.py', 'vendor/old.py']);
  tree.git('rm', '-q', '--cached', 'vendor/b.py');
  expect(await paths()).toEqual(['a.py', 'c.py', 'vendor/old.py']);
  tree.write('.gitignore', 'c.py\n');
  expect(await paths()).toEqual(['a.py', 'vendor/old.py']);
  tree.write('.cplignore', '!c.py\na.py\n');
  expect(await paths()).toEqual(['c.py', 'vendor/old.py']);
  tree.remove('.cplignore');
  tree.remove('.gitignore');
  writeFileSync(join(tree.root, '.git/info/exclude'), 'c.py\n');
  expect(await paths()).toEqual(['a.py', 'vendor/old.py']);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('F9 a linked worktree, an unborn HEAD and a directory without git answer alike', async () => {
  const files = { 'lib/a.ts': 'export function a() {}\n', 'main.ts': "import { a } from './lib/a';\n" };
  const born = make(files);
  const answers = async (tree: IndexedTree) => {
    const dump = (await tree.dump()).split('\n');
    return dump.filter((line) => !line.startsWith('repo '));
  };
  const expected = await answers(born);
  const head = async (tree: IndexedTree) => /^repo \["(\w+)"/m.exec(await tree.dump())?.[1];
  expect(await head(born)).toMatch(/^[0-9a-f]{40}$/);
  const bare = make(files, { git: false });
  expect(await answers(bare)).toEqual(expected);
  expect(await head(bare)).toBe('none');
  const unborn = make({});
  unborn.git('checkout', '-q', '--orphan', 'fresh');
  for (const [path, text] of Object.entries(files)) unborn.write(path, text);
  expect(await answers(unborn)).toEqual(expected);
  expect(await head(unborn)).toBe('unborn');
  const linked = make({}, { git: false });
  rmSync(linked.root, { recursive: true });
  born.git('worktree', 'add', '-q', '-b', 'side', linked.root);
  const outcome = await runOperation(
    symbols,
    { query: 'a', exact: true },
    { ...sessionSettings(linked.root, linked.stateDir, true), waitMs: 0 },
  );
  if (outcome.kind !== 'answered') throw new Error(outcome.kind);
  expect(outcome.answer).toMatchObject({ freshness: { state: 'clean' }, count: { value: 1, relation: 'eq' } });
  // An `add` in the linked work tree touches its own index, which is not below its root.
  writeFileSync(join(linked.root, '.gitignore'), 'out/\n');
  mkdirSync(join(linked.root, 'out'));
  writeFileSync(join(linked.root, 'out/x.ts'), '');
  const lister = listerOf(linked);
  expect((await lister.list()).byPath.has('out/x.ts')).toBe(false);
  born.git('-C', linked.root, 'add', '-f', 'out/x.ts');
  expect((await lister.list()).byPath.has('out/x.ts')).toBe(true);
});

// --- F10–F12: contents --------------------------------------------------------------------------------------------------------

/** Every file below a directory, as one character per byte, lower case: full-text tokens are folded. */
function readEverything(directory: string): string {
  let text = '';
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) text += readFileSync(join(entry.parentPath, entry.name)).toString('latin1').toLowerCase();
  }
  return text;
}

const secretFiles = [
  ...[
    '.env',
    '.env.local',
    'deep/.env.production',
    'a.pem',
    'b.key',
    'c.p12',
    'd.pfx',
    'e.jks',
    'f.keystore',
    'g.kdbx',
    'h.ppk',
  ],
  ...['id_rsa', 'id_rsa.pub', 'id_ed25519', '.npmrc', '.pypirc', '.netrc', '.htpasswd', 'credentials'],
  ...['service-account-x.json', 'prod.tfstate', 'prod.tfstate.backup', 'secrets/db.yaml', 'x/credentials/token.txt'],
];

test('F10 of a secret-bearing file only the path is stored', async () => {
  const text = (path: string) => `zq${Buffer.from(path).toString('hex')}wv = "plainwordinside"\n`;
  const tree = make(Object.fromEntries(secretFiles.map((path) => [path, text(path)])));
  for (const path of ['.env.example', '.env.sample', '.env.template', 'secrets/code.py'])
    tree.write(path, 'name = "openword"\n');
  const rows = await rowsOf(tree);
  for (const path of secretFiles) {
    expect(rowOf(rows, path)).toMatchObject({
      skipReason: 'secret',
      contentHash: null,
      stat: null,
      lines: null,
      parse: null,
    });
  }
  for (const path of ['.env.example', '.env.sample', '.env.template', 'secrets/code.py'])
    expect(rowOf(rows, path).skipReason).toBeNull();
  // Still so after an edit, and after it was an ordinary file.
  tree.write('.env', 'plainwordinside = 2\n');
  tree.write('plain.txt', 'plainwordinside = 3\n');
  renameSync(join(tree.root, 'plain.txt'), join(tree.root, 'moved.pem'));
  await rowsOf(tree);
  const written = readEverything(tree.stateDir);
  expect(written).toContain('openword'.slice(0, 4));
  expect(written).not.toContain('plainwordinside');
  for (const path of secretFiles) expect(written).not.toContain(`zq${Buffer.from(path).toString('hex')}`);
});

test('S12 a secret-shaped string is nowhere below the data dir, wherever in a file it stands', async () => {
  const samples = Object.values(secretSamples).flat();
  const token = `${'gh'}p_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const other = `${'gl'}pat-${'Zx9Yw8Vu7Ts6Rq5Po4Nm'}`;
  const stripe = `${'sk'}_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
  const files: Record<string, string> = {};
  for (const [at, sample] of samples.entries()) files[`plain/${at}.txt`] = `${sample.text}\n`;
  for (const [at, sample] of samples.entries()) files[`code/${at}.ts`] = `/* ${sample.text.replaceAll('*/', '')} */\n`;
  files['names.ts'] = [
    `export const ${token} = 1;`,
    `export class ${token}x { ${token}(): void {} '${other}' = 1; ['${stripe}']() {} }`,
    `import { ${token} as y } from './${other}';`,
    `import '${stripe}';`,
    `export * from '${token}';`,
    `export { y as ${token} };`,
    `const o = { '${other}': 1, "${stripe}": 2, ${token}: 3 };`,
    `o['${token}']; require('./${token}'); import(\`./${other}\`);`,
    '',
  ].join('\n');
  files['names.py'] =
    `from ${token} import ${token}\nimport ${token}.x\nclass ${token}:\n    def ${token}(self): pass\nx = {'${other}': 1}\ngetattr(x, '${stripe}')\n`;
  files['package.json'] = JSON.stringify({
    name: token,
    main: other,
    exports: { [`./${token}`]: './x' },
    imports: { [`#${token}`]: './x' },
  });
  files['tsconfig.json'] = JSON.stringify({ compilerOptions: { paths: { [`${token}/*`]: ['./*'] } }, [other]: 1 });
  files['doc.md'] = `# ${token}\n[x](${other})\n`;
  const tree = make(files);
  const session = await tree.session();
  for (let round = 0; round < 2; round += 1) {
    const written = readEverything(tree.stateDir);
    const leaked = [...samples.map((sample) => sample.secret), token, other, stripe].filter((secret) =>
      written.includes(secret.toLowerCase()),
    );
    expect(leaked).toEqual([]);
    // An edit of what holds them goes the same way.
    tree.write('names.ts', `${files['names.ts']}\nexport const more = 1;\n`);
    await session.reconcile('all');
  }
  const rows = session.facts.read(listRows);
  expect(rowOf(rows, 'names.ts').redacted).toBe(true);
  expect(session.facts.read((read) => listSymbolsOfFile(read, 'names.ts').length)).toBeGreaterThan(3);
  expect(session.facts.read((read) => listExportsOfFile(read, 'names.ts')).map((row) => row.publicName)).toContain(
    'more',
  );
});

test('F11 a generated file takes part in every answer', async () => {
  const tree = make({
    'api.ts': 'export interface Api {}\n',
    'api.gen.ts': "import type { Api } from './api';\nexport class GeneratedClient {}\n",
    'header.ts': "// @generated by a tool\nimport { Api } from './api';\nexport const fromHeader = 1;\n",
    'attr.ts': "import { Api } from './api';\nexport const fromAttribute = 1;\n",
    '.gitattributes': 'attr.ts linguist-generated\n',
  });
  const rows = await rowsOf(tree);
  for (const path of ['api.gen.ts', 'header.ts', 'attr.ts']) expect(rowOf(rows, path).generated).toBe(true);
  const session = await tree.session();
  const importers = session.facts.read((read) => listImportersOf(read, 'api.ts').map((row) => row.path));
  expect([...importers].sort()).toEqual(['api.gen.ts', 'attr.ts', 'header.ts']);
  await tree.closeSession();
  const ask = { ...sessionSettings(tree.root, tree.stateDir, true), waitMs: 0 };
  const found = await runOperation(search, { query: 'GeneratedClient' }, ask);
  expect(found).toMatchObject({
    kind: 'answered',
    answer: { files: [{ path: 'api.gen.ts' }], count: { value: 1, relation: 'eq' } },
  });
  const named = await runOperation(symbols, { query: 'fromAttribute' }, ask);
  expect(named).toMatchObject({ kind: 'answered', answer: { count: { value: 1 } } });
});

test('F12 a skipped file has a row and a reason, and a search that it could have changed says so', async () => {
  const tree = make({
    'a.py': 'needle = 1\n',
    'nul.bin': new Uint8Array([110, 0, 110]),
    'wide.txt': Buffer.from('\ufeffneedle', 'utf16le'),
    'broken.txt': new Uint8Array([0x6e, 0xff, 0xfe, 0x80]),
    'lfs.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    '.env': 'needle\n',
    'large.txt': 'x'.repeat(4 * 1024 * 1024 + 1),
  });
  const rows = await rowsOf(tree);
  const reasons = Object.values(rows).flatMap((row) => (row.skipReason === null ? [] : [[row.path, row.skipReason]]));
  expect(Object.fromEntries(reasons)).toEqual({
    '.env': 'secret',
    'broken.txt': 'encoding',
    'large.txt': 'large',
    'lfs.bin': 'lfs',
    'nul.bin': 'binary',
    'wide.txt': 'encoding',
  });
  await tree.closeSession();
  const ask = { ...sessionSettings(tree.root, tree.stateDir, true), waitMs: 0 };
  const all = await runOperation(search, { query: 'needle' }, ask);
  expect(all).toMatchObject({
    kind: 'answered',
    answer: { count: { value: 1, relation: 'gte' }, not_searched: { secret: 1, large: 1, encoding: 2 } },
  });
  // Where none of them is in question the count is exact.
  const some = await runOperation(search, { query: 'needle', path: ['*.py'] }, ask);
  expect(some).toMatchObject({ kind: 'answered', answer: { count: { value: 1, relation: 'eq' } } });
});

// --- F13, F14: positions and names --------------------------------------------------------------------------------------------

test('F13 the place of a symbol is the same in bytes and in lines and columns, in any text', async () => {
  const piece = fc.constantFrom('a', '\u00e9', '\u6f22', '\ud83d\ude00', 'e\u0301', '\t', ' ', '\\n', '\u200d');
  const line = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
  const texts = fc.sample(fc.tuple(fc.boolean(), fc.boolean(), fc.array(line, { minLength: 1, maxLength: 6 })), {
    numRuns: 60,
    seed: 7,
  });
  const files = Object.fromEntries(
    texts.map(([bom, crlf, all], at) => {
      const eol = crlf ? '\r\n' : '\n';
      const body = all.map((text, row) => `/* ${text} */ function f${row}() {} // ${text}`).join(eol);
      return [`t${at}.js`, `${bom ? '\ufeff' : ''}${body}${eol}`];
    }),
  );
  const tree = make(files, { git: false });
  const session = await tree.session();
  let seen = 0;
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const positions = createPositions(bytes);
    for (const symbol of session.facts.read((read) => listSymbolsOfFile(read, path))) {
      const at = symbol.nameStart as ByteOffset;
      expect(bytes.subarray(symbol.nameStart, symbol.nameEnd).toString()).toBe(symbol.name);
      expect(positions.toLineColumn(at)).toEqual({ line: symbol.line, column: symbol.column });
      expect(positions.toByteOffset({ line: symbol.line, column: symbol.column })).toBe(at);
      seen += 1;
    }
  }
  expect(seen).toBe(texts.reduce((sum, [, , all]) => sum + all.length, 0));
});

test('F14 of two names that the volume takes for one, one has a row', async () => {
  const tree = make({ 'README.md': 'one\n', 'lib/\u00e9.ts': 'export const composed = 1;\n', 'z.ts': '' });
  tree.write('readme.md', 'two\n');
  tree.write('lib/e\u0301.ts', 'export const decomposed = 1;\n');
  const session = await tree.session();
  const settings = sessionSettings(tree.root, tree.stateDir, true);
  const pool = openIndexPool({ signal: settings.signal, workers: 1 });
  try {
    // As on a volume that folds case and composes accents.
    const folding = createReconciler({
      ...settings,
      lister: createTreeLister(tree.root, undefined),
      pool,
      key: new Uint8Array(32),
      facts: session.facts,
      bulk: false,
      pathKey: (path) => path.normalize('NFC').toLowerCase(),
      watch: () => 'off',
    });
    const paths = () => Object.keys(session.facts.read(listRows));
    tree.write('z.ts', 'export {};\n');
    await folding.reconcile('all');
    const keys = () => Object.values(session.facts.read(listRows)).map((row) => row.pathKey);
    expect(new Set(keys()).size).toBe(keys().length);
    renameSync(join(tree.root, 'z.ts'), join(tree.root, 'Z.ts'));
    await folding.reconcile('all');
    expect(paths()).toContain('Z.ts');
    expect(paths()).not.toContain('z.ts');
    renameSync(join(tree.root, 'Z.ts'), join(tree.root, 'z.ts'));
    await folding.reconcile(new Set(['Z.ts', 'z.ts']));
    expect(paths()).toContain('z.ts');
    expect(new Set(keys()).size).toBe(keys().length);
  } finally {
    await pool.close();
  }
});
