import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/base/json.ts';
import type { Lockfile, LockImporter } from '../../kernel/formats/lockfiles/lockfile.ts';
import { coversManifest, overriddenNames } from './lock-coverage.ts';

const empty: Lockfile = { format: 'x', packages: [], importers: [], descriptors: new Map(), hasIntegrity: false };

function covers(
  dependencies: JsonObject,
  lock: Partial<Lockfile>,
  own: readonly string[] = [],
  overridden: readonly string[] = [],
): boolean | null {
  return coversManifest(
    { dependencies },
    { lock: { ...empty, ...lock }, importer: '.', workspaceNames: new Set(own), overridden: new Set(overridden) },
  );
}
const importing = (resolved: Readonly<Record<string, string | null>>): { importers: LockImporter[] } => ({
  importers: [
    {
      path: '.',
      dependencies: Object.entries(resolved).map(([name, version]) => ({
        name,
        range: '?',
        resolved: version,
        kind: 'prod',
      })),
    },
  ],
});

describe('with importers (npm, pnpm, bun, berry)', () => {
  test.each([
    ['^1.0.0', '1.4.2', true],
    ['^1.0.0', '2.0.0', false],
    ['~1.2.0 || >=3', '3.1.0', true],
    ['*', '1.0.0-beta.1', true],
    ['', '1.0.0', true],
    ['18.x', '18.2.0(react@18.2.0)', true],
    ['latest', '4.0.0', true],
    ['npm:other@^2.0.0', '2.1.0', true],
    ['npm:@scope/other@^2.0.0', '3.0.0', false],
    ['npm:other', '3.0.0', true],
    ['workspace:*', null, true],
    ['workspace:^1.2.0', null, true],
    ['file:../x', null, true],
    ['link:../x', null, true],
    ['git+https://example.com/x.git#v1', '1.0.0', true],
    ['github:owner/repo', '1.0.0', true],
    ['owner/repo', '1.0.0', true],
    ['https://example.com/x.tgz', '1.0.0', true],
    ['catalog:', '5.0.0', true],
    ['catalog:react18', null, null],
    ['^1.0.0', null, null],
  ])('%s against %s is %s', (range, version, covered) => {
    expect(covers({ a: range }, importing({ a: version }))).toBe(covered);
  });

  test('a dependency the lock does not know is not covered, whatever the others are', () => {
    expect(covers({ a: '^1', b: '^1' }, importing({ a: null }))).toBe(false);
  });

  test('a plain range may mean a package of the workspace', () => {
    expect(covers({ a: '^1.0.0' }, importing({ a: null }), ['a'])).toBe(true);
    expect(covers({ a: '^1.0.0' }, importing({}), ['a'])).toBe(true);
  });

  test('an override decides instead of the range', () => {
    expect(covers({ a: '^1.0.0' }, importing({ a: '2.0.0' }), [], ['a'])).toBe(true);
  });
});

test('with descriptors (yarn): the range itself must be there', () => {
  const descriptors = new Map([
    ['a@^1.0.0', '1.4.0'],
    ['b@npm:^2.0.0', '2.0.1'],
    ['c@^1.0.0', '3.0.0'],
  ]);
  expect(covers({ a: '^1.0.0', b: '^2.0.0' }, { descriptors })).toBe(true);
  expect(covers({ a: '^1.1.0' }, { descriptors })).toBe(false);
  expect(covers({ c: '^1.0.0' }, { descriptors })).toBe(false);
  expect(covers({ d: 'workspace:*', e: 'link:./e' }, { descriptors })).toBe(true);
});

test('with nothing but packages: any version of the name that fits', () => {
  const of = (name: string, version: string) => ({
    name,
    version,
    integrity: null,
    fromRegistry: true,
    hasInstallScript: null,
    dependencies: [],
    optional: false,
    dev: false,
  });
  const packages = [of('a', '1.0.0'), of('a', '2.0.0')];
  expect(covers({ a: '^2.0.0' }, { packages })).toBe(true);
  expect(covers({ a: '^3.0.0' }, { packages })).toBe(false);
  expect(covers({ b: '^1.0.0' }, { packages })).toBe(false);
});

test('a manifest without dependencies is covered by any lock', () => {
  expect(covers({}, {})).toBe(true);
});

test('overrides of npm, yarn and pnpm name what they pin', () => {
  const names = overriddenNames({
    overrides: { a: '1', b: { c: '1' }, d: { '.': '1', e: '2' } },
    resolutions: { '**/f': '1', 'x/@s/g': '1', '@s/h@npm:^1': '2' },
    pnpm: { overrides: { 'y>i@^2': '1', '@s/j': '1' } },
  });
  expect([...names].filter((name) => name !== '.').sort()).toEqual([
    '@s/g',
    '@s/h',
    '@s/j',
    'a',
    'c',
    'd',
    'e',
    'f',
    'i',
  ]);
  expect(overriddenNames(null).size).toBe(0);
});
