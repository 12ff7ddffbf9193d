import { expect, test } from 'vitest';
import type { Lockfile, LockPackage } from '../../kernel/formats/lockfiles/lockfile.ts';
import { nativeModulesCatalog } from '../shared/native-modules.ts';
import { findNativeModules } from './gather-node-manifest.ts';

function entry(
  name: string,
  version: string,
  dependencies: string[] = [],
  hasInstallScript: boolean | null = null,
): LockPackage {
  return {
    name,
    version,
    hasInstallScript,
    dependencies: dependencies.map((dependency) => ({ name: dependency, range: '*' })),
    integrity: null,
    fromRegistry: true,
    optional: false,
    dev: false,
  };
}
const find = (packages: LockPackage[] | null, declared: string[] = []) => {
  const lock: Lockfile | null =
    packages === null ? null : { format: 'x', packages, importers: [], descriptors: new Map(), hasIntegrity: false };
  return findNativeModules(lock, declared, nativeModulesCatalog).map(
    (each) => `${each.name}@${each.versions.join(',')} ${each.requires_node_gyp} ${each.catalog_entry_version}`,
  );
};

test('known by exact name, with every version, also deep in the lock', () => {
  expect(
    find([
      entry('bcrypt', '5.1.1'),
      entry('bcrypt', '5.0.0'),
      entry('bcryptjs', '2.4.3'),
      entry('@types/bcrypt', '5.0.0'),
    ]),
  ).toEqual(['bcrypt@5.0.0,5.1.1 true 1.0.0']);
});

test('without a lock the direct dependencies are all there is', () => {
  expect(find(null, ['sharp', 'express'])).toEqual(['sharp@ false 1.0.0']);
});

test('given away by what its entry depends on, unless the format says that nothing is installed', () => {
  expect(find([entry('leveldown', '6.1.1', ['node-gyp-build'], true)])).toEqual(['leveldown@6.1.1 true uncatalogued']);
  expect(find([entry('leveldown', '6.1.1', ['node-gyp-build'])])).toEqual(['leveldown@6.1.1 true uncatalogued']);
  expect(find([entry('cli', '1.0.0', ['node-gyp'], false)])).toEqual([]);
  expect(find([entry('esbuild', '0.20.0', [], true)])).toEqual([]);
});

test('a napi-rs platform package is a binary without any install script', () => {
  const binding = entry(
    '@napi-rs/canvas',
    '0.1.50',
    ['@napi-rs/canvas-linux-x64-gnu', '@napi-rs/canvas-darwin-arm64'],
    false,
  );
  expect(find([binding, entry('@napi-rs/canvas-linux-x64-gnu', '0.1.50', [], false)])).toEqual([
    '@napi-rs/canvas@0.1.50 false uncatalogued',
  ]);
  expect(find([entry('x', '1.0.0', ['@napi-rs/cli'], false)])).toEqual([]);
});
