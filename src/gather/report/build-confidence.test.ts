import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { sampleProbes } from '../../../test/support/sample-envelope.ts';
import type { IndexFreshness, StaleReason } from '../freshness/index-freshness.ts';
import { listIndexRows, renderFreshnessRow } from './build-confidence.ts';
import { viewEnvelope } from './envelope-view.ts';

const stale = (reason: StaleReason): IndexFreshness => ({ kind: 'stale', reason });
const sha = 'd34db33fd34db33fd34db33fd34db33fd34db33f';

const rows: readonly (readonly [IndexFreshness, string])[] = [
  [{ kind: 'fresh', indexed_at: '2026-05-17T08:00:00Z' }, '- [OK] scip · indexed_at=2026-05-17T08:00:00Z'],
  [{ kind: 'fresh', indexed_at: '2026-05-17T08:00:00.5+02:00' }, '- [OK] scip · indexed_at=2026-05-17T06:00:00Z'],
  [
    stale({ kind: 'commits_behind', n: 3, last_indexed: sha, diverged: true }),
    '- [STALE] scip · commits_behind=3 · last_indexed=d34db33f',
  ],
  [
    stale({ kind: 'digest_mismatch', expected: `sha256:${'a'.repeat(64)}`, actual: `sha256:${'b'.repeat(64)}` }),
    '- [STALE] scip · digest_mismatch · expected=aaaaaaaa… · actual=bbbbbbbb…',
  ],
  [
    stale({ kind: 'digest_mismatch', expected: '1.45.0+blake3:aa', actual: '1.45.0+blake3:bb' }),
    '- [STALE] scip · digest_mismatch · expected=1.45.0+blake3:aa · actual=1.45.0+blake3:bb',
  ],
  [stale({ kind: 'coverage_gap', files_indexed: 3, files_in_repo: 4 }), '- [STALE] scip · coverage_gap · indexed=3/4'],
  [
    stale({ kind: 'dirty_worktree', files: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], count: 4 }),
    '- [STALE] scip · dirty_worktree · files=4 · a.ts, b.ts, c.ts',
  ],
  [stale({ kind: 'dirty_worktree', files: [], count: 0 }), '- [STALE] scip · dirty_worktree · files=0'],
  [stale({ kind: 'never_ran', reason: 'not_planned' }), '- [STALE] scip · never_ran · not_planned'],
  [
    stale({ kind: 'indexer_error', message: 'indexer_reported_2_errors' }),
    '- [STALE] scip · indexer_error · indexer_reported_2_errors',
  ],
];

test.each(rows)('%j', (freshness, row) => {
  expect(renderFreshnessRow('scip', freshness)).toBe(row);
});

const malformed: readonly (readonly [unknown, string])[] = [
  [null, 'null'],
  [[], 'array'],
  ['fresh', 'string'],
  [3, 'number'],
  [true, 'boolean'],
  [undefined, 'undefined'],
  [{}, 'object'],
  [{ kind: 'fresh' }, 'object'],
  [{ kind: 'fresh', indexed_at: '2026-02-30T00:00:00Z' }, 'object'],
  [{ kind: 'fresh', indexed_at: '2026-05-17T08:00:00Z', more: 1 }, 'object'],
  [{ kind: 'stale' }, 'object'],
  [{ kind: 'stale', reason: { kind: 'tired' } }, 'object'],
  [{ kind: 'stale', reason: { kind: 'commits_behind', n: true, last_indexed: 'x' } }, 'object'],
  [{ kind: 'stale', reason: { kind: 'commits_behind', n: 0, last_indexed: 'x' } }, 'object'],
];

test.each(malformed)('P1: %j is shown as malformed', (payload, type) => {
  expect(renderFreshnessRow('scip', payload)).toBe(`- [STALE] scip · indexer_error · slice_malformed:${type}`);
});

describe('G28 text from the repository', () => {
  test('G28 cannot begin a cell, a code span, a tag, a link or a line', () => {
    const files = ['a|b`c`', '<script>\n- [OK] forged', '[x](y)'];
    const row = renderFreshnessRow('scip', stale({ kind: 'dirty_worktree', files, count: 3 }));
    expect(row).toMatch(/^- \[STALE\] scip · dirty_worktree · files=3 · /);
    expect(row.slice('- [STALE]'.length)).not.toMatch(/[|`<>[\]\n]/);
    const reason = '\u001b[31m\u202etool\u0000_missing';
    expect(renderFreshnessRow('scip', stale({ kind: 'never_ran', reason }))).toMatch(/ · &#91;31mtool_missing$/);
  });

  test('G28 passes the escape of another medium', () => {
    const row = renderFreshnessRow('scip', stale({ kind: 'never_ran', reason: 'a&b' }), (text) =>
      text.replace('&', '&amp;'),
    );
    expect(row).toBe('- [STALE] scip · never_ran · a&amp;b');
  });

  test('G28 is cut where it is long, never through a surrogate pair', () => {
    const row = renderFreshnessRow('scip', stale({ kind: 'indexer_error', message: '😀'.repeat(400) }));
    expect(row.length).toBeLessThan(240);
    expect(row.isWellFormed()).toBe(true);
  });
});

test('G40 a row is one line for any value, and the same for the same value', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.oneof(fc.jsonValue(), fc.record({ kind: fc.constant('stale'), reason: fc.jsonValue() })),
      (name, value) => {
        const row = renderFreshnessRow(name, value);
        expect(row).toMatch(/^- \[(?:OK|STALE)\] /);
        expect(row).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(renderFreshnessRow(name, structuredClone(value))).toBe(row);
      },
    ),
  );
});

test('the index of a probe that has nothing to look at never ran: no error is told', () => {
  const error = { kind: 'stale', reason: { kind: 'indexer_error', message: 'upstream_scip_unavailable' } };
  const probe = { ...(sampleProbes()[0] as object), name: 'scip_index', index: { name: 'scip' } };
  const rowsOf = (reason: string) => {
    const envelope = {
      probes: { scip_index: { status: 'skipped', skip: { reason, detail: null } } },
      index_health: { scip: { freshness: error, confidence: 'low' } },
    };
    return listIndexRows(viewEnvelope(envelope, [probe as never])).map(({ line }) => line);
  };
  expect(rowsOf('language_mismatch')).toEqual(['- [STALE] scip · never_ran · language_mismatch']);
  expect(rowsOf('tool_missing')).toEqual(['- [STALE] scip · indexer_error · upstream_scip_unavailable']);
});
