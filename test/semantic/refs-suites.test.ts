/**
 * References of every name of two suites, as TypeScript 5.9 told them (`UPDATE_GOLDENS=1` asks it again): an answer that says `eq` is that
 * set, what is called resolved is in it, and a thing has one set, asked from any of its places.
 */

import { expect, test } from 'vitest';
import { judgeSuite, readGolden, readSuite, writeGolden } from '../support/refs-suite.ts';

const timeout = 600_000;

/** `least`: how many names have an answer that says `eq`; it only grows. */
const suites = [
  { name: 'members', least: 891 },
  { name: 'names', least: 527 },
] as const;

for (const { name, least } of suites) {
  test(
    `T14: every name of the suite of ${name} has the references that the language gives it, or says that it does not know`,
    async () => {
      const cases = readSuite(name);
      expect(cases.length).toBeGreaterThanOrEqual(60);
      if (process.env['UPDATE_GOLDENS'] === '1') {
        const { askOracle } = await import('../../scripts/fuzz/refs-oracle.ts');
        writeGolden(name, askOracle(cases));
      }
      const judged = await judgeSuite(cases, readGolden(name));
      expect(judged.wrong).toEqual([]);
      expect(judged.eq).toBeGreaterThanOrEqual(least);
    },
    timeout,
  );
}
