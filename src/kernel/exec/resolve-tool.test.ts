import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filterPath, resolveTool } from './resolve-tool.ts';
import { tools } from './tools.ts';

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-')));
  root = join(place, 'repo');
  mkdirSync(root);
});
afterEach(() => rmSync(place, { recursive: true }));

function plant(directory: string, name: string, text = '#!/bin/sh\n'): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text, { mode: 0o755 });
  return join(directory, name);
}

function resolve(name: keyof typeof tools, path: readonly string[], toolPaths: Record<string, string> = {}) {
  const resolution = resolveTool(name, tools[name], { root, toolPaths, pathEntries: filterPath(path.join(':'), root) });
  return resolution.kind === 'found' ? resolution.tool.path : resolution;
}

test('G6 relative, empty, world-writable, missing and in-repository entries are dropped from PATH', () => {
  const good = join(place, 'good');
  const open = join(place, 'open');
  const link = join(place, 'link');
  for (const directory of [good, open, join(root, 'node_modules/.bin')]) mkdirSync(directory, { recursive: true });
  chmodSync(open, 0o777);
  symlinkSync(join(root, 'node_modules/.bin'), link);
  const entries = [
    '.',
    '',
    'bin',
    './node_modules/.bin',
    open,
    link,
    root,
    join(root, 'node_modules/.bin'),
    '/nowhere',
    good,
    good,
  ];
  expect(filterPath(entries.join(':'), root)).toEqual([good]);
  expect(filterPath(undefined, root)).toEqual([]);
});

test('G6 a directory whose name begins like the repository is not inside it', () => {
  const beside = join(place, 'repo-tools');
  mkdirSync(beside);
  expect(filterPath(beside, root)).toEqual([beside]);
});

test('G6 a link outside the repository to a program inside it is passed over', () => {
  const planted = plant(join(root, 'target'), 'rg');
  mkdirSync(join(place, 'first'));
  symlinkSync(planted, join(place, 'first/rg'));
  const real = plant(join(place, 'second'), 'rg');
  expect(resolve('rg', [join(place, 'first'), join(place, 'second')])).toBe(real);
});

test('files that are not executable, that only a shell could run, and directories, are not programs', () => {
  plant(join(place, 'c'), 'rg', 'echo I would be run by sh\n');
  plant(join(place, 'a'), 'rg');
  chmodSync(join(place, 'a/rg'), 0o644);
  mkdirSync(join(place, 'b/rg'), { recursive: true });
  expect(resolve('rg', [join(place, 'a'), join(place, 'b'), join(place, 'c')])).toEqual({
    kind: 'missing',
    detail: null,
  });
});

test('the path of the user config comes first, and nothing replaces it when it is wrong', () => {
  const mine = plant(join(place, 'mine'), 'my-rg');
  plant(join(place, 'bin'), 'rg');
  expect(resolve('rg', [join(place, 'bin')], { rg: mine })).toBe(mine);
  for (const wrong of ['/nowhere/rg', 'bin/rg']) {
    expect(resolve('rg', [join(place, 'bin')], { rg: wrong })).toMatchObject({
      kind: 'missing',
      detail: expect.stringMatching('tools.rg.path'),
    });
  }
});

test('a tool that is a part of codegenie has no other path', () => {
  expect(resolve('tsgo', [])).toMatch(/tsgo\/tsgo-job\.ts$/);
  const mine = plant(join(place, 'mine'), 'tsgo');
  expect(resolve('tsgo', [], { tsgo: mine })).toEqual({
    kind: 'missing',
    detail: 'tools.tsgo.path cannot be set: tsgo is a part of codegenie.',
  });
});

test('G6 a path of the user config inside the analysed repository is not used, nor a link to one', () => {
  const planted = plant(join(root, 'bin'), 'rg');
  symlinkSync(planted, join(place, 'rg'));
  for (const path of [planted, join(place, 'rg')]) {
    expect(resolve('rg', [], { rg: path })).toEqual({
      kind: 'missing',
      detail: 'tools.rg.path lies inside the analysed repository.',
    });
  }
});

test('a proxy of rustup is never started: the program of the default toolchain is, or the tool is missing', () => {
  const home = join(place, 'home');
  const proxy = plant(join(home, '.cargo/bin'), 'rustup', '\u007fELF');
  linkSync(proxy, join(home, '.cargo/bin/rust-analyzer'));
  const path = [join(home, '.cargo/bin')];
  const absent = { kind: 'missing', detail: "rustup's default toolchain has no rust-analyzer." };
  expect(resolve('rust-analyzer', path)).toEqual(absent);
  mkdirSync(join(home, '.rustup/toolchains/stable/bin'), { recursive: true });
  writeFileSync(join(home, '.rustup/settings.toml'), 'version = "12"\ndefault_toolchain = "stable"\n');
  expect(resolve('rust-analyzer', path)).toEqual(absent);
  const real = plant(join(home, '.rustup/toolchains/stable/bin'), 'rust-analyzer', '\u007fELF');
  expect(resolve('rust-analyzer', path)).toBe(real);
});

test("node is the user's: our pinned binary on PATH is passed over, and is the fallback", () => {
  mkdirSync(join(place, 'ours'));
  symlinkSync(process.execPath, join(place, 'ours/node'));
  const theirs = plant(join(place, 'theirs'), 'node');
  expect(resolve('node', [join(place, 'ours'), join(place, 'theirs')])).toBe(theirs);
  expect(resolve('node', [join(place, 'ours')])).toBe(process.execPath);
  expect(resolve('node', [])).toBe(process.execPath);
});

test('a script for Node is run by the Node that runs us', () => {
  const script = plant(join(place, 'bin'), 'scip-go', '#!/usr/bin/env node\n');
  const native = plant(join(place, 'bin'), 'gitleaks', '\u007fELF');
  const at = (name: 'scip-go' | 'gitleaks') =>
    resolveTool(name, tools[name], { root, toolPaths: {}, pathEntries: [join(place, 'bin')] });
  expect(at('scip-go')).toEqual({ kind: 'found', tool: { path: script, file: process.execPath, prefix: [script] } });
  expect(at('gitleaks')).toEqual({ kind: 'found', tool: { path: native, file: native, prefix: [] } });
});
