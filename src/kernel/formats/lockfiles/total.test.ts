/** Every lockfile parser over bytes that are not a lockfile, and over lockfiles whose fields are not what they should be. */

import { describe, expect, test } from 'vitest';
import fc from '../../../../test/support/properties.ts';
import { parseBunLock } from './bun-lock.ts';
import { parseNpmLock } from './npm-lock.ts';
import { parsePnpmLock } from './pnpm-lock.ts';
import { parseYarnBerryLock } from './yarn-berry-lock.ts';
import { parseYarnClassicLock } from './yarn-classic-lock.ts';

const limits = { maxBytes: 1 << 22, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parsers = { parseNpmLock, parsePnpmLock, parseYarnClassicLock, parseYarnBerryLock, parseBunLock };

// JSON is YAML, so one generator of damaged lockfiles serves all but yarn classic, which has lines of its own.
const words = fc.constantFrom(
  ...[
    '',
    'a',
    'a@1',
    '/a@1',
    '/a/1_b@2',
    '@s/a@npm:1',
    'node_modules/a',
    'packages/x',
    'x/node_modules/a/node_modules/a',
    '1',
    '5.4',
  ],
  ...[
    'link:../x',
    'file:x',
    'workspace:x',
    'npm:b@1',
    'git+ssh://x',
    '__proto__',
    'constructor',
    'sha512-x',
    'true',
    '9.0',
    '6.0',
    '.',
  ],
);
const keys = fc.constantFrom(
  ...[
    'lockfileVersion',
    'packages',
    'dependencies',
    'importers',
    'snapshots',
    '__metadata',
    'version',
    'resolution',
    'integrity',
  ],
  ...[
    'requires',
    'link',
    'resolved',
    'name',
    'specifiers',
    'specifier',
    'peerDependencies',
    'workspaces',
    'directory',
    'tarball',
  ],
  ...[
    'optionalDependencies',
    'devDependencies',
    'dependenciesMeta',
    'peerDependenciesMeta',
    'optional',
    'optionalPeers',
  ],
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    words,
    fc.constantFrom(1, 2, 3, null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(keys, words), tie('value'), { maxKeys: 5 }),
  ),
}));
const damaged = fc
  .tuple(fc.dictionary(keys, value), fc.constantFrom(1, 2, 3, '5.4', '6.0', '9.0'))
  .map(([lock, version]) => JSON.stringify({ lockfileVersion: version, __metadata: { version: '8' }, ...lock }));
const classicLines = fc
  .array(
    fc.constantFrom(
      'a@1:',
      '"a@1", b@2:',
      '  version "1"',
      '  dependencies:',
      '    b "2"',
      '',
      '#',
      '  x',
      ':',
      '"',
      '   a b',
      '<<<<<<<',
    ),
    {
      maxLength: 12,
    },
  )
  .map((lines) => lines.join('\n'));

describe.each(Object.entries(parsers))('%s', (_, parse) => {
  test('G40 arbitrary bytes never throw and always give an outcome', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof parse(bytes, limits).ok).toBe('boolean');
      }),
    );
  });

  test('G40 a damaged lockfile never throws, and what comes out is whole', () => {
    fc.assert(
      fc.property(fc.oneof(damaged, classicLines), (text) => {
        const outcome = parse(utf8(text), limits);
        if (!outcome.ok) return;
        const ids = new Set(outcome.value.packages.map((each) => each.id));
        expect(ids.size).toBe(outcome.value.packages.length);
        for (const edge of outcome.value.packages.flatMap((each) => each.dependencies)) {
          expect(edge.target?.kind !== 'package' || ids.has(edge.target.id)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('G12 the size cap comes before anything else', () => {
    expect(parse(new Uint8Array(11), { maxBytes: 10, maxDepth: 64 })).toEqual({
      ok: false,
      failure: { kind: 'size_cap_exceeded', bytes: 11, cap: 10 },
    });
  });

  test('nothing, a list and a version from the future are malformed or empty, never wrong', () => {
    for (const text of ['', '[]', 'null', '{"lockfileVersion": 99}', "lockfileVersion: '99.0'\n"]) {
      const outcome = parse(utf8(text), limits);
      expect(outcome.ok ? outcome.value.packages : outcome.failure.kind).toEqual(outcome.ok ? [] : 'malformed');
    }
  });
});
