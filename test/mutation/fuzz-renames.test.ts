/** A few of the renames that `npm run fuzz` tries on real projects, on a small project with every kind of name. */

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { runFuzz } from '../../scripts/fuzz/run-fuzz.ts';

const fixture = fileURLToPath(new URL('../fixtures/fuzz', import.meta.url));
const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

test('M15 random symbols of every kind keep every meaning for another compiler, and come back to the same bytes', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-fuzz-')));
  made.push(base);
  const root = join(base, 'tree');
  const stateDir = join(base, 'data');
  cpSync(fixture, root, { recursive: true });
  mkdirSync(stateDir, { mode: 0o700 });

  const count = Number(process.env['CODEGENIE_FUZZ_COUNT'] ?? 40);
  const { tried, together } = await runFuzz({ root, stateDir, count, seed: 7, tsc: 'together', backShare: 0.2 });

  expect(tried.filter(({ failures }) => failures.length > 0)).toEqual([]);
  expect(together).toEqual([]);
  expect(tried.length).toBe(count);
  const kinds = new Set(tried.map(({ picked }) => picked.kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['private name', 'label', 'jsx attribute', 'enum member']));
  expect(tried.filter(({ outcome }) => outcome === 'applied').length).toBeGreaterThan(count / 3);
});
