/** A sample of the rename and capture corpora on every run of the suite; `npm run conformance` runs all of it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type RenameCase, readCases } from '../../scripts/conformance/rename-case.ts';
import { runRenames } from '../../scripts/conformance/run-renames.ts';

const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

/** The first cases of every n-th test: spread over the corpus, and the same on every run. */
function sample(suite: 'rename' | 'capture', every: number): readonly RenameCase[] {
  const tests = Map.groupBy(readCases(join(corpus, `${suite}.dev.jsonl`), undefined), ({ test }) => test);
  return [...tests.values()].filter((_, at) => at % every === 0).flatMap((cases) => cases.slice(0, 2));
}

describe.skipIf(!existsSync(corpus))('conformance, a sample (skipped where there is no corpus)', () => {
  test.each([
    ['rename', 8],
    ['capture', 8],
  ] as const)('%s: nothing is wrong, and most is planned', async (suite, every) => {
    const done = await runRenames(sample(suite, every));
    const wrong = done.filter(({ result }) => result.verdict === 'wrong');
    expect(wrong.map(({ result }) => `${result.id}: ${result.note ?? result.outcome}`)).toEqual([]);
    // A planner that refuses everything is never wrong, and of no use.
    const planned = done.filter(({ result }) => result.verdict === 'exact').length;
    expect(planned).toBeGreaterThan(done.length / 3);
  });
});
