import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../base/log.ts';
import { createExecHost } from './exec-host.ts';
import { readToolIdentity } from './tool-version.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'identity-')));
});
afterEach(() => rmSync(place, { recursive: true }));

function write(path: string, text: string): string {
  mkdirSync(join(place, path, '..'), { recursive: true });
  writeFileSync(join(place, path), text);
  return join(place, path);
}

test('a program is its bytes, wherever it lies and however it is reached', () => {
  const one = write('a/tool', 'bytes');
  const same = write('b/tool', 'bytes');
  symlinkSync(one, join(place, 'link'));
  const identity = readToolIdentity(one, undefined);
  expect(identity).toMatch(/^[0-9a-f]{16}$/);
  expect([readToolIdentity(same, undefined), readToolIdentity(join(place, 'link'), undefined)]).toEqual([
    identity,
    identity,
  ]);
  expect(readToolIdentity(write('c/tool', 'Bytes'), undefined)).not.toBe(identity);
});

test('an upgrade in place is seen', () => {
  const tool = write('tool', 'bytes');
  const before = readToolIdentity(tool, undefined);
  write('tool', 'bytes of another build');
  expect(readToolIdentity(tool, undefined)).not.toBe(before);
});

test('an npm package is its manifest, its entry and the manifests of what it depends on', () => {
  const entry = write('node_modules/@x/tool/dist/main.js', '#!/usr/bin/env node\n');
  write('node_modules/@x/tool/package.json', '{"name":"@x/tool","version":"1.0.0","dependencies":{"compiler":"^5"}}');
  write('node_modules/compiler/package.json', '{"version":"5.0.0"}');
  const before = readToolIdentity(entry, '@x/tool');
  write('node_modules/compiler/package.json', '{"version":"5.0.1"}');
  const upgraded = readToolIdentity(entry, '@x/tool');
  expect(upgraded).not.toBe(before);
  // Its own copy comes before the shared one.
  write('node_modules/@x/tool/node_modules/compiler/package.json', '{"version":"5.0.0"}');
  expect(readToolIdentity(entry, '@x/tool')).toBe(before);
});

test('what cannot be read has no identity', () => {
  expect(readToolIdentity(join(place, 'absent'), undefined)).toBeUndefined();
  expect(readToolIdentity(place, undefined)).toBeUndefined();
});

test('a part of this package is known by the files that it is made of, wherever they lie', () => {
  const entry = write('job/entry.ts', "import { far } from '../far/far.ts';\nfar();\n");
  write('far/far.ts', "export const far = async () => (await import('./later.ts')).later;\n");
  write('far/later.ts', 'export const later = 1;\n');
  write('job/beside.ts', 'export const beside = 1;\n');
  const first = readToolIdentity(entry, undefined, true);
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  write('job/beside.ts', 'export const beside = 22;\n');
  expect(readToolIdentity(entry, undefined, true)).toBe(first);
  write('far/later.ts', 'export const later = 22;\n');
  expect(readToolIdentity(entry, undefined, true)).not.toBe(first);
});

test('G8 the version of our own indexer, which every key of its answers holds, changes with its code', async () => {
  const host = createExecHost({ root: '/', environment: {}, toolPaths: {}, logger: silentLogger });
  const { version, path } = await host
    .bind({ name: 'test', signal: new AbortController().signal, workspace: tmpdir() })
    .toolVersion('tsgo');
  expect(version.endsWith(`+${readToolIdentity(path ?? '', undefined, true)}`)).toBe(true);
});
