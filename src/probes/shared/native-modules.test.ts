import { valid } from 'semver';
import { expect, test } from 'vitest';
import { nativeModulesCatalog } from './native-modules.ts';

const { version, entries } = nativeModulesCatalog;

test('the catalog of native modules names every package once, in order', () => {
  const names = entries.map((entry) => entry.name);
  expect(names).toEqual([...new Set(names)].sort());
});

test('every entry of the catalog of native modules is well formed', () => {
  expect(valid(version)).toBe(version);
  for (const entry of entries) {
    expect(entry.name).toMatch(/^(@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*$/);
    expect(valid(entry.since)).toBe(entry.since);
    expect(entry.binaryArtifacts.length).toBeGreaterThan(0);
    for (const text of [...entry.systemDeps, ...entry.binaryArtifacts]) expect(text).toMatch(/^[A-Za-z0-9_.+*-]+$/);
  }
});

test('the ten packages of version 1 are there, and their look-alikes are not', () => {
  const names = new Set(entries.map((entry) => entry.name));
  const first =
    'bcrypt sharp better-sqlite3 canvas node-rdkafka node-pty bufferutil utf-8-validate argon2 keytar'.split(' ');
  expect(first.filter((name) => !names.has(name))).toEqual([]);
  expect(names.has('bcryptjs') || names.has('@types/bcrypt')).toBe(false);
});
