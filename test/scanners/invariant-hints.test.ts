/** Hints through whole gathers: lists that are cut have exact counts, and what is not read is said. */

import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

type Hints = { assertions: { path: string; line: number; text: string }[]; counts: Record<string, number> };

async function hintsOf(files: Record<string, string>) {
  repo = createFixtureRepo(files);
  const { envelope } = await repo.publish({ only: ['invariant_hints'] });
  return {
    hints: (envelope as unknown as Record<string, unknown>)['invariant_hints'] as Hints,
    record: recordOf(envelope, 'invariant_hints'),
    raw: JSON.parse(repo.written()['context/raw/invariant-hints.json'] ?? 'null') as Hints,
  };
}

test('a list is cut at a thousand, its count and the artifact are whole', async () => {
  const { hints, raw } = await hintsOf({
    'a.js': 'assert(x);\n'.repeat(700),
    'b.js': 'assert(x);\n'.repeat(800),
  });
  expect(hints.assertions).toHaveLength(1000);
  expect(hints.assertions.at(-1)).toMatchObject({ path: 'b.js', line: 300 });
  expect(hints.counts).toEqual({ assertions: 1500, validators: 0, test_titles: 0, jsdoc_contracts: 0 });
  expect(raw.assertions).toHaveLength(1500);
});

test('G22 a secret in a quoted condition is in nothing that is written', async () => {
  const secret = ['AKIA', 'Q3EGRTYUIO7PLKJH'].join('');
  await hintsOf({ 'a.js': `if (key === '${secret}') throw new Error('no');\n` });
  for (const text of Object.values(repo?.written() ?? {})) expect(text).not.toContain(secret);
});

test('nothing could be read: the confidence is low', async () => {
  const { hints, record } = await hintsOf({ 'large.js': `assert(1);// ${'x'.repeat(1024 * 1024)}\n` });
  expect(hints.counts['assertions']).toBe(0);
  expect(record).toMatchObject({ confidence: 'low', warnings: ['invariant_hints.file_too_large'] });
});
