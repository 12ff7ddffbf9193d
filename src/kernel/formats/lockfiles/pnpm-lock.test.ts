import { expect, test } from 'vitest';
import type { ResolvedLockfile } from './lockfile.ts';
import { parsePnpmLock } from './pnpm-lock.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };

function read(text: string): ResolvedLockfile {
  const outcome = parsePnpmLock(new TextEncoder().encode(text), limits);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  return outcome.value;
}

const leads = (lock: ResolvedLockfile) =>
  [...lock.importers, ...lock.packages].flatMap((each) =>
    each.dependencies.map(({ name, kind, target }) => {
      const from = 'id' in each ? each.id : each.path;
      return `${from} ${kind} ${name} → ${target?.kind === 'package' ? target.id : (target?.path ?? 'nowhere')}`;
    }),
  );

test('G9 several sets of peers are one package, which leads to all of them', () => {
  const lock = read(`lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a:
        specifier: 'catalog:'
        version: 1.0.0(r@1.0.0)
packages:
  a@1.0.0:
    resolution: {integrity: sha512-x}
    peerDependencies:
      r: '*'
  r@1.0.0:
    resolution: {integrity: sha512-x}
  r@2.0.0:
    resolution: {integrity: sha512-x}
snapshots:
  a@1.0.0(r@1.0.0):
    dependencies:
      r: 1.0.0
  a@1.0.0(r@2.0.0):
    dependencies:
      r: 2.0.0
  r@1.0.0: {}
  r@2.0.0: {}
`);
  expect(lock.packages.map((each) => each.id)).toEqual(['a@1.0.0', 'r@1.0.0', 'r@2.0.0']);
  expect(leads(lock)).toEqual(['. prod a → a@1.0.0', 'a@1.0.0 peer r → r@1.0.0', 'a@1.0.0 peer r → r@2.0.0']);
  expect(lock.importers[0]?.dependencies[0]).toMatchObject({ range: 'catalog:', resolved: '1.0.0' });
});

test('G9 git, archives, directories and workspace packages that are copied', () => {
  const lock = read(`lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      g:
        specifier: github:u/g
        version: https://codeload.github.com/u/g/tar.gz/abc
      t:
        specifier: https://host.example/t.tgz
        version: https://host.example/t.tgz
      w:
        specifier: workspace:*
        version: file:packages/w(r@1.0.0)
      up:
        specifier: link:../up
        version: link:../up
  packages/w: {}
packages:
  g@https://codeload.github.com/u/g/tar.gz/abc:
    resolution: {tarball: https://codeload.github.com/u/g/tar.gz/abc}
    version: 1.0.0
  t@https://host.example/t.tgz:
    resolution: {integrity: sha512-x, tarball: https://host.example/t.tgz}
    version: 2.0.0
  w@file:packages/w:
    resolution: {directory: packages/w, type: directory}
snapshots:
  g@https://codeload.github.com/u/g/tar.gz/abc: {}
  t@https://host.example/t.tgz: {}
  w@file:packages/w(r@1.0.0): {}
`);
  expect(lock.packages.map((each) => [each.id, each.source, each.fromRegistry])).toEqual([
    ['g@1.0.0', 'git', false],
    ['t@2.0.0', 'file', false],
  ]);
  expect(leads(lock)).toEqual([
    '. prod g → g@1.0.0',
    '. prod t → t@2.0.0',
    '. prod w → packages/w',
    '. prod up → ../up',
  ]);
});

test('5 and 6: one manifest without importers, references with their whole key, hashed peers', () => {
  const five = read(`lockfileVersion: 5.3
specifiers:
  '@s/a': ^1.0.0
  alias: npm:b@1
  g: github:u/g
dependencies:
  '@s/a': 1.0.0_abc123
  alias: /b/1.2.0
  g: github.com/u/g/abc
packages:
  /@s/a/1.0.0_abc123:
    resolution: {integrity: sha512-x}
    requiresBuild: true
    dependencies:
      my_name: 2.0.0
    dev: false
  /b/1.2.0:
    resolution: {integrity: sha512-x}
  /my_name/2.0.0:
    resolution: {integrity: sha512-x}
  github.com/u/g/abc:
    resolution: {tarball: https://codeload.github.com/u/g/tar.gz/abc}
    name: g
    version: 3.0.0
`);
  expect(leads(five)).toEqual([
    '. prod @s/a → @s/a@1.0.0',
    '. prod alias → b@1.2.0',
    '. prod g → g@3.0.0',
    '@s/a@1.0.0 prod my_name → my_name@2.0.0',
  ]);
  expect(five.packages.map((each) => each.hasInstallScript)).toEqual([true, false, false, false]);
  const six = read(`lockfileVersion: '6.0'
dependencies:
  a:
    specifier: ^1.0.0
    version: 1.0.0(b@2.0.0)
packages:
  /a@1.0.0(b@2.0.0):
    resolution: {integrity: sha512-x}
    dev: false
`);
  expect(leads(six)).toEqual(['. prod a → a@1.0.0']);
  expect(six.importers[0]?.dependencies[0]).toMatchObject({ range: '^1.0.0', resolved: '1.0.0' });
});

test('an unknown version is malformed', () => {
  const parse = (text: string) => parsePnpmLock(new TextEncoder().encode(text), limits);
  expect(parse("lockfileVersion: '12.0'\n")).toMatchObject({ failure: { kind: 'malformed' } });
  expect(parse('packages: {}\n')).toMatchObject({ failure: { kind: 'malformed' } });
});
