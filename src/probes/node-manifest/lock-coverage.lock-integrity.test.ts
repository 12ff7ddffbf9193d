import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Lockfile, LockPackage } from '../../kernel/formats/lockfiles/lockfile.ts';
import { hasValidIntegrity, isWellFormedIntegrity } from './lock-coverage.ts';

const sri = (algorithm: string) => `${algorithm}-${createHash(algorithm).update('x').digest('base64')}`;
const hex = createHash('sha512').update('x').digest('hex');

test.each([
  sri('sha1'),
  sri('sha256'),
  sri('sha384'),
  sri('sha512'),
  `${sri('sha1')} ${sri('sha512')}`,
  hex,
  `10c0/${hex}`,
  `8/${hex}`,
])('%s is well formed', (text) => {
  expect(isWellFormedIntegrity(text)).toBe(true);
});

test.each([
  '',
  ' ',
  'sha512-',
  'sha512-abc',
  `sha1-${sri('sha512').slice(7)}`,
  'md5-AAAA',
  hex.slice(1),
  `${sri('sha512')} nonsense`,
])('%j is not', (text) => {
  expect(isWellFormedIntegrity(text)).toBe(false);
});

test('every package of a registry must have one; others need none; formats without any say nothing', () => {
  const of = (integrity: string | null, fromRegistry = true): LockPackage => ({
    name: 'a',
    version: '1.0.0',
    integrity,
    fromRegistry,
    hasInstallScript: null,
    dependencies: [],
    optional: false,
    dev: false,
  });
  const lock = (packages: LockPackage[], hasIntegrity = true): Lockfile => ({
    format: 'x',
    packages,
    importers: [],
    descriptors: new Map(),
    hasIntegrity,
  });
  expect(hasValidIntegrity(lock([of(sri('sha512')), of(null, false)]))).toBe(true);
  expect(hasValidIntegrity(lock([of(sri('sha512')), of(null)]))).toBe(false);
  expect(hasValidIntegrity(lock([of(null)], false))).toBe(null);
  expect(hasValidIntegrity(lock([]))).toBe(null);
});
