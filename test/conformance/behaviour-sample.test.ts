/**
 * A sample of the programs that run, and a few random ones, on every run of the suite; `npm run conformance -- behaviour` and
 * `npm run fuzz -- programs` run all of them.
 */

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readBehaviourCases } from '../../scripts/conformance/behaviour-case.ts';
import { runBehaviour } from '../../scripts/conformance/run-behaviour.ts';
import { runPrograms } from '../../scripts/fuzz/run-programs.ts';

const own = readBehaviourCases(fileURLToPath(new URL('behaviour.own.jsonl', import.meta.url)));

test('P3 a program that was changed without a question prints what it printed before', async () => {
  const results = await runBehaviour(own.filter((_, at) => at % 15 === 0));
  const ids = (verdict: string) => results.filter((one) => one.verdict === verdict).map(({ id }) => id);
  expect(ids('unusable')).toEqual([]);
  expect(ids('failed')).toEqual([]);
  expect(ids('wrong')).toEqual([]);
  // A program that asks about everything is never wrong, and of no use.
  const safe = results.filter((one) => one.expect === 'apply');
  expect(safe.length).toBeGreaterThan(5);
  expect(ids('in_vain').length, `in vain: ${ids('in_vain').join(', ')}`).toBeLessThanOrEqual(safe.length / 5);
});

test('every class of the corpus has programs, most have four or more, and no two have one name', () => {
  const classes = Map.groupBy(own, (one) => one.class);
  expect(classes.size).toBeGreaterThan(33);
  expect([...classes.values()].filter((ones) => ones.length < 4).length).toBeLessThan(6);
  expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
});

test('P3 random programs print the same after what was applied to them, and come back to the same bytes', async () => {
  const tried = await runPrograms({ programs: 2, renames: 8, seed: 5 });
  expect(tried.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(tried.length).toBe(16);
  expect(tried.filter(({ outcome }) => outcome === 'applied').length).toBeGreaterThan(5);
});
