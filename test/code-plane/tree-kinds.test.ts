/** The trees and contents of code-plane.md §11, C7 that are not yet in the tests of F1–F14: odd trees, odd names, odd bytes. */

import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listSymbolsOfFile } from '../../src/index/store/stored-symbols.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';
import { listRows, type Rows, rowOf, rowsOf } from '../support/stored-rows.ts';

function make(files: Readonly<Record<string, string | Uint8Array>>, options: { readonly git?: boolean } = {}) {
  const tree = createIndexedTree(files, options);
  onTestFinished(() => tree.dispose());
  return tree;
}

test('nested directories that appear at once, move, turn into files and back', async () => {
  const tree = make({ 'a.py': '' });
  await tree.session();
  for (let depth = 1; depth < 30; depth += 1) tree.write(`${'d/'.repeat(depth)}f.py`, `def f${depth}(): pass\n`);
  expect(Object.keys(await rowsOf(tree))).toHaveLength(30);
  renameSync(join(tree.root, 'd/d'), join(tree.root, 'moved'));
  expect(Object.keys(await rowsOf(tree)).filter((path) => path.startsWith('moved/'))).toHaveLength(28);
  expect(await tree.dump()).toBe(await tree.cleanDump());
  tree.remove('moved');
  tree.write('moved', 'x\n');
  tree.remove('a.py');
  tree.write('a.py/inner.py', 'def inner(): pass\n');
  expect(Object.keys(await rowsOf(tree))).toEqual(['a.py/inner.py', 'd/f.py', 'moved']);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('an unfinished merge is flagged until it is over', async () => {
  const tree = make({ 'a.py': 'x = 1\n', 'b.py': '', 'c.py': 'y = 1\n' });
  tree.git('checkout', '-q', '-b', 'other');
  tree.write('a.py', 'x = 2\n');
  tree.remove('c.py');
  tree.git('commit', '-qam', 'two');
  tree.git('checkout', '-q', 'main');
  tree.write('a.py', 'x = 3\n');
  tree.write('c.py', 'y = 2\n');
  tree.git('commit', '-qam', 'three');
  await tree.session();
  expect(() => tree.git('merge', '-q', 'other')).toThrow();
  const flagged = (rows: Rows) => Object.values(rows).flatMap((row) => (row.conflicted ? [row.path] : []));
  expect(flagged(await rowsOf(tree))).toEqual(['a.py', 'c.py']);
  expect(await tree.dump()).toBe(await tree.cleanDump());
  tree.write('a.py', 'x = 4\n');
  tree.git('add', 'a.py');
  expect(flagged(await rowsOf(tree))).toEqual(['c.py']);
  tree.git('merge', '--abort');
  expect(flagged(await rowsOf(tree))).toEqual([]);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('a link with two versions in an unfinished merge stays a link', async () => {
  const tree = make({ 'a.py': '', 'b.py': '', 'c.py': '' });
  const link = (to: string) => {
    tree.remove('link.py');
    symlinkSync(to, join(tree.root, 'link.py'));
    tree.git('add', '-A');
    tree.git('commit', '-qm', to);
  };
  link('a.py');
  tree.git('checkout', '-q', '-b', 'other');
  link('b.py');
  tree.git('checkout', '-q', 'main');
  link('c.py');
  const session = await tree.session();
  expect(() => tree.git('merge', '-q', 'other')).toThrow();
  // Nothing but the index says so, and no file names the link.
  await session.reconcile(new Set(['a.py', 'nothing-there']));
  expect(rowOf(session.facts.read(listRows), 'link.py')).toMatchObject({
    kind: 'alias',
    canonicalPath: 'c.py',
    conflicted: true,
  });
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('a rename that changes nothing but case, and names that differ in composition alone', async () => {
  const tree = make({ 'Name.ts': 'export const a = 1;\n', 'user.ts': "import { a } from './name';\n" });
  await tree.session();
  tree.git('mv', 'Name.ts', 'name.ts');
  expect(Object.keys(await rowsOf(tree))).toEqual(['name.ts', 'user.ts']);
  tree.write('\u00e9.ts', 'export const composed = 1;\n');
  tree.write('e\u0301.ts', 'export const decomposed = 1;\n');
  const rows = await rowsOf(tree);
  expect(Object.keys(rows)).toEqual(['e\u0301.ts', 'name.ts', 'user.ts', '\u00e9.ts']);
  const session = await tree.session();
  const named = (path: string) => session.facts.read((read) => listSymbolsOfFile(read, path).map((row) => row.name));
  expect([named('\u00e9.ts'), named('e\u0301.ts')]).toEqual([['composed'], ['decomposed']]);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('F12 names that are not UTF-8 are rows with a reason and their neighbours are indexed, with and without git', async () => {
  for (const git of [true, false]) {
    const tree = make({ 'dir/good.py': 'def good(): pass\n' }, { git });
    const bad = Buffer.concat([Buffer.from(`${tree.root}/dir/bad`), Buffer.from([0xff]), Buffer.from('.py')]);
    writeFileSync(bad, 'def bad(): pass\n');
    const rows = await rowsOf(tree);
    expect(Object.keys(rows)).toEqual(['dir/bad\\xff.py', 'dir/good.py']);
    expect(rowOf(rows, 'dir/bad\\xff.py')).toMatchObject({ skipReason: 'unreadable', language: 'python' });
    const { reconciler } = await tree.session();
    expect(await (await tree.session()).reconcile('all')).toMatchObject({ written: 0, deleted: 0 });
    expect(reconciler.listing?.gaps.map((gap) => gap.reason)).toEqual(['name_not_utf8']);
    expect(await tree.dump()).toBe(await tree.cleanDump());
  }
});

test('a file of 100 MB is a row with a reason, and is read when it has shrunk', async () => {
  const tree = make({});
  tree.write('large.py', '');
  truncateSync(join(tree.root, 'large.py'), 100 * 1024 * 1024);
  expect(rowOf(await rowsOf(tree), 'large.py')).toMatchObject({ skipReason: 'large', contentHash: null, parse: null });
  const session = await tree.session();
  const { generation } = await session.reconcile('all');
  expect(await session.reconcile('all')).toMatchObject({ written: 0, generation });
  // Between the caps: searched, not parsed.
  tree.write('large.py', 'x = 1  # needle\n'.repeat(100_000));
  expect(rowOf(await rowsOf(tree), 'large.py')).toMatchObject({
    skipReason: null,
    parse: 'skipped',
    language: 'python',
  });
  tree.write('large.py', 'def small(): pass\n');
  expect(rowOf(await rowsOf(tree), 'large.py')).toMatchObject({ skipReason: null, parse: 'ok' });
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('a configuration too large to be indexed does not steer imports', async () => {
  const pad = (text: string) => text.replace(/^\{/, `{"pad":"${'x'.repeat(4.5 * 1024 * 1024)}",`);
  const tree = make({
    'tsconfig.json': pad('{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}'),
    'main.ts': "import { a } from '@lib/a';\n",
    'lib/a.ts': 'export const a = 1;\n',
    'alt/a.ts': 'export const a = 2;\n',
  });
  await tree.session();
  tree.write('tsconfig.json', pad('{"compilerOptions":{"paths":{"@lib/*":["./alt/*"]}}}'));
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('bytes of every kind: NUL, UTF-16, UTF-32, invalid UTF-8, lone CR, U+2028, BOM, CRLF, LFS, nothing', async () => {
  const late = Buffer.alloc(20_000, 'a ');
  late[15_000] = 0;
  const files: Record<string, string | Uint8Array> = {
    'nul.py': 'def f(): pass\0\n',
    'late-nul.txt': late,
    'utf16le.py': Buffer.from('\ufeffdef f(): pass\n', 'utf16le'),
    'utf16be.py': Buffer.from('\ufeffdef f(): pass\n', 'utf16le').swap16(),
    'utf32be.py': new Uint8Array([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]),
    'latin1.py': Buffer.from('# caf\xe9\ndef f(): pass\n', 'latin1'),
    'cr.py': 'def f(): pass\rdef g(): pass\r',
    'cr-in-lf.py': 'x = 1\ry = 2\nz = 3\n',
    'ls.js': "const a = '\u2028';\nfunction f() {}\n",
    'bom.py': '\ufeffdef f(): pass\n',
    'crlf.py': 'def f(): pass\r\nx = 1\r\n',
    'mixed.py': 'def f(): pass\r\nx = 1\n',
    'lf.py': 'def f(): pass\n',
    'empty.py': '',
    'only-bom.py': '\ufeff',
    'lfs.py': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n',
    run: '#!/usr/bin/env python3\ndef shebang(): pass\n',
  };
  const tree = make(files);
  const rows = await rowsOf(tree);
  const facts = Object.fromEntries(
    Object.values(rows).map(({ path, skipReason, eol, bom, parse }) => [path, skipReason ?? [eol, bom, parse]]),
  );
  expect(facts).toEqual({
    'nul.py': 'binary',
    'late-nul.txt': ['none', false, null],
    'utf16le.py': 'encoding',
    'utf16be.py': 'encoding',
    'utf32be.py': 'encoding',
    'latin1.py': 'encoding',
    'cr.py': ['odd', false, expect.any(String)],
    'cr-in-lf.py': ['odd', false, expect.any(String)],
    'ls.js': ['odd', false, 'ok'],
    'bom.py': ['lf', true, 'ok'],
    'crlf.py': ['crlf', false, 'ok'],
    'mixed.py': ['mixed', false, 'ok'],
    'lf.py': ['lf', false, 'ok'],
    'empty.py': ['none', false, 'ok'],
    'only-bom.py': ['none', true, 'ok'],
    'lfs.py': 'lfs',
    run: ['lf', false, 'ok'],
  });
  expect(rowOf(rows, 'run').language).toBe('python');
  const session = await tree.session();
  const [bom] = session.facts.read((read) => listSymbolsOfFile(read, 'bom.py'));
  expect(bom).toMatchObject({ name: 'f', line: 0, column: 4, nameStart: 7 });
  // Every one of them can become every other one.
  const paths = Object.keys(files).filter((path) => path.endsWith('.py'));
  for (const [at, path] of paths.entries()) tree.write(path, files[paths[(at + 3) % paths.length] as string] as string);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('two names of one inode are two files', async () => {
  const tree = make({ 'a.py': 'def one(): pass\n' });
  linkSync(join(tree.root, 'a.py'), join(tree.root, 'b.py'));
  const rows = await rowsOf(tree);
  expect(rowOf(rows, 'b.py')).toMatchObject({
    kind: 'file',
    parse: 'ok',
    contentHash: rowOf(rows, 'a.py').contentHash,
  });
  tree.write('a.py', 'def other(): pass\n');
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('R9 an edit that keeps size and mtime is found, also where the inode stays', async () => {
  const tree = make({ 'a.py': 'def one(): pass\n' });
  const session = await tree.session();
  const { atime, mtime } = statSync(join(tree.root, 'a.py'));
  tree.write('a.py', 'def two(): pass\n');
  utimesSync(join(tree.root, 'a.py'), atime, mtime);
  await session.reconcile('all');
  expect(session.facts.read((read) => listSymbolsOfFile(read, 'a.py').map((row) => row.name))).toEqual(['two']);
});

test('a root whose folders are all links, FIFOs and empty directories has no files', async () => {
  const tree = make({}, { git: false });
  mkdirSync(join(tree.root, 'empty/er'), { recursive: true });
  execFileSync('mkfifo', [join(tree.root, 'pipe.py')]);
  symlinkSync('empty', join(tree.root, 'folder'));
  expect(Object.values(await rowsOf(tree)).map((row) => [row.path, row.skipReason])).toEqual([['folder', 'directory']]);
});
