import { expect, test } from 'vitest';
import fc from '../../../../test/support/properties.ts';
import type { Json } from '../../base/json.ts';
import type { ResolvedLockfile } from './lockfile.ts';
import { parseNpmLock } from './npm-lock.ts';

const limits = { maxBytes: 1 << 22, maxDepth: 64 };
const encode = (lock: Json) => new TextEncoder().encode(JSON.stringify(lock));

function read(lock: Json): ResolvedLockfile {
  const outcome = parseNpmLock(encode(lock), limits);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  return outcome.value;
}

const edges = (lock: ResolvedLockfile) =>
  lock.packages.flatMap((each) =>
    each.dependencies.map(
      ({ name, target }) => `${each.id} ${name} → ${target?.kind === 'package' ? target.id : 'nowhere'}`,
    ),
  );

test('a dependency is found in the own folder first, then upwards', () => {
  const lock = read({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '^2', c: '*' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '*', d: '*' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0' },
      'packages/x': { dependencies: { b: '*', c: '*' } },
      'packages/x/node_modules/c': { version: '9.0.0' },
    },
  });
  expect(edges(lock)).toEqual([
    'a@1.0.0 b → b@2.0.0',
    'a@1.0.0 c → c@1.0.0',
    'b@2.0.0 c → c@1.0.0',
    'b@2.0.0 d → nowhere',
  ]);
  expect(lock.importers[1]?.dependencies.map((edge) => edge.resolved)).toEqual(['1.0.0', '9.0.0']);
});

test('copies of one package are one entry with the dependencies of all, and dev only if all are', () => {
  const lock = read({
    lockfileVersion: 3,
    packages: {
      'node_modules/a': { version: '1.0.0', dev: true, dependencies: { c: '*' } },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/b/node_modules/a': { version: '1.0.0', dependencies: { c: '*' }, integrity: 'sha512-x' },
      'node_modules/b/node_modules/c': { version: '2.0.0' },
    },
  });
  expect(lock.packages.map((each) => each.id)).toEqual(['a@1.0.0', 'c@1.0.0', 'c@2.0.0']);
  expect(lock.packages[0]).toMatchObject({ dev: false, integrity: 'sha512-x' });
  expect(edges(lock)).toEqual(['a@1.0.0 c → c@1.0.0', 'a@1.0.0 c → c@2.0.0']);
});

test('git, archives and bundled packages do not come from the registry', () => {
  const lock = read({
    lockfileVersion: 2,
    packages: {
      'node_modules/git': { version: '1.0.0', resolved: 'git+ssh://git@git.example/x.git#abc' },
      'node_modules/file': { version: '1.0.0', resolved: 'file:x.tgz', integrity: 'sha512-x' },
      'node_modules/web': { version: '1.0.0', resolved: 'https://registry.example/web/-/web-1.0.0.tgz' },
      'node_modules/bundled': { version: '1.0.0', inBundle: true },
      'node_modules/plain': { version: '1.0.0' },
    },
  });
  expect(lock.packages.map((each) => [each.name, each.source, each.fromRegistry])).toEqual([
    ['git', 'git', false],
    ['file', 'file', false],
    ['web', 'registry', true],
    ['bundled', 'registry', false],
    ['plain', 'registry', true],
  ]);
});

test('optional dependencies and peers: a name stands once, an optional peer that no package provides is no gap', () => {
  const lock = read({
    lockfileVersion: 3,
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        dependencies: { b: '1', o: '1' },
        optionalDependencies: { o: '1' },
        devDependencies: { d: '1' },
        peerDependencies: { b: '1', p: '1', q: '1' },
        peerDependenciesMeta: { q: { optional: true } },
      },
    },
  });
  expect(lock.packages[0]?.dependencies.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'optional o',
    'prod b',
    'peer p',
  ]);
});

test('version 1: aliases, git, links and nested folders', () => {
  const lock = read({
    lockfileVersion: 1,
    requires: true,
    dependencies: {
      alias: { version: 'npm:@s/real@2.0.0', integrity: 'sha512-x' },
      git: { version: 'git+ssh://git@git.example/x.git#abc', from: 'git+ssh://git@git.example/x.git' },
      own: { version: 'file:packages/own', requires: { alias: '*' } },
      a: { version: '1.0.0', requires: { own: '*', b: '1' }, dependencies: { b: { version: '1.5.0', bundled: true } } },
    },
  });
  expect(lock.packages.map((each) => [each.id, each.source, each.fromRegistry])).toEqual([
    ['@s/real@2.0.0', 'registry', true],
    ['git@git+ssh://git@git.example/x.git#abc', 'git', false],
    ['a@1.0.0', 'registry', true],
    ['b@1.5.0', 'registry', false],
  ]);
  expect(lock.importers.map((each) => each.path)).toEqual(['packages/own']);
  expect(lock.importers[0]?.dependencies[0]?.target).toEqual({ kind: 'package', id: '@s/real@2.0.0' });
});

test('G40 in a flat lock every dependency that is listed is found', () => {
  const graph = fc.array(fc.array(fc.nat(19), { maxLength: 4 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(graph, (needs) => {
      const packages = needs.map((to, index) => [
        `node_modules/p${index}`,
        { version: `${index}.0.0`, dependencies: Object.fromEntries(to.map((other) => [`p${other}`, '*'])) },
      ]);
      const expected = needs.flatMap((to, index) =>
        to.map((other) => `p${index}@${index}.0.0 p${other} → p${other}@${other}.0.0`),
      );
      const lock = read({ lockfileVersion: 3, packages: Object.fromEntries(packages) });
      expect(new Set(edges(lock))).toEqual(new Set(expected));
    }),
  );
});

test('G16 a folder 5 000 deep is refused, 5 000 copies of one package are read', () => {
  const deep = { lockfileVersion: 3, packages: { ['node_modules/a/'.repeat(5_000)]: { version: '1.0.0' } } };
  expect(parseNpmLock(encode(deep), limits)).toEqual({ ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } });
  const copies = Array.from({ length: 5_000 }, (_, index) => [
    `node_modules/h${index}/node_modules/a`,
    { version: '1.0.0', dependencies: { [`d${index}`]: '*' } },
  ]);
  const lock = read({ lockfileVersion: 3, packages: Object.fromEntries(copies) });
  expect(lock.packages.map((each) => each.dependencies.length)).toEqual([5_000]);
});

test('G11 a package called __proto__ is a package', () => {
  const text =
    '{"lockfileVersion": 3, "packages": {"node_modules/__proto__": {"version": "1.0.0"}, "__proto__": {"version": "2.0.0"}}}';
  const outcome = parseNpmLock(new TextEncoder().encode(text), limits);
  expect(outcome.ok && outcome.value.packages.map((each) => each.id)).toEqual(['__proto__@1.0.0']);
});

test('a field of the wrong kind is malformed where nothing can be read without it', () => {
  for (const lock of [
    {},
    { lockfileVersion: '3' },
    { lockfileVersion: 3, packages: [] },
    { lockfileVersion: 1, dependencies: 1 },
  ]) {
    expect(parseNpmLock(encode(lock), limits)).toMatchObject({ ok: false, failure: { kind: 'malformed' } });
  }
});
