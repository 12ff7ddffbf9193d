import { expect, test } from 'vitest';
import { parseYarnBerryLock } from './yarn-berry-lock.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const parse = (text: string) => parseYarnBerryLock(new TextEncoder().encode(text), limits);

test('protocols: npm, patch, git, archive, portal, and a platform package that was never fetched', () => {
  const outcome = parse(`__metadata:
  version: 8
  cacheKey: 10c0

"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  checksum: 10c0/00
  languageName: node
  linkType: hard

"a@patch:a@npm%3A^1.0.0#~/.yarn/patches/a.patch":
  version: 1.0.0
  resolution: "a@patch:a@npm%3A1.0.0#~/.yarn/patches/a.patch::version=1.0.0&hash=abc"
  dependencies:
    b: "npm:^1.0.0"
  checksum: 10c0/01
  languageName: node
  linkType: hard

"b@npm:2.0.0":
  version: 2.0.0
  resolution: "b@npm:2.0.0"
  conditions: os=darwin
  languageName: node
  linkType: hard

"g@https://git.example/g.git":
  version: 0.1.0
  resolution: "g@https://git.example/g.git#commit=abc"
  checksum: 10c0/02
  languageName: node
  linkType: hard

"p@portal:../p::locator=root%40workspace%3A.":
  version: 0.0.0-use.local
  resolution: "p@portal:../p::locator=root%40workspace%3A."
  languageName: node
  linkType: soft

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    a: "patch:a@npm%3A^1.0.0#~/.yarn/patches/a.patch"
    g: "https://git.example/g.git"
    p: "portal:../p"
    missing: "npm:^1.0.0"
  languageName: unknown
  linkType: soft
`);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  expect(outcome.value.packages.map((each) => [each.id, each.source, each.fromRegistry])).toEqual([
    ['a@1.0.0', 'registry', true],
    ['b@2.0.0', 'registry', false],
    ['g@0.1.0', 'git', false],
    ['p@0.0.0-use.local', 'file', false],
  ]);
  // The range of `b` was overridden by a resolution: with one version in the lock there is no other it could be.
  expect(outcome.value.packages[0]?.dependencies).toMatchObject([{ name: 'b', range: '^1.0.0', resolved: '2.0.0' }]);
  expect(outcome.value.importers).toMatchObject([
    {
      path: '.',
      dependencies: [{ resolved: '1.0.0' }, { resolved: '0.1.0' }, { resolved: '0.0.0-use.local' }, { resolved: null }],
    },
  ]);
  expect(outcome.value.descriptors.has('root@workspace:.')).toBe(false);
});

test('numbers stay as written: a range of 1.10 is not 1.1', () => {
  const outcome = parse(
    '__metadata:\n  version: 6\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    b: 1.10\n',
  );
  expect(outcome).toMatchObject({ value: { packages: [{ dependencies: [{ name: 'b', range: '1.10' }] }] } });
});

test('without its metadata it is not a lockfile of this kind', () => {
  expect(parse('"a@npm:1":\n  version: 1.0.0\n')).toMatchObject({ failure: { kind: 'malformed' } });
  expect(parse('# yarn lockfile v1\n\na@1:\n  version "1"\n')).toMatchObject({ failure: { kind: 'malformed' } });
});
