/** Answers that must not be better than what is known: after damage, after deletion, after an edit. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf, stableText } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const files = {
  'package.json': '{"name": "a", "version": "1.0.0"}',
  '.github/workflows/ci.yml': 'on: push\njobs: {t: {runs-on: x, steps: [{run: npm test}]}}\n',
  '.codegenie/conventions/a.yaml': 'rules:\n  - {id: r, description: d, kind: missing_file, pattern: x.txt}\n',
};

function listEntries(): string[] {
  const base = join(repo.cacheDir, 'cache/gather/v1/entries');
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(base, name));
}

test('P9: a planted cache entry cannot name a file outside the context', async () => {
  repo = createFixtureRepo(files);
  repo.write('victim.txt', 'mine');
  repo.commit();
  await repo.publish();
  const modeBefore = statSync(repo.root).mode;
  for (const path of listEntries()) {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as { probe: string; artifacts: { name: string }[] };
    const names = ['../../../victim.txt', '../../../../outside/evil.txt'];
    entry.artifacts.forEach((artifact, index) => {
      artifact.name = names[index % 2] as string;
    });
    writeFileSync(path, JSON.stringify(entry));
  }
  const { envelope } = await repo.publish();
  expect(readFileSync(join(repo.root, 'victim.txt'), 'utf8')).toBe('mine');
  expect(existsSync(join(repo.base, 'outside'))).toBe(false);
  expect(statSync(repo.root).mode).toBe(modeBefore);
  expect(recordOf(envelope, 'ci').cache.state).toBe('unsealed');
  expect(envelope.raw_artifacts.map((artifact) => artifact.name)).toContain('ci.json');
});

test('an audit after a gather without cache finds nothing wrong', async () => {
  repo = createFixtureRepo(files);
  await repo.publish();
  await repo.publish({ mode: 'no_cache' });
  expect(await repo.workspace().audit()).toMatchObject({ kind: 'audited', findings: [] });
});

test('P2: where git cannot tell what changed, the document does not say clean', async () => {
  repo = createFixtureRepo(files);
  repo.write('package.json', '{"name": "b", "version": "1.0.0"}');
  writeFileSync(join(repo.root, '.git/index'), 'not an index');
  const { envelope } = await repo.publish();
  expect(envelope.repo).toMatchObject({
    dirty: null,
    dirty_files: null,
    git_commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(envelope.warnings.map((warning) => warning.id)).toEqual(['repo.git_unreadable']);
});

test('P1: explain judges the index behind a field from the disk of now', async () => {
  repo = createFixtureRepo(files);
  await repo.publish();
  const ask = async () => {
    const answer = await repo.workspace().explain('organizational.conventions');
    return answer.kind === 'explained' ? answer.explanation.provenance?.freshness?.line : answer.kind;
  };
  expect(await ask()).toContain('[OK] conventions');
  repo.write(
    '.codegenie/conventions/a.yaml',
    'rules:\n  - {id: s, description: d, kind: missing_file, pattern: y.txt}\n',
  );
  expect(await ask()).toContain('[STALE] conventions');
});

test('P10: without the cache a fresh index is still fresh', async () => {
  repo = createFixtureRepo(files);
  await repo.publish();
  rmSync(join(repo.cacheDir, 'cache'), { recursive: true });
  const answer = await repo.workspace().report();
  expect(answer).toMatchObject({ kind: 'report', freshnessNow: { conventions: { kind: 'fresh' } } });
});

test('exit 4 and no publication when no probe produced anything without an error', async () => {
  repo = createFixtureRepo({ 'package.json': '{"name": "a"}' });
  const where = { cwd: repo.root, home: repo.home };
  const gather = ['gather', '.', '--only', 'node_manifest', '--skip', 'language_detection'];
  expect((await runCli(gather, where)).code).toBe(0);
  const before = readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8');
  repo.write('package.json', '{ broken');
  const ending = await runCli(gather, where);
  expect(ending).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('degraded node_manifest · package_json.malformed'),
  });
  expect(readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8')).toBe(before);
});

test('--json is one document for a wrong call too', async () => {
  repo = createFixtureRepo({});
  const where = { cwd: repo.root, home: repo.home };
  for (const argv of [
    ['--json', 'gather', '--nope'],
    ['--json', 'gather', '.', '--no-cache', '--cache-only'],
    ['--json', 'gahter'],
  ]) {
    const ending = await runCli(argv, where);
    expect(ending.code).toBe(2);
    expect(JSON.parse(ending.stdout)).toMatchObject({ outcome: 'usage' });
  }
});

test('P6: two cold gathers at different times differ in the volatile fields alone', async () => {
  repo = createFixtureRepo({ ...files, '.codegenie/skills/a/SKILL.md': '---\nid: a\n---\nbody\n' });
  repo.write('~/docs/one.md', '# One\n\nText.\n');
  repo.write('~/.codegenie/config.yaml', `external_docs:\n  - {type: filesystem, path: ${repo.home}/docs}\n`);
  const cold = async (now: string) => {
    const { envelope } = await repo.publish({ mode: 'no_cache' }, { nowMs: () => Date.parse(now) });
    expect(envelope['index_health']).toMatchObject({ conventions: { freshness: { kind: 'fresh' } } });
    return stableText(envelope);
  };
  expect(await cold('2026-05-18T09:30:00Z')).toBe(await cold('2026-05-17T12:00:00Z'));
});
