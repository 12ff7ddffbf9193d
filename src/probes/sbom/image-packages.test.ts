import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  type ImageFact,
  imageFactReader,
  parseApkInstalled,
  parseDpkgStatus,
  parseOsRelease,
} from './image-packages.ts';

function factOf(path: string, content: string | Uint8Array): ImageFact | null {
  let fact: ImageFact | null = null;
  const sink = imageFactReader(() => true)(path, content.length, (found) => {
    fact = found;
  });
  sink?.push(Buffer.from(content));
  sink?.end();
  return fact;
}

const places = [
  'var/lib/dpkg/status',
  'var/lib/dpkg/status.d/base',
  'var/lib/dpkg/status.d/base.md5sums',
  'var/lib/dpkg/info/a.list',
  'lib/apk/db/installed',
  'etc/os-release',
  'app/node_modules/a/package.json',
  'usr/lib/a.dist-info/METADATA',
  'usr/lib/a.dist-info/RECORD',
  'var/lib/rpm/Packages',
];

test('G40 no content of any of these files is an exception', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      'Package: a',
      'Version: 1',
      'Status: x',
      'Source: b (',
      'P:a',
      'V:1',
      'F:x',
      'R:y',
      'ID="',
      'Name: ',
      '"a',
      '../../b,',
      ' x',
      '',
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.array(line, { maxLength: 12 }), (path, lines) => {
      factOf(path, lines.join('\n'));
    }),
    { numRuns: 500 },
  );
});

describe('G16 time grows with the length of a file and not faster', () => {
  // Each of these took minutes, or would have, with the obvious expression or loop.
  test.each([
    [
      'a name with a gap in it',
      'usr/lib/a.dist-info/METADATA',
      `Name: a${' '.repeat(60_000)}b\nVersion: 1\n`,
      { kind: 'python', version: '1' },
    ],
    [
      'a path of nothing but steps up',
      'usr/lib/a.dist-info/RECORD',
      '../'.repeat(5_000_000),
      { kind: 'python_files', files: [] },
    ],
    [
      'a paragraph of blanks',
      'var/lib/dpkg/status',
      `Package: a\n${' '.repeat(5_000_000)}\nVersion: 1\n`,
      { kind: 'dpkg', packages: [] },
    ],
    ['lines without end', 'lib/apk/db/installed', '\n'.repeat(5_000_000), { kind: 'apk', packages: [] }],
    ['quotes', 'etc/os-release', `ID=${'"'.repeat(60_000)}\n`, { kind: 'os' }],
  ])('%s', (_what, path, content, expected) => {
    expect(factOf(path, content)).toMatchObject(expected);
  });
});

test('only these paths are looked at, and of a program only what is long enough to be one', () => {
  const asked = (path: string, size = 10) => imageFactReader(() => true)(path, size, () => {}) !== null;
  expect(places.filter((path) => !asked(path))).toEqual([]);
  for (const path of [
    'package.json',
    'app/package.json',
    'app/node_modules/package.json',
    'app/node_modules/.bin/package.json',
    'app/node_modules/@a/package.json',
    'METADATA',
    'srv/var/lib/dpkg/status',
    'var/lib/dpkg/status-old',
  ]) {
    expect([path, asked(path)]).toEqual([path, false]);
  }
  expect([asked('usr/bin/app', 1000), asked('usr/bin/app', 1_000_000)]).toEqual([false, true]);
});

test('the forms that the files of real systems have', () => {
  expect(parseDpkgStatus('Package: a\r\nVersion: 1\r\n\r\nPackage: b\nVersion: 2\nSource: c (1.5)\n')).toMatchObject([
    { name: 'a', version: '1', source: null },
    { name: 'b', version: '2', source: { name: 'c', version: '1.5' } },
  ]);
  expect(parseApkInstalled('P:a\nV:1\n\n\nP:b\n\nV:2\n', () => true).map((each) => each.name)).toEqual(['a']);
  expect(parseOsRelease("ID='alpine'\nVERSION_ID=3.18.4\n")).toEqual({ id: 'alpine', version: '3.18.4' });
  expect(parseOsRelease('NAME=x\n')).toBe(null);
  expect(factOf('app/node_modules/a/package.json', '{"name":"a"}')).toEqual({ kind: 'unread' });
});
