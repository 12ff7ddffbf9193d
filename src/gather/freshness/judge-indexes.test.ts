import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import type { SettledIndex } from '../contract.ts';
import { runtimeTraceFreshness, scipFreshness } from './index-checks.ts';
import type { FreshnessCheck, IndexFreshness, Observed } from './index-freshness.ts';
import { countCommits, type Judgement, judgeIndexes, readHead } from './judge-indexes.ts';

const at = '2026-05-17T08:00:00Z';
const sha = 'a'.repeat(40);
const ran: Observed = {
  outcome: 'ran',
  reason: null,
  inputsDigest: null,
  changedFiles: [],
  upstreamFiles: [],
  imageDigest: null,
  expected: {},
};

function settled(name: string, check: FreshnessCheck | IndexFreshness, more: Partial<SettledIndex> = {}): SettledIndex {
  const freshnessCheck = typeof check === 'function' ? check : () => check;
  return { name, probe: name, selected: true, check: freshnessCheck, slice: {}, observed: ran, detail: {}, ...more };
}

const fresh: IndexFreshness = { kind: 'fresh', indexed_at: at };
const behind: IndexFreshness = {
  kind: 'stale',
  reason: { kind: 'commits_behind', n: 1, last_indexed: 'b'.repeat(40) },
};
const failed: IndexFreshness = { kind: 'stale', reason: { kind: 'indexer_error', message: 'x' } };
const noCommits: Judgement['countCommits'] = async () => {
  throw new Error('git is not asked without need');
};
const judge = (indexes: readonly SettledIndex[], head: string | null = sha, count = noCommits) =>
  judgeIndexes({ indexes, head, countCommits: count });

