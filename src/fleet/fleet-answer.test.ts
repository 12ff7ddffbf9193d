import { expect, test } from 'vitest';
import * as fc from '../../test/support/properties.ts';
import { answerFactsQuestion, coverageOf, darkFor, isWhole } from './fleet-answer.ts';
import type { FactRow, Now, Repository } from './fleet-engine.ts';

const now: Now = { nowMs: 1_000_000, program: 'p', freshForMs: 1_000 };

const base: Repository = {
  id: 1,
  name: 'r1',
  url: 'https://h/r1',
  host: 'h',
  addedMs: 0,
  head: 'c1',
  branch: null,
  headSeenMs: now.nowMs,
  commit: 'c1',
  program: 'p',
  publishedMs: 1,
  failure: null,
  failedMs: null,
  attempts: 0,
  job: null,
  notBeforeMs: null,
  lookAfterMs: 0,
};

/** What can be amiss, as a change of a repository that is fresh. */
const troubles: Readonly<Record<string, Partial<Repository>>> = {
  none: {},
  failed: { failure: { kind: 'gather_failed', detail: '' }, failedMs: 2 },
  neverGathered: { commit: null, publishedMs: null, program: null },
  moved: { head: 'c2' },
  olderProgram: { program: 'o' },
  notSeen: { headSeenMs: now.nowMs - 1_001 },
  seenTomorrow: { headSeenMs: now.nowMs + 86_400_000 },
  running: { job: 'running' },
};

type Drawn = {
  readonly trouble: string;
  /** What is stored of it. */
  readonly stored: readonly (string | 'unknown' | 'not_looked' | 'none')[];
  /** What is true of its head of now. */
  readonly truth: readonly string[];
};

const value = fc.constantFrom('18', '20');
const drawn: fc.Arbitrary<Drawn> = fc.record({
  trouble: fc.constantFrom(...Object.keys(troubles)),
  stored: fc.array(fc.oneof(value, fc.constantFrom('unknown', 'not_looked', 'none')), { maxLength: 3 }),
  truth: fc.array(value, { maxLength: 3 }),
});

function worldOf(all: readonly Drawn[]): {
  repositories: Repository[];
  rows: FactRow[];
  truths: (readonly string[])[];
} {
  const repositories = all.map(({ trouble }, at) => ({ ...base, ...troubles[trouble], id: at, name: `r${at}` }));
  const rows = all.flatMap(({ stored }, at) =>
    stored.map((said, scope) => {
      const state = said === 'unknown' || said === 'not_looked' || said === 'none' ? said : 'known';
      return {
        ...{ repository: at, component: '.', id: 'x', scope: `s${scope}`, confidence: null, evidence: [] },
        state,
        value: state === 'known' ? said : null,
      } as FactRow;
    }),
  );
  // Of a fresh repository what is stored is true, and what is dark there may be anything.
  const truths = all.map(({ trouble, stored, truth }) => {
    if (trouble !== 'none' && trouble !== 'running') return truth;
    const dark = stored.filter((said) => said === 'unknown' || said === 'not_looked').length;
    return [...stored.filter((said) => said === '18' || said === '20'), ...truth.slice(0, dark)];
  });
  return { repositories, rows, truths };
}

test('N13 N14 P2 whatever failed, is behind or dark: eq is so, gte is at most so, and nothing is eq that is not whole', () => {
  fc.assert(
    fc.property(
      fc.array(drawn, { maxLength: 8 }),
      fc.constantFrom('has', 'lacks', 'any'),
      value,
      (all, kind, asked) => {
        const { repositories, rows, truths } = worldOf(all);
        const where = kind === 'any' ? null : { kind, value: asked };
        const answer = answerFactsQuestion(
          { id: 'x', where } as Parameters<typeof answerFactsQuestion>[0],
          repositories,
          rows,
          now,
        );
        const isSo = (truth: readonly string[]) =>
          kind === 'any' ? truth.length > 0 : kind === 'has' ? truth.includes(asked) : !truth.includes(asked);
        const real = truths.filter(isSo).length;
        if (answer.relation === 'eq') expect(answer.value).toBe(real);
        if (answer.relation === 'gte') expect(answer.value).toBeLessThanOrEqual(real);
        if (kind === 'lacks') expect(answer.relation).not.toBe('gte');
        const isTroubled = all.some(({ trouble }) => trouble !== 'none' && trouble !== 'running');
        if (isTroubled) expect(answer.relation).not.toBe('eq');
        const { behind, unknown } = answer.coverage;
        expect(new Set([...behind, ...unknown].map(({ name }) => name)).size).toBe(behind.length + unknown.length);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('N17 a free query is whole only where every repository is fresh and nothing that it could read is dark', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 6 }), (all) => {
      const { repositories, rows } = worldOf(all);
      const dark = rows.filter(({ state }) => state === 'unknown' || state === 'not_looked');
      const isTroubled = all.some(({ trouble }) => trouble !== 'none' && trouble !== 'running');
      expect(isWhole(coverageOf(repositories, now, darkFor(dark)))).toBe(!isTroubled && dark.length === 0);
    }),
    { numRuns: 500 },
  );
});

test('N15 what would count by old facts is told apart', () => {
  const { repositories, rows } = worldOf([
    { trouble: 'moved', stored: ['18'], truth: [] },
    { trouble: 'none', stored: ['18'], truth: [] },
  ]);
  const answer = answerFactsQuestion({ id: 'x', where: { kind: 'has', value: '18' } }, repositories, rows, now);
  expect(answer).toMatchObject({
    value: 1,
    relation: 'gte',
    before: ['r0'],
    coverage: { behind: [{ name: 'r0', reason: 'head_moved' }] },
  });
});
