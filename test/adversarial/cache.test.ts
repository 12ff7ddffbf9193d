/** Items 7 and 9: a cache that is shared, broken, restored or gone costs time and never truth. */

import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { volatileFields } from '../../src/gather/publish/envelope.ts';
import { blake3Hex, sha256Hex } from '../../src/kernel/base/hash.ts';
import { createFixtureRepo, type FixtureRepo, type Published, recordOf, stableText } from '../support/fixture-repo.ts';
import { cacheStates, contextFile, publishUnharmed, readContext, troubled } from '../support/hostile.ts';
import { runCli } from '../support/run-cli.ts';

const files = {
  'package.json': '{"name":"x","dependencies":{"left-pad":"^1.0.0"}}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/left-pad":{"version":"1.3.0"}}}',
  'src/a.ts': 'export {};\n',
  '.github/workflows/ci.yml': 'on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps: [{run: npm test}]\n',
  'k8s/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "a:1"}]}\n',
};

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo(files);
});
afterEach(() => repo.dispose());

const store = () => join(repo.cacheDir, 'cache/gather/v1');
const rawFiles = () =>
  Object.fromEntries(Object.entries(repo.written()).filter(([path]) => path.startsWith('context/raw/')));

/** Every file two levels below `entries` or `blobs`. */
function list(kind: 'entries' | 'blobs'): string[] {
  const base = join(store(), kind);
  return readdirSync(base).flatMap((folder) => readdirSync(join(base, folder)).map((name) => join(base, folder, name)));
}

const entryOf = (published: Published, probe: string): string => {
  const hex = recordOf(published.envelope, probe).cache.key?.replace('sha256:', '') ?? '';
  return join(store(), 'entries', hex.slice(0, 2), `${hex}.json`);
};
const blobPath = (hash: string) => join(store(), 'blobs', hash.slice(0, 2), hash);
const readEntry = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as { output: string; artifacts: { name: string; blake3: string }[] };

