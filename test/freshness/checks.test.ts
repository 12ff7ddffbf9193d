/** The freshness checks against their tables, against hostile input, and the tables against checks that are wrong on purpose. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { scipFreshness } from '../../src/gather/freshness/index-checks.ts';
import type { FreshnessCheck, IndexFreshness } from '../../src/gather/freshness/index-freshness.ts';
import { indexFreshnessSchema } from '../../src/gather/freshness/judge-indexes.ts';
import fc from '../support/properties.ts';
import { head, ran, runCases, tables } from './check-cases.ts';

describe.each(tables)('P1 $index', ({ check, cases }) => {
  test.each(cases)('$row', ({ slice, observed, gives }) => {
    expect(check(slice, head, observed)).toEqual(gives);
  });

  test('rows have names of their own', () => {
    expect(new Set(cases.map(({ row }) => row)).size).toBe(cases.length);
  });
});

describe('arguments are positional: slice, head, observed', () => {
  test('a call with head first does not compile', () => {
    // @ts-expect-error head stands where the slice belongs
    const verdict = scipFreshness(head, {}, ran);
    expect(verdict).toEqual({ kind: 'stale', reason: { kind: 'indexer_error', message: 'scip_slice_malformed' } });
  });

  test.each(tables)('G39 $index called with head first is caught', ({ check, cases }) => {
    const headFirst = ((slice, now, observed) => check(now as never, slice as never, observed)) as FreshnessCheck;
    expect(runCases(headFirst, cases)).toEqual(cases.filter(({ gives }) => !isMalformed(gives)).map(({ row }) => row));
  });
});

describe('G39 wrong checks are caught', () => {
  const fresh: IndexFreshness = { kind: 'fresh', indexed_at: '2026-05-17T08:00:00Z' };
  const error = (message: string): IndexFreshness => ({ kind: 'stale', reason: { kind: 'indexer_error', message } });
  const stubs: Record<string, (check: FreshnessCheck) => FreshnessCheck> = {
    'always fresh': () => () => fresh,
    'always stale': () => () => error('x'),
    'swapped fields': (check) => (slice, now, observed) => swapFields(check(slice, now, observed)),
    'wrong kind': (check) => (slice, now, observed) => collapseKind(check(slice, now, observed)),
    'dropped branch for a missing slice': (check) => (slice, now, observed) =>
      Object.keys(slice).length === 0 ? error('slice_malformed') : check(slice, now, observed),
  };

  for (const { index, check, cases } of tables) {
    test(`G39 ${index}: the right check has no failure, each wrong one has`, () => {
      expect(runCases(check, cases)).toEqual([]);
      for (const [name, spoil] of Object.entries(stubs)) {
        expect(runCases(spoil(check), cases), name).not.toEqual([]);
      }
    });
  }

  function swapFields(freshness: IndexFreshness): IndexFreshness {
    if (freshness.kind === 'fresh') return freshness;
    const { reason } = freshness;
    if (reason.kind === 'digest_mismatch') {
      return { kind: 'stale', reason: { ...reason, expected: reason.actual, actual: reason.expected } };
    }
    if (reason.kind !== 'coverage_gap') return freshness;
    const swapped = { ...reason, files_indexed: reason.files_in_repo, files_in_repo: reason.files_indexed };
    return { kind: 'stale', reason: swapped };
  }

  function collapseKind(freshness: IndexFreshness): IndexFreshness {
    return freshness.kind === 'stale' && freshness.reason.kind !== 'indexer_error'
      ? error(freshness.reason.kind)
      : freshness;
  }
});

describe('G39 a check without one of its rules is caught', () => {
  const file = 'index-checks.ts';
  const room = new URL('../../src/gather/freshness/', import.meta.url);

  test('G39 whichever it is, of all checks and of what they share', async () => {
    const source = await readFile(new URL(file, room), 'utf8');
    const rules = listRules(source);
    expect(rules.length).toBeGreaterThan(30);
    for (const rule of rules) {
      const failures = await failuresWith(source.slice(0, rule.from) + source.slice(rule.to));
      expect(failures, `without ${source.slice(rule.from, rule.to)}`).not.toEqual([]);
    }
    expect(await failuresWith(source), 'the harness itself').toEqual([]);
  });

  /** Every `if (…) return …;` and `if (…) { … }` of the file, as spans of its text. */
  function listRules(source: string): readonly { from: number; to: number }[] {
    const pattern = /^( +)if \(.*\) (?:return .*;|\{\n(?:\1 +.*\n)+?\1\})$/gm;
    return [...source.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  }

  /** Copies the room with the checks changed, loads the tables against the copy, and runs them. */
  async function failuresWith(text: string): Promise<readonly string[]> {
    const directory = await mkdtemp(join(tmpdir(), 'freshness-mutant-'));
    try {
      for (const name of [file, 'index-freshness.ts']) {
        const original = name === file ? text : await readFile(new URL(name, room), 'utf8');
        const script = stripTypeScriptTypes(original)
          .replace(/'\.\/([a-z-]+)\.ts'/g, "'./$1.mjs'")
          .replace(/'\.\.\/\.\.\/kernel\//g, `'${fileURLToPath(new URL('../../kernel/', room))}`);
        await writeFile(join(directory, name.replace(/\.ts$/, '.mjs')), script);
      }
      const checks = await import(/* @vite-ignore */ pathToFileURL(join(directory, 'index-checks.mjs')).href);
      const checkOf = (index: string): FreshnessCheck => {
        if (index === 'scip') return checks.scipFreshness;
        if (index === 'runtime_trace') return checks.runtimeTraceFreshness;
        if (index === 'sbom') return checks.sbomFreshness;
        if (index === 'cve') return checks.cveFreshness;
        if (index === 'semgrep') return checks.versionPairFreshness({ index, versionKey: 'rule_pack_version' });
        return checks.byteIndexFreshness(index);
      };
      const chosen = ['scip', 'runtime_trace', 'sbom', 'cve', 'semgrep', 'import_graph'];
      return tables
        .filter(({ index }) => chosen.includes(index))
        .flatMap(({ index, cases }) => [
          ...runCases(checkOf(index), cases).map((row) => `${index} ${row}`),
          ...(isMalformed(checkOf(index)([] as never, head, ran)) ? [] : [`${index} list`]),
        ]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
});

describe('G40 freshness totality', () => {
  const fields = [...new Set(tables.flatMap(({ cases }) => cases.flatMap(({ slice }) => Object.keys(slice))))];
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom(...tables.flatMap(({ cases }) => cases.flatMap(valuesOf))));
  const anySlice = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), values),
  );
  const anyObserved = fc.oneof(
    fc.jsonValue(),
    fc.record({
      outcome: fc.oneof(fc.constantFrom('ran', 'skipped', 'failed', 'timed_out', 'not_planned'), fc.jsonValue()),
      reason: fc.oneof(fc.string(), fc.jsonValue()),
      inputsDigest: values,
      changedFiles: fc.oneof(fc.array(fc.string(), { maxLength: 120 }), fc.jsonValue()),
      imageDigest: values,
      expected: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
    }),
  );

  test.each(tables)('G40 $index answers any JSON with one valid verdict, twice the same', ({ check }) => {
    fc.assert(
      fc.property(anySlice, fc.oneof(fc.constant(head), fc.jsonValue()), anyObserved, (slice, now, observed) => {
        const frozen = JSON.stringify([slice, now, observed]);
        const verdict = check(slice as never, now as never, observed as never);
        expect(indexFreshnessSchema.parse(verdict)).toEqual(verdict);
        expect(check(slice as never, now as never, observed as never)).toEqual(verdict);
        expect(JSON.stringify([slice, now, observed])).toBe(frozen);
      }),
      { numRuns: 300 },
    );
  });

  test('G40 changed files are sorted, distinct, cleaned, at most 50, and counted exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 120 }), (changedFiles) => {
        const slice = tables[0]?.cases.find(({ row }) => row.startsWith('x: other bytes'))?.slice ?? {};
        const verdict = scipFreshness(slice, head, { ...ran, changedFiles });
        if (verdict.kind !== 'stale' || verdict.reason.kind !== 'dirty_worktree') throw new Error(verdict.kind);
        const distinct = [...new Set(changedFiles)].sort();
        expect(verdict.reason.count).toBe(distinct.length);
        expect(verdict.reason.files).toHaveLength(Math.min(50, distinct.length));
        expect(verdict.reason.files.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });

  function valuesOf({ slice }: { slice: Readonly<Record<string, unknown>> }) {
    return Object.values(slice);
  }
});

function isMalformed(freshness: IndexFreshness): boolean {
  return (
    freshness.kind === 'stale' &&
    freshness.reason.kind === 'indexer_error' &&
    freshness.reason.message.endsWith('_slice_malformed')
  );
}
