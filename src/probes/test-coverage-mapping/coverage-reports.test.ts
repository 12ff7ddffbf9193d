import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { locateFiles, parseIstanbul } from './coverage-reports.ts';

const limits = { maxBytes: 1_000_000, maxDepth: 64 };
const parse = (value: unknown) => parseIstanbul(new TextEncoder().encode(JSON.stringify(value)), limits);

test('statements become lines, functions keep their names; a line has the hits of its busiest statement', () => {
  const file = {
    path: '/r/a.ts',
    statementMap: { 0: { start: { line: 1 } }, 1: { start: { line: 1 } }, 2: { start: { line: 3 } } },
    s: { 0: 0, 1: 4, 2: 0 },
    fnMap: { 0: { name: 'f', decl: { start: { line: 1 } } }, 1: { loc: { start: { line: 3 } } }, 2: { name: 'none' } },
    f: { 0: 4 },
  };
  expect(parse({ '/r/a.ts': file })).toMatchObject({
    ok: true,
    value: [
      {
        path: '/r/a.ts',
        testName: '',
        lines: [
          { line: 1, hits: 4 },
          { line: 3, hits: 0 },
        ],
        functions: [
          { name: 'f', line: 1, hits: 4 },
          { name: '', line: 3, hits: 0 },
        ],
      },
    ],
  });
});

test('a summary is no report of lines, another document none at all', () => {
  expect(parse({ total: { lines: { total: 1 } } })).toMatchObject({ ok: true, value: 'summary' });
  expect(parse({ name: 'x', version: '1.0.0' })).toMatchObject({ ok: false, failure: { kind: 'malformed' } });
  expect(parse({})).toMatchObject({ ok: true, value: [] });
});

test('G40 total on any document of that kind; lines and hits are counts', () => {
  const any = fc.jsonValue({ maxDepth: 3 });
  const file = fc.record({
    statementMap: fc.dictionary(fc.string(), any),
    s: fc.dictionary(fc.string(), any),
    fnMap: any,
    f: any,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), file), (report) => {
      const outcome = parse(report);
      if (!outcome.ok || outcome.value === 'summary') return;
      for (const { lines, functions } of outcome.value) {
        for (const { line, hits } of [...lines, ...functions]) {
          expect(Number.isSafeInteger(line) && line > 0).toBe(true);
          expect(Number.isSafeInteger(hits) && hits >= 0).toBe(true);
        }
      }
    }),
  );
});

const root = '/work/shop';

/** Where each path of a report leads: a path, `gone <path>` or `outside`. */
function located(report: string, files: readonly string[], paths: readonly string[]): string[] {
  const has = new Set(files);
  const found = locateFiles(paths, { root, report, hasFile: (path) => has.has(path) });
  return paths.map((path) => {
    const place = found.get(path);
    if (place?.kind === 'file') return place.path;
    return place?.kind === 'missing' ? `gone ${place.path}` : 'outside';
  });
}

test('relative paths, paths below the root, and what is not there', () => {
  const paths = [
    'src/a.ts',
    './src/a.ts',
    '/work/shop/src/a.ts',
    'file:///work/shop/src/a.ts',
    'src\\a.ts',
    'src/b.ts',
  ];
  expect(located('coverage/lcov.info', ['src/a.ts'], paths)).toEqual([
    ...['src/a.ts', 'src/a.ts', 'src/a.ts', 'src/a.ts', 'src/a.ts'],
    'gone src/b.ts',
  ]);
});

test('paths that leave the root, and installed packages, are outside', () => {
  const paths = [
    '../other/a.ts',
    'src/../../x.ts',
    '/etc/passwd',
    'node_modules/x/i.js',
    '/work/shop/node_modules/x.js',
    '/work/shop',
  ];
  expect(located('coverage/lcov.info', ['src/a.ts'], paths)).toEqual(paths.map(() => 'outside'));
});

test('a report of a package: one directory for all its paths, the one from which most exist', () => {
  const files = ['src/x.ts', 'packages/a/src/x.ts', 'packages/a/src/y.ts'];
  expect(located('packages/a/coverage/lcov.info', files, ['src/x.ts', 'src/y.ts', 'src/z.ts'])).toEqual([
    'packages/a/src/x.ts',
    'packages/a/src/y.ts',
    'gone packages/a/src/z.ts',
  ]);
  expect(located('coverage/lcov.info', files, ['src/x.ts'])).toEqual(['src/x.ts']);
});

test('absolute paths of another machine: one prefix for all of them', () => {
  const files = ['src/a.ts', 'src/b.ts', 'index.ts'];
  const paths = ['/home/ci/shop/src/a.ts', '/home/ci/shop/src/b.ts', '/home/ci/shop/gone.ts', '/opt/other/index.ts'];
  expect(located('coverage/lcov.info', files, paths)).toEqual(['src/a.ts', 'src/b.ts', 'gone gone.ts', 'outside']);
  expect(located('coverage/lcov.info', files, ['C:\\ci\\shop\\src\\a.ts'])).toEqual(['src/a.ts']);
  expect(located('packages/a/coverage/c.json', ['packages/a/src/x.ts'], ['/app/src/x.ts'])).toEqual([
    'packages/a/src/x.ts',
  ]);
  const seenFromTwo = ['/ci/shop/packages/a/src/x.ts'];
  expect(located('packages/a/coverage/c.json', ['packages/a/src/x.ts'], seenFromTwo)).toEqual(['packages/a/src/x.ts']);
});

test('two prefixes with equal claims: neither is taken', () => {
  const files = ['src/index.ts', 'web/src/index.ts'];
  expect(located('coverage/lcov.info', files, ['/ci/web/src/index.ts'])).toEqual(['outside']);
  // A second file decides.
  expect(located('coverage/lcov.info', [...files, 'web/a.ts'], ['/ci/web/src/index.ts', '/ci/web/a.ts'])).toEqual([
    'web/src/index.ts',
    'web/a.ts',
  ]);
});

test('G40 total: an answer is a file that exists, or says why not, and never leaves the root', () => {
  const segment = fc.constantFrom('a', 'b', '..', '.', '', 'node_modules', 'C:', 'x'.repeat(300));
  const path = fc
    .tuple(fc.constantFrom('', '/', '/work/shop/', '\\'), fc.array(segment, { maxLength: 80 }))
    .map(([head, rest]) => head + rest.join('/'));
  fc.assert(
    fc.property(fc.array(path), fc.array(path), path, (paths, files, report) => {
      const has = new Set(files);
      for (const place of locateFiles(paths, { root, report, hasFile: (name) => has.has(name) }).values()) {
        if (place.kind === 'outside') continue;
        expect(place.path.split('/')).not.toContain('..');
        expect(place.path.startsWith('/')).toBe(false);
        expect(has.has(place.path)).toBe(place.kind === 'file');
      }
    }),
  );
});