describe('rules', () => {
  test('rule 1: without HEAD every index says so, and no check is asked', async () => {
    const check = vi.fn(() => fresh);
    const judged = await judge(
      [settled('scip', check, { detail: { coverage_pct: 100 } }), settled('sbom', check)],
      null,
    );
    const entry = {
      freshness: { kind: 'stale', reason: { kind: 'indexer_error', message: 'repo_not_a_git_workdir' } },
      confidence: 'low',
      current_commit: '',
      last_indexed_at: null,
    };
    expect(judged).toEqual({
      entries: { sbom: { ...entry, detail: {} }, scip: { ...entry, detail: { coverage_pct: 100 } } },
      warnings: ['index_health.head_unresolvable'],
      confidence: 'low',
    });
    expect(check).not.toHaveBeenCalled();
  });

  test('rule 3: a check that throws costs its own entry only', async () => {
    class TornSlice extends Error {
      override readonly name = 'TornSlice<b>';
    }
    const throwing = (thrown: unknown) => () => {
      throw thrown;
    };
    const judged = await judge([
      settled('a', throwing(new TypeError('x'))),
      settled('b', throwing(new TornSlice())),
      settled('c', throwing('text')),
      settled('d', (() => ({ kind: 'fresh', indexed_at: 3 })) as unknown as FreshnessCheck),
      settled('e', fresh),
    ]);
    const message = (name: string) => {
      const freshness = judged.entries[name]?.freshness;
      return freshness?.kind === 'stale' && freshness.reason.kind === 'indexer_error'
        ? freshness.reason.message
        : freshness;
    };
    expect(message('a')).toBe('freshness_construction_failed_a_TypeError');
    expect(message('b')).toBe('freshness_construction_failed_b_TornSliceb');
    expect(message('c')).toBe('freshness_construction_failed_c_string');
    expect(message('d')).toBe('freshness_construction_failed_d_InvalidFreshness');
    expect(message('e')).toEqual(fresh);
  });

  const counted: readonly (readonly [{ left: number; right: number } | null, object, readonly string[]])[] = [
    [{ left: 0, right: 4 }, { n: 4 }, []],
    [{ left: 2, right: 4 }, { n: 4 }, []],
    [{ left: 2, right: 0 }, { n: 2, diverged: true }, []],
    [{ left: 0, right: 0 }, { n: 1 }, ['index_health.commits_behind_count_unknown']],
    [null, { n: 1 }, ['index_health.commits_behind_count_unknown']],
  ];
  test.each(counted)('rule 4: %j', async (distance, filled, warnings) => {
    const count = vi.fn(async () => distance);
    const judged = await judge([settled('a', behind), settled('b', behind), settled('c', fresh)], sha, count);
    const reason = { kind: 'commits_behind', last_indexed: 'b'.repeat(40), ...filled };
    expect(judged.entries['a']?.freshness).toEqual({ kind: 'stale', reason });
    expect(judged.entries['b']).toEqual(judged.entries['a']);
    expect(judged.warnings).toEqual(warnings);
    expect(judged.confidence).toBe('medium');
    expect(count.mock.calls).toEqual([['b'.repeat(40), sha]]);
  });

  test('rule 4: what is no commit id is not given to git', async () => {
    const odd: IndexFreshness = { kind: 'stale', reason: { kind: 'commits_behind', n: 1, last_indexed: '--output=x' } };
    const judged = await judge([settled('a', odd)]);
    expect(judged.entries['a']?.freshness).toEqual(odd);
    expect(judged.warnings).toEqual(['index_health.commits_behind_count_unknown']);
  });

  test('rule 5: entries are sorted by name and complete', async () => {
    const judged = await judge([
      settled('b', fresh, { detail: { x: 1 } }),
      settled('a_b', failed),
      settled('a', failed),
    ]);
    expect(Object.keys(judged.entries)).toEqual(['a', 'a_b', 'b']);
    expect(judged.entries['b']).toEqual({
      freshness: fresh,
      confidence: 'high',
      current_commit: sha,
      last_indexed_at: at,
      detail: { x: 1 },
    });
    expect(judged.entries['a']?.last_indexed_at).toBeNull();
  });

  test('rule 6: confidence is the lowest of the selected, high without any', async () => {
    const count = async () => ({ left: 0, right: 1 });
    const unselected = { selected: false };
    expect((await judge([settled('a', fresh), settled('b', failed, unselected)])).confidence).toBe('high');
    expect((await judge([settled('a', failed, unselected)])).confidence).toBe('high');
    expect((await judge([settled('a', fresh), settled('b', behind)], sha, count)).confidence).toBe('medium');
    expect((await judge([settled('a', failed), settled('b', behind)], sha, count)).confidence).toBe('low');
  });

  test('rule 6: no index at all is said', async () => {
    expect(await judge([])).toEqual({
      entries: {},
      warnings: ['index_health.no_sources_registered'],
      confidence: 'high',
    });
  });

  test('G37 the order of registration does not show', async () => {
    const indexes = [settled('c', fresh), settled('a', behind), settled('b', failed)];
    const count = async () => ({ left: 0, right: 2 });
    const [one, other] = [await judge(indexes, sha, count), await judge(indexes.toReversed(), sha, count)];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});

test('G19 another image shows as drift with both digests; the same image is fresh', async () => {
  const slice = {
    trace_coverage_confidence: 'high',
    built_image_digest: 'sha256:one',
    last_traced_image_digest: 'sha256:one',
    last_traced_at: at,
  };
  const judgeWith = async (imageDigest: string) => {
    const observed = { ...ran, imageDigest };
    return (await judge([settled('runtime_trace', runtimeTraceFreshness, { slice, observed })])).entries[
      'runtime_trace'
    ];
  };
  expect(await judgeWith('sha256:two')).toMatchObject({
    freshness: { kind: 'stale', reason: { kind: 'digest_mismatch', expected: 'sha256:two', actual: 'sha256:one' } },
    confidence: 'medium',
  });
  expect(await judgeWith('sha256:one')).toMatchObject({
    freshness: { kind: 'fresh', indexed_at: at },
    confidence: 'high',
  });
});

describe('with a real repository', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'judge-indexes-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const environment = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: environment, encoding: 'utf8' });
  const exec = {
    git: async (args: readonly string[]): Promise<ExecOutcome> => {
      const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, env: environment });
      return { kind: 'exited', code: status ?? -1, stdout, stderr, truncated: { stdout: false, stderr: false }, ms: 0 };
    },
  };

  async function commit(text: string): Promise<string> {
    await writeFile(join(root, 'main.ts'), text);
    git('add', '--all');
    git('commit', '--quiet', '--message', text);
    return git('rev-parse', 'HEAD').trim();
  }

  const digestOfNow = async () => blake3Hex(await readFile(join(root, 'main.ts')));

  /** The slice an indexer would leave behind at this moment. */
  async function indexNow(): Promise<JsonObject> {
    const counts = { files_indexed: 1, files_in_repo: 1, indexer_errors: 0 };
    const last_indexed_commit = git('rev-parse', 'HEAD').trim();
    return { ...counts, last_indexed_commit, last_indexed_at: at, indexed_inputs: await digestOfNow() };
  }

  /** Observes the tree as it is now and judges the slice. */
  async function judgeNow(slice: JsonObject) {
    const changedFiles = git('diff', '--name-only', 'HEAD').split('\n').filter(Boolean);
    const observed: Observed = { ...ran, inputsDigest: await digestOfNow(), changedFiles };
    return judgeIndexes({
      indexes: [settled('scip', scipFreshness, { slice, observed })],
      head: await readHead(exec),
      countCommits: (last, head) => countCommits(exec, last, head),
    });
  }

  test('G17 an index of an older commit is behind by the commits made since, and names its own', async () => {
    git('init', '--quiet');
    const indexed = await commit('one');
    const slice = await indexNow();
    expect((await judgeNow(slice)).entries['scip']?.freshness).toEqual(fresh);
    await commit('two');
    const head = await commit('three');
    const judged = await judgeNow(slice);
    expect(judged.entries['scip']).toEqual({
      freshness: { kind: 'stale', reason: { kind: 'commits_behind', n: 2, last_indexed: indexed } },
      confidence: 'medium',
      current_commit: head,
      // When what is there was made, though it is not of now.
      last_indexed_at: at,
      detail: {},
    });
    expect(judged.warnings).toEqual([]);
  });

  test('G17 a commit that leaves the inputs alone leaves the index fresh', async () => {
    git('init', '--quiet');
    await commit('one');
    const slice = await indexNow();
    git('commit', '--quiet', '--allow-empty', '--message', 'nothing');
    expect((await judgeNow(slice)).entries['scip']?.freshness).toEqual(fresh);
  });

  test('G18 an edit after indexing is a dirty worktree with its path; undoing it makes the index fresh again', async () => {
    git('init', '--quiet');
    await commit('one');
    const slice = await indexNow();
    await writeFile(join(root, 'main.ts'), 'edited');
    expect((await judgeNow(slice)).entries['scip']).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'dirty_worktree', files: ['main.ts'], count: 1 } },
      confidence: 'medium',
    });
    git('checkout', '--quiet', '--', 'main.ts');
    expect((await judgeNow(slice)).entries['scip']?.freshness).toEqual(fresh);
  });

  test('G18 after a reset to an older commit the index is ahead, counted and marked as diverged', async () => {
    git('init', '--quiet');
    const first = await commit('one');
    await commit('two');
    const indexed = await commit('three');
    const slice = await indexNow();
    git('reset', '--quiet', '--hard', first);
    expect((await judgeNow(slice)).entries['scip']?.freshness).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 2, last_indexed: indexed, diverged: true },
    });
  });

  test('G18 a commit that is gone is counted as one, with a warning', async () => {
    git('init', '--quiet');
    await commit('one');
    const slice = { ...(await indexNow()), last_indexed_commit: 'f'.repeat(40), indexed_inputs: 'other' };
    const judged = await judgeNow(slice);
    expect(judged.entries['scip']?.freshness).toMatchObject({ reason: { n: 1, last_indexed: 'f'.repeat(40) } });
    expect(judged.warnings).toEqual(['index_health.commits_behind_count_unknown']);
  });

  test('G30 no repository and an unborn branch have no HEAD', async () => {
    expect(await readHead(exec)).toBeNull();
    git('init', '--quiet');
    expect(await readHead(exec)).toBeNull();
    const first = await commit('one');
    expect(await readHead(exec)).toBe(first);
  });
});
