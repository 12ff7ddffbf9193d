/** The freshness of the semantic index end to end, with the real indexer (P1; adversarial items 17, 18, 20, 32). */

import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { takeWriterLock, type WriterLock } from '../../src/index/store/writer-lock.ts';
import { openOwnDirs } from '../../src/kernel/base/own-dirs.ts';
import { readScipBytes } from '../../src/kernel/formats/read-scip.ts';
import { createFixtureRepo, type FixtureRepo, type Published, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const planted = `AK${'IA'}Q3EGRJ5M7K2WPX4T`;
const sources = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"include":["src"]}',
  'src/a.ts': "import { b } from './b';\nexport const a = b;\n",
  'src/b.ts': `/** the second letter, ${planted} */\nexport const b = 1;\n`,
  'README.md': '# shop\n',
};
const only = ['scip_index', 'index_health'];

type Health = {
  readonly freshness: { readonly kind: string; readonly reason?: unknown };
  readonly confidence: string;
  readonly last_indexed_at: string | null;
};
type SemanticIndex = Readonly<Record<string, unknown>>;

function healthOf({ envelope }: Published, name = 'scip'): Health {
  return (envelope['index_health'] as Record<string, Health>)[name] as Health;
}

function indexOf({ envelope }: Published): SemanticIndex {
  return envelope['semantic_index'] as SemanticIndex;
}

async function askNow(of: FixtureRepo, name = 'scip'): Promise<unknown> {
  const answer = await of.workspace().report();
  if (answer.kind !== 'report') throw new Error(answer.kind);
  return (answer.freshnessNow as Record<string, unknown>)[name];
}

const head = (of: FixtureRepo) => of.git('rev-parse', 'HEAD').trim();

/** The one whose program a user can name. */
const chosen = 'scip.indexer: scip-typescript\n';

/** As another process that writes would. */
async function takeLockOf(of: FixtureRepo): Promise<WriterLock> {
  const { signal } = new AbortController();
  const { stateDir } = openOwnDirs({ ...of, environment: {} });
  const lock = await takeWriterLock({ stateDir, waitMs: 0, signal });
  if (lock.kind !== 'taken') throw new Error(lock.kind);
  return lock;
}

/** A program in place of the indexer. It answers for its version; everything else is the script's. */
function withTool(of: FixtureRepo, script: string): void {
  of.write('~/tool', `#!/bin/sh\nif [ "$1" = --version ]; then echo 0.4.0; exit 0; fi\n${script}\n`);
  chmodSync(join(of.home, 'tool'), 0o755);
  of.write('~/.codegenie/config.yaml', `${chosen}tools.scip-typescript.path: ${join(of.home, 'tool')}\n`);
}