describe('G7 whatever is broken is a miss, never an error, and the answer is the same', () => {
  const breakages: Record<string, (entry: string) => void> = {
    'an entry cut in half': (entry) => truncateSync(entry, Math.floor(lstatSync(entry).size / 2)),
    'an empty entry': (entry) => truncateSync(entry, 0),
    'an entry that is a directory': (entry) => {
      rmSync(entry);
      mkdirSync(join(entry, 'deeper'), { recursive: true });
    },
    'an entry that is a link': (entry) => {
      const target = join(repo.base, 'entry.json');
      writeFileSync(target, readFileSync(entry));
      rmSync(entry);
      symlinkSync(target, entry);
    },
    'an entry of another key': (entry) => {
      const text = readFileSync(entry, 'utf8');
      writeFileSync(entry, text.replace(/"key":"sha256:../, '"key":"sha256:00'));
    },
    'an entry with a field more': (entry) => {
      writeFileSync(entry, readFileSync(entry, 'utf8').replace(/^\{/, '{"extra":1,'));
    },
    'an entry with a date that is none': (entry) => {
      writeFileSync(entry, readFileSync(entry, 'utf8').replace(/"created_at":"[^"]*"/, '"created_at":"soon"'));
    },
    'an output blob that was tampered with': (entry) => {
      const blob = blobPath(readEntry(entry).output);
      writeFileSync(blob, readFileSync(blob, 'utf8').replace('ubuntu-latest', 'planted-text'));
    },
    'an output blob that is gone': (entry) => rmSync(blobPath(readEntry(entry).output)),
    'an artifact blob that is gone': (entry) => rmSync(blobPath(readEntry(entry).artifacts[0]?.blake3 ?? '')),
    'an artifact blob that was tampered with': (entry) =>
      writeFileSync(blobPath(readEntry(entry).artifacts[0]?.blake3 ?? ''), '{"provider":"planted"}\n'),
    'an artifact blob that is a directory': (entry) => {
      const blob = blobPath(readEntry(entry).artifacts[0]?.blake3 ?? '');
      rmSync(blob);
      mkdirSync(blob);
    },
    'a file where a folder of entries was': (entry) => {
      rmSync(join(entry, '..'), { recursive: true });
      writeFileSync(join(entry, '..'), '');
    },
  };
  test.each(Object.entries(breakages))('G7 %s', async (_, damage) => {
    const first = await repo.publish();
    const raw = rawFiles();
    damage(entryOf(first, 'ci'));
    const again = await publishUnharmed(repo);
    expect(recordOf(again.envelope, 'ci')).toMatchObject({ status: 'ok', errors: [] });
    expect(['miss', 'stale', 'unsealed']).toContain(recordOf(again.envelope, 'ci').cache.state);
    expect(recordOf(again.envelope, 'deployment').cache.state).toBe('hit');
    expect(stableText(again.envelope)).toBe(stableText(first.envelope));
    expect(rawFiles()).toEqual(raw);
    expect(troubled(again.envelope)).toEqual({});
  });

  test('G7 a broken entry is replaced: the gather after it hits again', async () => {
    const first = await repo.publish();
    truncateSync(entryOf(first, 'ci'), 10);
    await repo.publish();
    expect(recordOf((await repo.publish()).envelope, 'ci').cache.state).toBe('hit');
  });

  test('G7 every entry and every blob filled with noise', async () => {
    const first = await repo.publish();
    for (const path of [...list('entries'), ...list('blobs')]) writeFileSync(path, 'noise');
    writeFileSync(join(repo.cacheDir, 'cache/hashes'), '{"version":1,"flat":[1,2');
    const again = await publishUnharmed(repo);
    expect(new Set(Object.values(cacheStates(again.envelope)))).toEqual(new Set(['miss']));
    expect(stableText(again.envelope)).toBe(stableText(first.envelope));
  });
});

test('G7 gathers at once: both publish the same, and the cache they leave is whole', async () => {
  const outcomes = await Promise.all([repo.publish(), repo.publish(), repo.publish()]);
  const texts = outcomes.map((outcome) => stableText(outcome.envelope));
  expect(new Set(texts).size).toBe(1);
  const warm = await repo.publish();
  expect(new Set(Object.values(cacheStates(warm.envelope)))).toEqual(new Set(['hit']));
  expect(stableText(warm.envelope)).toBe(texts[0]);
  expect(Object.keys(repo.written()).filter((path) => path.endsWith('.tmp') || path.endsWith('.lock'))).toEqual([]);
});

test('G7 modes that a restored copy flattened are set right, and the copy is used', async () => {
  await repo.publish();
  const paths = [...list('entries'), ...list('blobs')];
  const folders = [
    '',
    'entries',
    'blobs',
    ...['entries', 'blobs'].flatMap((kind) => readdirSync(join(store(), kind)).map((name) => `${kind}/${name}`)),
  ];
  for (const path of paths) chmodSync(path, 0o644);
  for (const folder of folders) chmodSync(join(store(), folder), 0o755);
  for (const folder of ['', 'cache', 'cache/gather']) chmodSync(join(repo.cacheDir, folder), 0o755);
  for (const folder of ['', 'context']) chmodSync(join(repo.root, '.codegenie', folder), 0o755);
  const { envelope } = await publishUnharmed(repo);
  expect(new Set(Object.values(cacheStates(envelope)))).toEqual(new Set(['hit']));
  const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
  expect(new Set(paths.map(modeOf))).toEqual(new Set(['600']));
  expect(new Set(folders.map((folder) => modeOf(join(store(), folder))))).toEqual(new Set(['700']));
  expect(modeOf(join(repo.root, '.codegenie'))).toBe('700');
  expect(modeOf(join(repo.cacheDir, 'cache'))).toBe('700');
});

/** A whole and self-consistent answer, as an attacker would write it: only the seal is not theirs to make. */
function forge(published: Published): void {
  const path = entryOf(published, 'ci');
  const entry = readEntry(path);
  const forged = readFileSync(blobPath(entry.output), 'utf8').replace('github_actions', 'jenkins');
  const hash = blake3Hex(Buffer.from(forged));
  mkdirSync(join(blobPath(hash), '..'), { recursive: true });
  writeFileSync(blobPath(hash), forged);
  writeFileSync(path, JSON.stringify({ ...entry, output: hash, output_sha256: sha256Hex(forged) }));
}

test('P9 an answer that was forged in the cache is not replayed, is told by name, and is written anew', async () => {
  forge(await repo.publish());
  const { envelope } = await publishUnharmed(repo);
  expect(envelope['ci']).toMatchObject({ provider: 'github_actions' });
  expect(recordOf(envelope, 'ci').cache.state).toBe('unsealed');
  expect(recordOf(envelope, 'deployment').cache.state).toBe('hit');
  expect(recordOf((await repo.publish()).envelope, 'ci').cache.state).toBe('hit');
});

test('P9 a cache that machines share counts with the key of the environment alone, and is told by name without', async () => {
  const shared = 'a key that the tree and a fork do not know';
  const gatherAs = async (home: string, key?: string) => {
    const environment = { XDG_CACHE_HOME: join(repo.base, 'ci-cache'), ...(key && { CODEGENIE_CACHE_KEY: key }) };
    const where = { cwd: repo.root, home: join(repo.base, home), environment };
    mkdirSync(where.home, { recursive: true });
    const ended = await runCli(['gather', '--only', 'ci,deployment'], where);
    expect(ended.code, ended.stderr).toBe(0);
    const { probes } = parse(readContext(repo)) as Published['envelope'];
    return { stderr: ended.stderr, states: ['ci', 'deployment'].map((name) => probes[name]?.cache.state) };
  };
  expect((await gatherAs('machine-1', shared)).states).toEqual(['miss', 'miss']);
  expect(await gatherAs('machine-2', shared)).toEqual({ stderr: '', states: ['hit', 'hit'] });
  // A request from a fork has no key: what it finds does not count, and what it leaves does not either.
  const says = 'kept answers are not sealed with this key and were not used: ci, deployment';
  expect(await gatherAs('machine-3')).toEqual({
    stderr: expect.stringContaining(says),
    states: ['unsealed', 'unsealed'],
  });
  expect(await gatherAs('machine-4', shared)).toEqual({
    stderr: expect.stringContaining(says),
    states: ['unsealed', 'unsealed'],
  });
  expect((await gatherAs('machine-5', shared)).states).toEqual(['hit', 'hit']);
  const written = { ...repo.written(), ...readAll(repo.base) };
  expect(Object.keys(written).filter((path) => written[path]?.includes(shared))).toEqual([]);
  const short = await runCli(['gather', '--only', 'ci'], {
    cwd: repo.root,
    home: repo.home,
    environment: { CODEGENIE_CACHE_KEY: 'short' },
  });
  expect(short).toMatchObject({ code: 5, stderr: expect.stringContaining('CODEGENIE_CACHE_KEY') });
});

const readAll = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path).toString('latin1')]),
  );

