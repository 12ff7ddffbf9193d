import { valid } from 'semver';
import { expect, test } from 'vitest';
import { shellClassifications, shellReplacementsCatalog } from './shell-replacements.ts';

const { version, entries } = shellReplacementsCatalog;

test('every entry of the catalog of shell replacements is well formed, and every class of version 1 has one', () => {
  expect(valid(version)).toBe(version);
  expect(new Set(entries.map((entry) => entry.classification))).toEqual(new Set(shellClassifications));
  for (const entry of entries) expect(() => new RegExp(entry.pattern)).not.toThrow();
  expect(new Set(entries.map((entry) => entry.pattern)).size).toBe(entries.length);
});

test.each([
  ['npm start', 'package_manager_at_runtime'],
  ['exec yarn node server.js', 'package_manager_at_runtime'],
  ['node server.js', 'exec_wrapper'],
  ['exec "$@"', 'exec_wrapper'],
  ['exec gosu app "$@"', 'exec_wrapper'],
  ['node --max-old-space-size=$MEM server.js', 'env_var_interpolation'],
  ['./wait-for-it.sh db:5432 -- node server.js', 'startup_orchestration'],
  ['until pg_isready; do sleep 1; done', 'startup_orchestration'],
  ['npx prisma migrate deploy && node server.js', 'startup_orchestration'],
  ['python manage.py migrate', 'startup_orchestration'],
  ["trap 'exit 0' TERM", 'signal_trap'],
  ['curl -f http://localhost/ || exit 1', 'chained_commands'],
  ['nginx & node server.js', 'chained_commands'],
  ['node server.js > /dev/stdout 2>&1', null],
  ['/docker-entrypoint.sh nginx', 'script_entrypoint'],
  ['/bin/bash', 'script_entrypoint'],
  ['java -cp lib/* Main', null],
])('%s: %s', (text, classification) => {
  const entry = entries.find(({ pattern }) => new RegExp(pattern).test(text));
  expect(entry?.classification ?? null).toBe(classification);
});

test('G16 no pattern backtracks its way through a long line', () => {
  const hostile = [
    'a '.repeat(4_000),
    'while '.repeat(1_300),
    'exec '.repeat(1_600),
    '/'.repeat(8_000),
    'wait-for-'.repeat(900),
    `"${"a' ".repeat(2_600)}`,
  ];
  // Quadratic patterns would not end within the test's time.
  const fits = hostile.map((text) => entries.filter(({ pattern }) => new RegExp(pattern).test(text)).length);
  expect(fits).toEqual([0, 0, 0, 0, 1, 0]);
});
