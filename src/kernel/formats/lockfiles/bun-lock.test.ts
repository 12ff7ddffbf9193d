import { expect, test } from 'vitest';
import { parseBunLock } from './bun-lock.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const parse = (text: string) => parseBunLock(new TextEncoder().encode(text), limits);

test('tuples of every kind, and what a workspace has for itself', () => {
  const outcome = parse(`{
  "lockfileVersion": 1, // text format
  "workspaces": {
    "": { "name": "root", "dependencies": { "a": "^1.0.0" }, "devDependencies": { "g": "github:u/g" } },
    "packages/w": { "name": "@s/w", "version": "1.0.0", "dependencies": { "a": "^2.0.0", "root": "workspace:*" }, },
  },
  "packages": {
    "a": ["a@1.0.0", "", { "peerDependencies": { "p": "*", "q": "*" }, "optionalPeers": ["q"] }, "sha512-x"],
    "@s/w": ["@s/w@workspace:packages/w", { "dependencies": { "a": "^2.0.0" } }],
    "@s/w/a": ["a@2.0.0", "", {}, "sha512-y"],
    "root": ["root@root:", {}],
    "g": ["g@github:u/g#abc", { "dependencies": { "t": "*" } }, "u-g-abc"],
    "t": ["t@https://host.example/t.tgz", {}, "sha512-z"],
    "l": ["l@link:../l", {}],
    "broken": [], "worse": 1,
  }
}`);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  const { packages, importers, descriptors, format } = outcome.value;
  expect(format).toBe('bun-1');
  expect(packages.map((each) => [each.id, each.source, each.integrity, each.dev])).toEqual([
    ['a@1.0.0', 'registry', 'sha512-x', false],
    ['a@2.0.0', 'registry', 'sha512-y', false],
    ['g@github:u/g#abc', 'git', null, true],
    ['t@https://host.example/t.tgz', 'file', 'sha512-z', true],
    ['l@link:../l', 'file', null, false],
  ]);
  expect(importers.map(({ path, dependencies }) => [path, ...dependencies.map((edge) => edge.resolved)])).toEqual([
    ['.', '1.0.0', 'github:u/g#abc'],
    ['packages/w', '2.0.0', null],
  ]);
  expect(importers[1]?.dependencies[1]?.target).toEqual({ kind: 'workspace', path: '.' });
  expect(packages[0]?.dependencies.map(({ name, target }) => [name, target])).toEqual([['p', null]]);
  expect(descriptors.get('a@^2.0.0')).toBe('2.0.0');
});

test('malformed with its line; a version is needed', () => {
  expect(parse('{\n  "lockfileVersion": 1,\n  /* x\n}')).toMatchObject({ failure: { kind: 'malformed', line: 3 } });
  expect(parse('{}')).toMatchObject({ failure: { kind: 'malformed' } });
  expect(parse(`{"lockfileVersion": 1, "packages": {"${'a/'.repeat(5_000)}a": []}}`)).toMatchObject({
    failure: { kind: 'depth_cap_exceeded' },
  });
});
