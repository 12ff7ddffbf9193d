/** Freshness end to end: what an index recorded against what the repository is now (P1). */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cacheKey, keyParts } from '../../src/gather/cache/cache-key.ts';
import type { Probe, ProbeOutput } from '../../src/gather/contract.ts';
import { runtimeTraceFreshness, scipFreshness } from '../../src/gather/freshness/index-checks.ts';
import indexHealth from '../../src/probes/index-health/index-health.ts';
import { makeProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

type Health = { readonly freshness: { readonly kind: string; readonly reason?: unknown }; readonly confidence: string };

const anySlice = z.record(z.string(), z.json());

/** An indexer that records what `record` says, else the truth of its own run. */
function indexer(record: { commit?: string; inputs?: string; afterwards?: () => void } = {}): Probe {
  return makeProbe(
    'scip_like',
    async (of, ctx): Promise<ProbeOutput> => {
      const slice = {
        last_indexed_commit: record.commit ?? of.gitCommit ?? '',
        last_indexed_at: ctx.startedAt,
        files_indexed: of.inputs.list().length,
        files_in_repo: of.inputs.list().length,
        indexer_errors: 0,
        indexed_inputs: record.inputs ?? ctx.inputsDigest,
      };
      record.afterwards?.();
      return { kind: 'ran', slice: { scip_like: slice }, confidence: 'high' };
    },
    {
      layer: 'B',
      declaredInputs: ['src/**/*.ts'],
      sections: { scip_like: anySlice },
      index: { name: 'scip', check: scipFreshness },
    },
  );
}

async function healthOf(of: FixtureRepo, probe: Probe, name = 'scip'): Promise<Health> {
  const { envelope } = await of.publish({}, { probes: [probe, indexHealth] });
  return (envelope['index_health'] as Record<string, Health>)[name] as Health;
}

async function askNow(of: FixtureRepo, probe: Probe, name = 'scip'): Promise<unknown> {
  const answer = await of.workspace({ probes: [probe, indexHealth] }).report();
  if (answer.kind !== 'report') throw new Error(answer.kind);
  return (answer.freshnessNow as Record<string, unknown>)[name];
}

const head = (of: FixtureRepo, revision = 'HEAD') => of.git('rev-parse', revision).trim();

/** Three commits that each change the sources. */
function threeCommits(): FixtureRepo {
  const made = createFixtureRepo({ 'src/a.ts': 'export const a = 1;\n', 'README.md': 'a' });
  for (const n of [2, 3]) {
    made.write('src/a.ts', `export const a = ${n};\n`);
    made.commit(`change ${n}`);
  }
  return made;
}

describe('G17 an index of an older commit', () => {
  test('G17 is behind by the number of commits, and names the one it was made from', async () => {
    repo = threeCommits();
    const old = head(repo, 'HEAD~2');
    const health = await healthOf(repo, indexer({ commit: old, inputs: `blake3:${'0'.repeat(64)}` }));
    expect(health).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'commits_behind', n: 2, last_indexed: old } },
      confidence: 'medium',
    });
    const report = repo.written()['context/CONTEXT_REPORT.md'];
    expect(report).toContain(`commits_behind=2`);
    expect(report).toContain(old.slice(0, 8));
  });

  test('G17 an unknown commit counts as one, with a warning', async () => {
    repo = threeCommits();
    const unknown = 'd34db33f'.repeat(5);
    const { envelope } = await repo.publish({}, { probes: [indexer({ commit: unknown, inputs: 'x' }), indexHealth] });
    expect(envelope['index_health']).toMatchObject({
      scip: { freshness: { reason: { kind: 'commits_behind', n: 1, last_indexed: unknown } } },
    });
    expect(envelope.probes['index_health']?.warnings).toEqual(['index_health.commits_behind_count_unknown']);
  });

  test('G17 an index of the same bytes is fresh across commits that do not touch them', async () => {
    repo = threeCommits();
    const probe = indexer();
    expect(await healthOf(repo, probe)).toMatchObject({ freshness: { kind: 'fresh' } });
    repo.write('README.md', 'other');
    repo.commit('words');
    expect(await healthOf(repo, probe)).toMatchObject({ freshness: { kind: 'fresh' }, confidence: 'high' });
    expect(await askNow(repo, probe)).toMatchObject({ kind: 'fresh' });
  });
});