describe('an index that was made', () => {
  test('G17 is fresh after its gather, names its commit, and its tree is as it was', async () => {
    repo = createFixtureRepo(sources);
    const before = repo.tree();
    const published = await repo.publish({ only });
    expect(healthOf(published)).toMatchObject({ freshness: { kind: 'fresh' }, confidence: 'high' });
    expect(indexOf(published)).toMatchObject({
      last_indexed_commit: head(repo),
      files_indexed: 2,
      files_in_repo: 2,
      indexer_errors: 0,
      dirty_at_index: [],
    });
    expect(await askNow(repo)).toMatchObject({ kind: 'fresh' });
    expect(repo.tree()).toEqual(before);
    const paths: string[] = [];
    const artifact = repo.written()['context/raw/scip-index.scip'] ?? '';
    const read = readScipBytes(Buffer.from(artifact, 'latin1'), (part) => {
      if (part.kind === 'document') paths.push(part.document.relativePath);
    });
    expect(read.kind).toBe('read');
    expect(paths.sort()).toEqual(['src/a.ts', 'src/b.ts']);
    expect(artifact).not.toContain(repo.base);
    // Documentation is in the index; what is secret in it is not (24).
    expect(artifact).toContain('the second letter');
    expect(artifact).not.toContain(planted);
  });

  test('G17 is behind by the number of commits that came since', async () => {
    repo = createFixtureRepo(sources);
    const indexed = head(repo);
    await repo.publish({ only });
    for (const n of [2, 3]) {
      repo.write('src/b.ts', `export const b = ${n};\n`);
      repo.commit();
    }
    expect(await askNow(repo)).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 2, last_indexed: indexed },
    });
    const again = await repo.publish({ only });
    expect(healthOf(again)).toMatchObject({ freshness: { kind: 'fresh' } });
    expect(indexOf(again)).toMatchObject({ last_indexed_commit: head(repo) });
  });

  test('G18 is behind a history that was left, and diverged', async () => {
    repo = createFixtureRepo(sources);
    repo.write('src/b.ts', 'export const b = 2;\n');
    repo.commit();
    const indexed = head(repo);
    await repo.publish({ only });
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    expect(await askNow(repo)).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 1, last_indexed: indexed, diverged: true },
    });
  });

  test('G18 names the files that were edited, made and removed without a commit', async () => {
    repo = createFixtureRepo(sources);
    await repo.publish({ only });
    repo.write('src/b.ts', 'export const b = 2;\n');
    repo.write('src/c.ts', 'export const c = 1;\n');
    expect(await askNow(repo)).toEqual({
      kind: 'stale',
      reason: { kind: 'dirty_worktree', files: ['src/b.ts', 'src/c.ts'], count: 2 },
    });
    const again = await repo.publish({ only });
    expect(healthOf(again)).toMatchObject({ freshness: { kind: 'fresh' } });
    expect(indexOf(again)).toMatchObject({ dirty_at_index: ['src/b.ts', 'src/c.ts'], files_in_repo: 3 });
  });

  test('G17 stays fresh, and is not made again, across a commit that touches none of its inputs', async () => {
    repo = createFixtureRepo(sources);
    const indexed = head(repo);
    await repo.publish({ only });
    repo.write('README.md', '# other words\n');
    repo.write('docs/more.md', 'more\n');
    repo.commit();
    expect(await askNow(repo)).toMatchObject({ kind: 'fresh' });
    const again = await repo.publish({ only });
    expect(recordOf(again.envelope, 'scip_index').cache.state).toBe('hit');
    expect(healthOf(again)).toMatchObject({ freshness: { kind: 'fresh' } });
    expect(indexOf(again)).toMatchObject({ last_indexed_commit: indexed });
  });

  test('G20 has a gap where a configuration leaves files out, and where one is too large', async () => {
    repo = createFixtureRepo({
      ...sources,
      '.codegenie/config.yaml': 'scip.max_file_mb: 1\n',
      'src/broken.ts': 'export const x = ;\nfunction (\n',
      'src/large.ts': `export const large = '${'x'.repeat(1024 * 1024)}';\n`,
      'scripts/tool.ts': 'export const tool = 1;\n',
    });
    const published = await repo.publish({ only });
    expect(healthOf(published)).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'coverage_gap', files_indexed: 3, files_in_repo: 5 } },
      confidence: 'low',
    });
    expect(indexOf(published)).toMatchObject({ files_missing: ['scripts/tool.ts', 'src/large.ts'], coverage_pct: 60 });
    expect(recordOf(published.envelope, 'scip_index')).toMatchObject({
      status: 'ok',
      warnings: ['scip_index.files_skipped'],
    });
    expect(await askNow(repo)).toMatchObject({ reason: { kind: 'coverage_gap' } });
  });

  test('outside of a git work tree no index is judged', async () => {
    repo = createFixtureRepo(sources, { git: false });
    const published = await repo.publish({ only });
    expect(healthOf(published)).toMatchObject({
      freshness: { kind: 'stale', reason: { kind: 'indexer_error', message: 'repo_not_a_git_workdir' } },
      confidence: 'low',
    });
    expect(indexOf(published)).toMatchObject({ last_indexed_commit: 'unknown', files_indexed: 2 });
    expect(recordOf(published.envelope, 'scip_index')).toMatchObject({
      warnings: ['scip_index.head_unresolvable'],
      confidence: 'low',
    });
  });
});

