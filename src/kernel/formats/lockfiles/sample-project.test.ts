/** One project, locked by every package manager (test/fixtures/lockfiles/README.md): the answers must be the same. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareCodeUnits } from '../../base/json.ts';
import type { ParseLimits, ParseOutcome } from '../parse-outcome.ts';
import { parseBunLock } from './bun-lock.ts';
import type { LockEdge, ResolvedLockfile } from './lockfile.ts';
import { parseNpmLock } from './npm-lock.ts';
import { parsePnpmLock } from './pnpm-lock.ts';
import { parseYarnBerryLock } from './yarn-berry-lock.ts';
import { parseYarnClassicLock } from './yarn-classic-lock.ts';

type Parser = (bytes: Uint8Array, limits: ParseLimits) => ParseOutcome<ResolvedLockfile>;

const fixtures = new URL('../../../../test/fixtures/lockfiles/', import.meta.url);
const limits = { maxBytes: 1 << 20, maxDepth: 64 };

function load(path: string, parse: Parser): ResolvedLockfile {
  const outcome = parse(readFileSync(new URL(path, fixtures)), limits);
  if (!outcome.ok) throw new Error(`${path}: ${JSON.stringify(outcome.failure)}`);
  return outcome.value;
}

const locks = {
  'npm-1': load('npm-1/package-lock.json', parseNpmLock),
  'npm-2': load('npm-2/package-lock.json', parseNpmLock),
  'npm-3': load('npm-3/package-lock.json', parseNpmLock),
  'pnpm-5.4': load('pnpm-5/pnpm-lock.yaml', parsePnpmLock),
  'pnpm-6.0': load('pnpm-6/pnpm-lock.yaml', parsePnpmLock),
  'pnpm-9.0': load('pnpm-9/pnpm-lock.yaml', parsePnpmLock),
  'yarn-classic-1': load('yarn-classic/yarn.lock', parseYarnClassicLock),
  'yarn-berry-4': load('yarn-berry-4/yarn.lock', parseYarnBerryLock),
  'yarn-berry-6': load('yarn-berry-6/yarn.lock', parseYarnBerryLock),
  'yarn-berry-8': load('yarn-berry-8/yarn.lock', parseYarnBerryLock),
  'bun-1': load('bun-1/bun.lock', parseBunLock),
} as const;
type Format = keyof typeof locks;

const formats = Object.keys(locks) as Format[];
const isBerry = (format: Format) => format.startsWith('yarn-berry');
const leadsTo = ({ target }: LockEdge) =>
  target === null ? 'nowhere' : target.kind === 'package' ? target.id : `./${target.path}`;

/** Without what yarn 2 and later add for node-gyp, and without the directory, which npm links and the others copy. */
const registryPackages = (format: Format) =>
  locks[format].packages.filter(
    (each) => !(isBerry(format) && each.optional && each.name !== 'fsevents') && each.name !== 'local-thing',
  );

const expectedPackages = [
  'core-js@3.39.0',
  'fsevents@2.3.3',
  'is-buffer@1.1.6',
  'is-even@1.0.0',
  'is-number@3.0.0',
  'is-number@4.0.0',
  'is-number@6.0.0',
  'is-odd@0.1.2',
  'is-odd@3.0.1',
  'js-tokens@4.0.0',
  'kind-of@3.2.2',
  'loose-envify@1.4.0',
  'react@18.3.1',
  'use-sync-external-store@1.7.0',
];

const expectedEdges = [
  'is-even@1.0.0 → is-odd@0.1.2',
  'is-number@3.0.0 → kind-of@3.2.2',
  'is-odd@0.1.2 → is-number@3.0.0',
  'is-odd@3.0.1 → is-number@6.0.0',
  'kind-of@3.2.2 → is-buffer@1.1.6',
  'loose-envify@1.4.0 → js-tokens@4.0.0',
  'react@18.3.1 → loose-envify@1.4.0',
];