describe('G18 the tree after indexing', () => {
  test('G18 a file changed while the index was made', async () => {
    repo = threeCommits();
    const { root } = repo;
    const afterwards = () => writeFileSync(join(root, 'src/a.ts'), 'export const a = 99;\n');
    expect(await healthOf(repo, indexer({ afterwards }))).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'dirty_worktree', files: ['src/a.ts'], count: 1 } },
      confidence: 'medium',
    });
  });

  test('G18 files changed, made and removed since, asked without a gather', async () => {
    repo = createFixtureRepo({ 'src/a.ts': 'a', 'src/b.ts': 'b', 'src/c.ts': 'c' });
    const probe = indexer();
    await healthOf(repo, probe);
    expect(await askNow(repo, probe)).toMatchObject({ kind: 'fresh' });
    repo.write('src/a.ts', 'x');
    repo.write('src/new.ts', 'x');
    repo.git('rm', '-q', '-f', 'src/c.ts');
    expect(await askNow(repo, probe)).toEqual({
      kind: 'stale',
      reason: { kind: 'dirty_worktree', files: ['src/a.ts', 'src/c.ts', 'src/new.ts'], count: 3 },
    });
    repo.write('src/a.ts', 'a');
    repo.write('src/c.ts', 'c');
    repo.git('rm', '-q', '-f', '--ignore-unmatch', '--cached', 'src/new.ts');
    repo.git('clean', '-q', '-f', 'src/new.ts');
    expect(await askNow(repo, probe)).toMatchObject({ kind: 'fresh' });
  });

  test('G18 reset to an older commit: behind by what was left, and diverged', async () => {
    repo = threeCommits();
    const probe = indexer();
    await healthOf(repo, probe);
    const indexed = head(repo);
    repo.git('reset', '-q', '--hard', 'HEAD~2');
    expect(await askNow(repo, probe)).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 2, last_indexed: indexed, diverged: true },
    });
  });

  test('G18 new commits after indexing, asked without a gather', async () => {
    repo = threeCommits();
    const probe = indexer();
    await healthOf(repo, probe);
    const indexed = head(repo);
    repo.write('src/a.ts', 'export const a = 4;\n');
    repo.commit();
    expect(await askNow(repo, probe)).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 1, last_indexed: indexed },
    });
  });
});

describe('G19 image digests', () => {
  const digest = (fill: string) => `sha256:${fill.repeat(64)}`;
  const tracer = (built: string, traced: string) =>
    makeProbe(
      'tracer',
      async (_of, ctx) => ({
        kind: 'ran',
        slice: {
          tracer: { built_image_digest: built, last_traced_image_digest: traced, last_traced_at: ctx.startedAt },
        },
        confidence: 'high',
      }),
      {
        sections: { tracer: anySlice },
        index: { name: 'runtime_trace', check: runtimeTraceFreshness },
        cacheStrategy: 'none',
      },
    );

  test('G19 two digests make two keys, and no digest a third', () => {
    const probe = makeProbe('traced', async () => ({ kind: 'skipped', reason: 'not_configured' }), {
      declaredInputs: ['image-digest:<resolved>'],
    });
    const keyOf = (value: string) =>
      cacheKey(
        keyParts({
          probe,
          inputsDigest: 'x',
          config: {},
          task: { type: 'general', options: {} },
          tools: [],
          catalogHashes: {},
          tokens: [['image-digest', value]],
          upstream: [],
          platform: 'linux-x64',
        }),
      );
    expect(new Set([keyOf(digest('a')), keyOf(digest('b')), keyOf('')]).size).toBe(3);
    expect(keyOf(digest('a'))).toBe(keyOf(digest('a')));
  });

  test('G19 drift shows kind, reason, expected and actual; a clean run is fresh', async () => {
    repo = createFixtureRepo({ 'src/a.ts': '' });
    expect(await healthOf(repo, tracer(digest('b'), digest('a')), 'runtime_trace')).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'digest_mismatch', expected: digest('b'), actual: digest('a') } },
      confidence: 'medium',
    });
    expect(repo.written()['context/CONTEXT_REPORT.md']).toMatch(/digest_mismatch .*expected=b{8}[^b].*actual=a{8}[^a]/);
    expect(await healthOf(repo, tracer(digest('b'), digest('b')), 'runtime_trace')).toMatchObject({
      freshness: { kind: 'fresh' },
      confidence: 'high',
    });
  });

  test('G19 a probe that waits for an image that was not built has a key that says so, and the log tells', async () => {
    repo = createFixtureRepo({ 'src/a.ts': '' });
    const probe = makeProbe(
      'traced',
      async () => ({ kind: 'ran', slice: { traced: { rows: [] } }, confidence: 'high' }),
      {
        declaredInputs: ['image-digest:<resolved>'],
      },
    );
    const { envelope } = await repo.publish({}, { probes: [probe] });
    expect(envelope.probes['traced']?.cache.key).toMatch(/^sha256:/);
    expect(JSON.stringify(repo.written())).toContain('resolver_unbound');
  });
});