test('G7 a repository that ships its own cache is not believed, and is told so', async () => {
  forge(await repo.publish());
  cpSync(join(repo.cacheDir, 'cache'), join(repo.root, '.codegenie/cache'), { recursive: true });
  rmSync(repo.cacheDir, { recursive: true });
  const untracked = await publishUnharmed(repo);
  expect(untracked.envelope['ci']).toMatchObject({ provider: 'github_actions' });
  repo.git('add', '-f', '.codegenie/cache');
  repo.git('commit', '-q', '-m', 'ship the cache');
  const { envelope } = await publishUnharmed(repo);
  expect(envelope.warnings.map((warning) => warning.id)).toEqual(['repo.data_dir_tracked']);
  expect(envelope['ci']).toMatchObject({ provider: 'github_actions' });
  expect(new Set(Object.values(cacheStates(envelope)))).toEqual(new Set(['hit']));
  expect(repo.git('status', '--porcelain', '--', '.codegenie/cache')).toBe('');
});

test('G7 a link where older versions had their cache: nothing is written through it', async () => {
  mkdirSync(join(repo.base, 'elsewhere'));
  mkdirSync(join(repo.root, '.codegenie'));
  symlinkSync('../../elsewhere', join(repo.root, '.codegenie/cache'));
  repo.git('add', '-f', '.codegenie/cache');
  repo.git('commit', '-q', '-m', 'link');
  await publishUnharmed(repo);
  expect(readdirSync(join(repo.base, 'elsewhere'))).toEqual([]);
});

test('G7 --no-cache reads and writes nothing', async () => {
  const { envelope } = await publishUnharmed(repo, { mode: 'no_cache' });
  expect(new Set(Object.values(cacheStates(envelope)))).toEqual(new Set(['bypass']));
  // What an indexer said last is the index's, as the index itself is.
  const written = Object.keys(repo.written()).filter((path) => path.startsWith('cache dir: cache/'));
  expect(written.filter((path) => !path.startsWith('cache dir: cache/scip/'))).toEqual([]);
});

test('G9 after context/ is deleted a warm gather restores every byte but the volatile fields', async () => {
  const first = await repo.publish();
  const yaml = readContext(repo);
  const raw = rawFiles();
  expect(Object.keys(raw)).toEqual(expect.arrayContaining(['context/raw/ci.json', 'context/raw/deployment.json']));
  rmSync(join(contextFile(repo), '..'), { recursive: true });
  const warm = await publishUnharmed(repo);
  expect(new Set(Object.values(cacheStates(warm.envelope)))).toEqual(new Set(['hit']));
  expect(rawFiles()).toEqual(raw);
  expect(stableText(warm.envelope)).toBe(stableText(first.envelope));
  expect(steadyLines(readContext(repo))).toEqual(steadyLines(yaml));
});

test('P10: deleting the cache loses time and nothing else', async () => {
  const first = await repo.publish();
  const yaml = readContext(repo);
  const raw = rawFiles();
  rmSync(join(repo.cacheDir, 'cache'), { recursive: true });
  const cold = await publishUnharmed(repo);
  expect(new Set(Object.values(cacheStates(cold.envelope)))).toEqual(new Set(['miss']));
  expect(rawFiles()).toEqual(raw);
  expect(stableText(cold.envelope)).toBe(stableText(first.envelope));
  expect(steadyLines(readContext(repo))).toEqual(steadyLines(yaml));
});

/** The document as text, without the volatile fields: key order and rendering are part of what must come back. */
function steadyLines(yaml: string): string[] {
  const field = new RegExp(`^\\s*(?:${volatileFields.join('|')}|state|key): `);
  return yaml.split('\n').filter((line) => !field.test(line));
}
