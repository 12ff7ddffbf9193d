import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { compareCodeUnits } from '../base/json.ts';
import { createFileScope, type ScopeFile } from './file-scope.ts';
import { compileGlobs } from './path-patterns.ts';

const stat = { dev: 0, ino: 0, size: 0, mtimeNs: 0n, ctimeNs: 0n };
const fileAt = (path: string): ScopeFile => ({ path, kind: 'file', size: 0, tracked: true, stat });
const scopeOf = (paths: readonly string[], root = '/nowhere') => createFileScope(root, paths.map(fileAt), []);

test('F1: the index answers as the globs do, path by path', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'a.ts',
    'b.test.ts',
    '.ts',
    'package.json',
    'c.d.ts',
    '[x].ts',
    '{a}',
    'd.',
    '*.ts',
  );
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const glob = fc.oneof(
    fc.constantFrom(
      '**/*.ts',
      '**/package.json',
      '**',
      '**/*',
      '*.ts',
      'a/**',
      '**/*.{ts,json}',
      '**/*.test.ts',
      '\\[x].ts',
    ),
    fc.constantFrom(
      'a.ts',
      '{a,b}/*',
      '**/{a}',
      'a/**/b',
      '[[]x].ts',
      '*[.]ts',
      '*\\.ts',
      '**/.ts',
      '[',
      '{a',
      '**/*.',
      'a*/**/*.ts',
    ),
    fc
      .array(fc.constantFrom('a', 'b', '.ts', '/', '*', '**/', '?', '[ab]', '{a,b}', '{', '}', ',', '\\'), {
        maxLength: 6,
      })
      .map((tokens) => tokens.join('')),
    path,
  );
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 30 }), fc.array(glob, { maxLength: 3 }), (paths, globs) => {
      const matches = compileGlobs(globs);
      const expected = paths.filter(matches).sort(compareCodeUnits);
      expect({
        globs,
        found: scopeOf(paths)
          .match(globs)
          .map((file) => file.path),
      }).toEqual({ globs, found: expected });
    }),
    { numRuns: 2000 },
  );
});

test('files are sorted by code unit and found by their exact path', () => {
  const scope = scopeOf(['b', 'B', '\u{1f600}', '\uff5e', 'a/c', 'a-b']);
  expect(scope.files.map((file) => file.path)).toEqual(['B', 'a-b', 'a/c', 'b', '\u{1f600}', '\uff5e']);
  expect(scope.find('a/c')?.path).toBe('a/c');
  expect(scope.find('a/*')).toBeUndefined();
});

test('2, F5: exists looks at the disk, through no link and out of no root', () => {
  const place = mkdtempSync(join(tmpdir(), 'scope-'));
  try {
    const root = join(place, 'root');
    mkdirSync(join(root, 'dir'), { recursive: true });
    writeFileSync(join(place, 'secret'), '');
    writeFileSync(join(root, 'dir/ignored'), '');
    symlinkSync(place, join(root, 'out'));
    symlinkSync('nowhere', join(root, 'dangling'));
    const scope = scopeOf([], root);
    for (const path of ['dir', 'dir/ignored', 'out', 'dangling'])
      expect([path, scope.exists(path)]).toEqual([path, true]);
    const absent = ['', 'x', 'out/secret', '../secret', 'dir/../dir', './dir', 'dir//ignored', 'a\0b', 'x'.repeat(300)];
    for (const path of [...absent, `${'y'.repeat(300)}/z`]) expect([path, scope.exists(path)]).toEqual([path, false]);
  } finally {
    rmSync(place, { recursive: true });
  }
});