describe('an indexer that fails', () => {
  const failed = { kind: 'stale', reason: { kind: 'indexer_error', message: 'indexer_reported_1_errors' } };
  const writes = 'while [ "$1" != --output ]; do shift; done';

  test.each([
    ['exits with 1', 'echo secret >&2; exit 1', 'scip_index.exit_nonzero', ['scip_index.index_failed']],
    ['is ended by a signal', 'kill -SEGV $$', 'scip_index.exit_nonzero', ['scip_index.index_failed']],
    ['writes nothing', 'exit 0', 'scip_index.no_documents', ['scip_index.index_failed']],
    [
      'writes what is no index',
      `${writes}; echo '{"not": "an index"}' > "$2"`,
      null,
      ['scip_index.index_failed', 'scip_index.output_undecodable'],
    ],
  ])('G32 that %s', async (_, script, warning, errors) => {
    repo = createFixtureRepo(sources);
    withTool(repo, script);
    await expectFailure(repo, warning, errors);
  });

  test('G32 that is not there', async () => {
    repo = createFixtureRepo(sources);
    repo.write('~/.codegenie/config.yaml', `${chosen}tools.scip-typescript.path: ${repo.home}/nowhere\n`);
    const published = await expectFailure(repo, 'scip_index.tool_missing', ['scip_index.index_failed']);
    expect(indexOf(published)).toMatchObject({ indexer_version: 'absent' });
  });

  test('G33 that never ends is ended, and its slice is there', async () => {
    repo = createFixtureRepo(sources);
    // A child that does not listen to polite requests, and a parent that waits for it.
    withTool(repo, '(trap "" TERM; while :; do sleep 1; done) & wait');
    repo.write(
      '~/.codegenie/config.yaml',
      `${chosen}tools.scip-typescript.path: ${join(repo.home, 'tool')}\nprobes.timeouts: {scip_index: 30}\n`,
    );
    await expectFailure(repo, 'scip_index.timeout', ['scip_index.index_failed']);
    expect(listProcesses(join(repo.home, 'tool'))).toEqual([]);
  });

  async function expectFailure(of: FixtureRepo, warning: string | null, errors: readonly string[]): Promise<Published> {
    const published = await of.publish({ only });
    expect(recordOf(published.envelope, 'scip_index')).toMatchObject({
      status: 'degraded',
      confidence: 'low',
      warnings: warning === null ? [] : [warning],
      errors,
      cache: { state: 'miss' },
    });
    expect(indexOf(published)).toMatchObject({
      scip_index_uri: null,
      files_indexed: 0,
      files_in_repo: 2,
      coverage_pct: 0,
      indexer_errors: 1,
      last_indexed_commit: head(of),
    });
    expect(healthOf(published)).toMatchObject({ freshness: failed, confidence: 'low', last_indexed_at: null });
    expect(await askNow(of)).toEqual(failed);
    const written = of.written();
    expect(written['context/raw/scip-index.scip']).toBeUndefined();
    expect(JSON.parse(written['context/raw/scip.json'] as string)).toMatchObject({ indexer_errors: 1 });
    // A failure is not remembered: the next gather tries again.
    const again = await of.publish({ only });
    expect(recordOf(again.envelope, 'scip_index').cache.state).toBe('miss');
    return published;
  }
});

describe('the store of code facts', () => {
  const ask = { only: ['facts_store', 'index_health'] };

  test('P1 is fresh after its gather, and knows of edits and commits since', async () => {
    repo = createFixtureRepo(sources);
    const indexed = head(repo);
    const published = await repo.publish(ask);
    expect(healthOf(published, 'facts_store')).toMatchObject({ freshness: { kind: 'fresh' }, confidence: 'high' });
    expect(await askNow(repo, 'facts_store')).toMatchObject({ kind: 'fresh' });
    repo.write('src/b.ts', 'export const b = 2;\n');
    expect(await askNow(repo, 'facts_store')).toEqual({
      kind: 'stale',
      reason: { kind: 'dirty_worktree', files: ['src/b.ts'], count: 1 },
    });
    repo.commit();
    expect(await askNow(repo, 'facts_store')).toEqual({
      kind: 'stale',
      reason: { kind: 'commits_behind', n: 1, last_indexed: indexed },
    });
    const again = await repo.publish(ask);
    expect(again.envelope['facts_store']).toMatchObject({ present: true, symbols: 2 });
    expect(healthOf(again, 'facts_store')).toMatchObject({ freshness: { kind: 'fresh' } });
  });

  test('a store that another process writes is read, and what it does not know yet is said', async () => {
    repo = createFixtureRepo(sources);
    await repo.publish(ask);
    repo.write('src/new.ts', 'export const fresh = 1;\n');
    const lock = await takeLockOf(repo);
    try {
      const published = await repo.publish(ask);
      expect(published.envelope['facts_store']).toMatchObject({ present: true, symbols: 2, indexed_inputs: null });
      expect(recordOf(published.envelope, 'facts_store')).toMatchObject({
        status: 'ok',
        confidence: 'medium',
        warnings: ['facts_store.reconcile_incomplete'],
      });
      expect(healthOf(published, 'facts_store').freshness.kind).toBe('stale');
    } finally {
      await lock.release();
    }
  });

  test('a store that another process is only building is absent', async () => {
    repo = createFixtureRepo({ ...sources, '.codegenie/config.yaml': 'probes.timeouts: {facts_store: 1}\n' });
    const lock = await takeLockOf(repo);
    try {
      const published = await repo.publish(ask);
      expect(published.envelope['facts_store']).toMatchObject({ present: false, schema_version: null });
      expect(recordOf(published.envelope, 'facts_store')).toMatchObject({
        confidence: 'low',
        warnings: ['facts_store.absent'],
      });
    } finally {
      await lock.release();
    }
  });
});

/** Command lines of living processes that name a path. */
function listProcesses(path: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        return line.includes(path) ? [line] : [];
      } catch {
        return [];
      }
    });
}