describe.each(formats)('%s', (format) => {
  const lock = locks[format];
  const packages = registryPackages(format);

  test('format, packages and edges', () => {
    expect(lock.format).toBe(format);
    expect(packages.map((each) => each.id).sort(compareCodeUnits)).toEqual(expectedPackages);
    const edges = packages
      .flatMap((each) => each.dependencies.map((edge) => ({ edge, text: `${each.id} → ${leadsTo(edge)}` })))
      .filter(({ edge, text }) => edge.kind === 'prod' && !text.includes('node-gyp'));
    expect(edges.map(({ text }) => text).sort(compareCodeUnits)).toEqual(expectedEdges);
  });

  test('every package comes from the registry, with an integrity value', () => {
    expect(lock.hasIntegrity).toBe(true);
    for (const each of packages) {
      expect([each.source, each.fromRegistry, (each.integrity ?? '').length > 80]).toEqual(['registry', true, true]);
    }
  });

  test('what is needed only for development or optionally, where the format tells', () => {
    const named = (flag: 'dev' | 'optional') => packages.filter((each) => each[flag]).map((each) => each.id);
    const tellsDev = !isBerry(format) && format !== 'yarn-classic-1';
    const dev = ['is-even@1.0.0', 'is-number@3.0.0', 'is-odd@0.1.2', 'kind-of@3.2.2'];
    expect(named('dev').sort(compareCodeUnits)).toEqual(tellsDev ? dev : []);
    expect(named('optional')).toEqual(format === 'yarn-classic-1' ? [] : ['fsevents@2.3.3']);
  });

  test('install scripts, where the format tells', () => {
    const scripts = packages.filter((each) => each.hasInstallScript === true).map((each) => each.name);
    const expected: Partial<Record<Format, string[]>> = {
      'npm-2': ['core-js'],
      'npm-3': ['core-js'],
      'pnpm-5.4': ['core-js', 'fsevents'],
      'pnpm-6.0': ['core-js', 'fsevents'],
    };
    expect(scripts).toEqual(expected[format] ?? []);
    const tells = format in expected;
    expect(packages.every((each) => (each.hasInstallScript === null) !== tells)).toBe(true);
  });

  test('the workspaces and what they ask for', () => {
    if (format === 'yarn-classic-1') {
      expect(lock.importers).toEqual([]);
      return;
    }
    const asked = (path: string) =>
      lock.importers
        .find((each) => each.path === path)
        ?.dependencies.map((edge) => `${edge.kind} ${edge.name} ${edge.range} → ${leadsTo(edge)}`)
        .sort(compareCodeUnits);
    const range = format.startsWith('npm') ? '*' : 'workspace:*';
    expect(asked('packages/app')).toEqual([
      `prod @sample/lib ${range} → ./packages/lib`,
      'prod core-js 3.39.0 → core-js@3.39.0',
      'prod react ^18.2.0 → react@18.3.1',
      'prod use-sync-external-store ^1.2.0 → use-sync-external-store@1.7.0',
    ]);
    expect(asked('packages/lib')).toContain('prod is-number ^6.0.0 → is-number@6.0.0');
    if (format === 'npm-1') return;
    const dev = isBerry(format) ? 'prod' : 'dev';
    expect(asked('.')?.filter((text) => !text.includes('local-thing'))).toEqual(
      [
        `${dev} is-even ^1.0.0 → is-even@1.0.0`,
        'optional fsevents ^2.3.2 → fsevents@2.3.3',
        'prod alias-number npm:is-number@^4.0.0 → is-number@4.0.0',
        'prod is-odd ^3.0.1 → is-odd@3.0.1',
      ].sort(compareCodeUnits),
    );
  });

  test('nothing leads nowhere, and what an edge leads to is there', () => {
    const ids = new Set(lock.packages.map((each) => each.id));
    const paths = new Set(lock.importers.map((each) => each.path));
    for (const edge of [...lock.packages, ...lock.importers].flatMap((each) => each.dependencies)) {
      expect(edge.target?.kind === 'workspace' ? paths.has(edge.target.path) : ids.has(edge.target?.id ?? '')).toBe(
        true,
      );
    }
  });
});

test('the directory outside the workspaces is a manifest of its own for npm and a package for the others', () => {
  for (const format of formats) {
    const lock = locks[format];
    const asImporter = lock.importers.find((each) => each.path === 'vendor/thing');
    const asPackage = lock.packages.find((each) => each.name === 'local-thing');
    expect([format, asImporter !== undefined]).toEqual([format, format.startsWith('npm')]);
    expect((asImporter ?? asPackage)?.dependencies.map(leadsTo)).toEqual(['is-buffer@1.1.6']);
    if (asPackage !== undefined) expect([asPackage.source, asPackage.fromRegistry]).toEqual(['file', false]);
  }
});

test('peers lead to the version that provides them', () => {
  const withPeers = formats.filter((format) => format !== 'npm-1' && format !== 'yarn-classic-1');
  for (const format of withPeers) {
    const store = locks[format].packages.find((each) => each.name === 'use-sync-external-store');
    expect(store?.dependencies.map((edge) => `${edge.kind} ${leadsTo(edge)}`)).toEqual(['peer react@18.3.1']);
  }
});

test('descriptors, for the formats that lead from a range to a version', () => {
  for (const format of formats) {
    const { descriptors } = locks[format];
    if (isBerry(format)) expect(descriptors.get('is-odd@npm:^3.0.1')).toBe('3.0.1');
    else if (format === 'bun-1' || format === 'yarn-classic-1') expect(descriptors.get('is-odd@^3.0.1')).toBe('3.0.1');
    else expect(descriptors.size).toBe(0);
  }
});
