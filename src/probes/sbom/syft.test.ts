import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { fromCycloneDx, toCycloneDx } from './cyclonedx.ts';
import { packageRole, tracedFiles } from './image-packages.ts';
import { osPackageRolesCatalog } from './os-package-roles.ts';
import type { ImagePackage } from './sbom-section.ts';
import { convertSyft, withoutSyftRun } from './syft.ts';

const document: JsonObject = {
  artifacts: [
    {
      name: 'libc6',
      version: '2.36-9',
      type: 'deb',
      purl: 'pkg:deb/debian/libc6@2.36-9',
      locations: [{ path: '/var/lib/dpkg/status' }],
      metadata: { source: 'glibc', sourceVersion: '', files: [{ path: '/lib/libc.so.6' }] },
    },
    { name: 'musl', version: '1.2', type: 'apk', metadata: { originPackage: 'musl', files: [] } },
    { name: 'a', version: '1.0.0', type: 'npm', locations: [{ path: '/app/node_modules/a/package.json' }] },
    {
      name: 'six',
      version: '1.16.0',
      type: 'python',
      metadata: { sitePackagesRootPath: '/usr/lib/python3', files: [{ path: 'six.so' }] },
    },
    { name: 'stdlib', version: 'go1.22.3', type: 'go-module', locations: [{ path: '/bin/app' }] },
    { name: 'busybox', version: '1.36', type: 'binary' },
    { name: 'bash-libs', version: '5.1.8-6', type: 'rpm', metadata: { sourceRpm: 'bash-5.1.8-6.el9.src.rpm' } },
  ],
  distro: { id: 'debian', versionID: '12' },
  source: {
    id: 'abc',
    name: '/dev/shm/x/image.tar',
    type: 'image',
    metadata: { userInput: '/dev/shm/x', imageSize: 1234 },
  },
  descriptor: { name: 'syft', version: '1.0.0', configuration: { cache: '/root' }, timestamp: 'now' },
};

test('what syft says, in our words', () => {
  const traced = tracedFiles(['/usr/lib/libc.so.6', '/usr/lib/python3/six.so', '/bin/app']);
  const catalogue = convertSyft(document, traced);
  expect(catalogue?.packages.map(({ type, name, version, reach }) => `${type} ${name} ${version} ${reach}`)).toEqual([
    'apk musl 1.2 unknown',
    'deb libc6 2.36-9 loaded',
    'go stdlib 1.22.3 loaded',
    'npm a 1.0.0 present',
    'other busybox 1.36 unknown',
    'python six 1.16.0 loaded',
    'rpm bash-libs 5.1.8-6 unknown',
  ]);
  expect(catalogue?.packages.at(-1)?.source).toEqual({ name: 'bash', version: '5.1.8-6.el9' });
  expect(catalogue).toMatchObject({ os: { id: 'debian', version: '12' }, sizeBytes: 1234 });
  expect(catalogue?.packages.find((each) => each.name === 'libc6')?.source).toEqual({
    name: 'glibc',
    version: '2.36-9',
  });
  expect(catalogue?.packages.find((each) => each.name === 'musl')?.source).toBe(null);
});

test('what is kept of the document does not say where or when it was made', () => {
  const kept = JSON.stringify(withoutSyftRun(document));
  expect(kept).not.toMatch(/\/dev\/shm|\/root|now|abc/);
  expect(kept).toContain('"imageSize":1234');
});

test('G32 any JSON is converted or refused, never thrown at', () => {
  expect(convertSyft({ artifacts: 'x' }, null)).toBe(null);
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (artifacts, other) => {
      const found = convertSyft({ artifacts, distro: other, source: other } as JsonObject, tracedFiles(['/x']));
      expect(found).not.toBe(null);
      fromCycloneDx(other as Json);
    }),
  );
});

test('G40 a bill of materials reads back as it was written', () => {
  const word = fc.string({ minLength: 1, maxLength: 12 });
  const each: fc.Arbitrary<ImagePackage> = fc.record({
    type: fc.constantFrom('deb', 'npm', 'go', 'other'),
    name: word,
    version: fc.string({ maxLength: 8 }),
    purl: fc.string({ maxLength: 8 }),
    source: fc.option(fc.record({ name: word, version: word }), { nil: null }),
    location: word,
    reach: fc.constantFrom('loaded', 'present', 'unknown'),
  });
  const os = fc.option(fc.record({ id: word, version: word }), { nil: null });
  fc.assert(
    fc.property(fc.array(each), os, (packages, of) => {
      const bill = toCycloneDx({ digest: 'sha256:0', generator: 'builtin', os: of, packages, roleOf: () => null });
      expect(fromCycloneDx(JSON.parse(JSON.stringify(bill)))).toEqual({ os: of, packages });
    }),
  );
});

test.each([
  [{ type: 'deb', name: 'gcc-12', reach: 'present' }, 'build_only'],
  [{ type: 'deb', name: 'gcc-12', reach: 'loaded' }, 'runtime_required'],
  [{ type: 'deb', name: 'gcc-12-base', reach: 'present' }, 'unknown'],
  [{ type: 'deb', name: 'python3.11-dev', reach: 'unknown' }, 'build_only'],
  [{ type: 'apk', name: 'vim', reach: 'unknown' }, 'convenience'],
  [{ type: 'deb', name: 'libc6', reach: 'present' }, 'unknown'],
  [{ type: 'npm', name: 'make', reach: 'loaded' }, null],
] as const)('the role of %o is %s', (each, role) => {
  expect(packageRole(each, osPackageRolesCatalog)).toBe(role);
});
