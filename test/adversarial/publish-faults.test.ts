/** What a gather leaves behind when it is killed, doubled, cancelled or refused: the old context or the new one, never half of either. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { blake3Hex } from '../../src/kernel/base/hash.ts';
import { parseYamlObject } from '../../src/kernel/formats/yaml.ts';
import { echoProbe, makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

const childFile = fileURLToPath(new URL('../support/gather-child.ts', import.meta.url));
const nodeArgs = ['--disable-warning=ExperimentalWarning', childFile];
const probes = [echoProbe('alpha', ['a/**']), echoProbe('beta', ['b/**'])];

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

function twoFolders(): FixtureRepo {
  return createFixtureRepo({ 'a/one.txt': 'first', 'b/two.txt': 'first', 'b/three.txt': 'stays' });
}

type Context = {
  readonly run_id: string;
  readonly alpha: unknown;
  readonly raw_artifacts: readonly { readonly name: string; readonly blake3: string }[];
};

function readContext(of: FixtureRepo): Context | undefined {
  const file = join(of.root, '.codegenie/context/repo-context.yaml');
  if (!existsSync(file)) return undefined;
  const parsed = parseYamlObject(readFileSync(file), { maxBytes: 1 << 24, maxDepth: 64 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value as unknown as Context;
}

function hashOf(of: FixtureRepo, name: string): string | undefined {
  const file = join(of.root, '.codegenie/context/raw', name);
  return existsSync(file) ? blake3Hex(readFileSync(file)) : undefined;
}

/** What a killed writer leaves there is collected after a while, as the next test says. */
const isOfCache = (path: string) => path.startsWith('cache dir: cache/');
const leftovers = (of: FixtureRepo) =>
  Object.keys(of.written()).filter((path) => path.endsWith('.tmp') || /gather\.lock/.test(path));

describe('G27 killed at any instant of publishing', () => {
  test('G27 the document is the old one or the new one, the next gather takes over and tidies up', async () => {
    repo = twoFolders();
    await repo.publish({}, { probes });
    repo.write('a/one.txt', 'second');
    repo.write('b/two.txt', 'second');
    // One whole run over changed files says how many instants there are.
    const whole = spawnSync(process.execPath, [...nodeArgs, repo.root, repo.home], { encoding: 'utf8' });
    const { kind, steps } = JSON.parse(whole.stdout) as { kind: string; steps: number };
    expect(kind).toBe('published');
    expect(steps).toBeGreaterThan(20);
    let seenOld = 0;
    let seenNew = 0;
    const points = 16;
    for (let point = 0; point < points; point += 1) {
      const before = readContext(repo);
      const content = `content ${point}`;
      repo.write('a/one.txt', content);
      repo.write('b/two.txt', content);
      const killAt = 1 + Math.floor((point * (steps - 1)) / points);
      const killed = spawnSync(process.execPath, [...nodeArgs, repo.root, repo.home, String(killAt)], {
        encoding: 'utf8',
      });
      expect([killAt, killed.signal]).toEqual([killAt, 'SIGKILL']);

      const after = readContext(repo);
      const isOld = after?.run_id === before?.run_id;
      if (isOld) seenOld += 1;
      else {
        seenNew += 1;
        // The document comes after its artifacts: a new one never names bytes that are not there.
        for (const artifact of after?.raw_artifacts ?? []) expect(hashOf(repo, artifact.name)).toBe(artifact.blake3);
        expect(JSON.stringify(after?.alpha)).toContain(content);
      }
      // Every artifact that exists is whole: the one the document lists, or the one that was about to be listed.
      for (const artifact of after?.raw_artifacts ?? []) expect(hashOf(repo, artifact.name)).toMatch(/^[0-9a-f]{64}$/);

      const next = await repo.publish({}, { probes });
      expect(JSON.stringify(readContext(repo)?.alpha)).toContain(content);
      for (const artifact of next.envelope.raw_artifacts) expect(hashOf(repo, artifact.name)).toBe(artifact.blake3);
      expect(leftovers(repo).filter((path) => !isOfCache(path))).toEqual([]);
      expect(await repo.workspace({ probes }).audit()).toMatchObject({ findings: [] });
    }
    expect([seenOld > 0, seenNew > 0]).toEqual([true, true]);
  });

  test('G27 killed from outside at varied moments', async () => {
    repo = twoFolders();
    const started = performance.now();
    spawnSync(process.execPath, [...nodeArgs, repo.root, repo.home]);
    const totalMs = performance.now() - started;
    for (let point = 1; point <= 8; point += 1) {
      repo.write('a/one.txt', `outside ${point}`);
      const child = spawn(process.execPath, [...nodeArgs, repo.root, repo.home], { stdio: 'ignore' });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), (totalMs * (point + 4)) / 13);
      await exited;
      clearTimeout(timer);
      readContext(repo);
    }
    const next = await repo.publish({}, { probes });
    for (const artifact of next.envelope.raw_artifacts) expect(hashOf(repo, artifact.name)).toBe(artifact.blake3);
    expect(leftovers(repo).filter((path) => !isOfCache(path))).toEqual([]);
  });

  test('G27 what a killed writer left in the cache is collected, and its temporaries are no entries', async () => {
    repo = twoFolders();
    await repo.publish({}, { probes });
    const entries = join(repo.cacheDir, 'cache/gather/v1/entries');
    const folder = readdirSync(entries)[0] ?? '';
    const entry = readdirSync(join(entries, folder))[0] ?? '';
    const whole = readFileSync(join(entries, folder, entry));
    for (const [name, bytes] of [
      [`${entry}.999999999.0a1b2c3d.tmp`, whole],
      [`${entry}.999999999.0a1b2c3e.tmp`, whole.subarray(0, 40)],
    ] as const) {
      writeFileSync(join(entries, folder, name), bytes);
      const twoHoursAgo = Date.now() / 1000 - 7200;
      utimesSync(join(entries, folder, name), twoHoursAgo, twoHoursAgo);
    }
    const tomorrow = Date.now() + 25 * 3_600_000;
    await repo.publish({}, { probes, nowMs: () => tomorrow });
    expect(leftovers(repo)).toEqual([]);
    expect(existsSync(join(entries, folder, entry))).toBe(true);
  });
});

test('G27 two gathers at once both succeed, and the context is whole', async () => {
  repo = twoFolders();
  const run = (of: FixtureRepo) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [...nodeArgs, of.root, of.home], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      child.once('close', () => resolve(text));
    });
  const outcomes = await Promise.all([run(repo), run(repo), run(repo)]);
  expect(outcomes.map((text) => (JSON.parse(text) as { kind: string }).kind)).toEqual(Array(3).fill('published'));
  expect(await repo.workspace({ probes }).audit()).toMatchObject({ kind: 'audited', findings: [], olderRecords: 2 });
  expect(leftovers(repo)).toEqual([]);
});

describe('cancelling', () => {
  test('leaves no process, no lock, no scratch directory, and the old context', async () => {
    repo = twoFolders();
    await repo.publish({}, { probes });
    const before = readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8');
    const controller = new AbortController();
    let workspace = '';
    let pid = 0;
    const hanging = makeProbe(
      'hanging',
      async (_repo, ctx) => {
        workspace = ctx.workspace;
        await ctx.exec.runAllowlisted(
          ['node', '-e', 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'],
          {
            cwd: '/',
            timeoutS: 60,
            onLine: (line) => {
              pid = Number(line);
              controller.abort();
            },
          },
        );
        return rows('hanging', []);
      },
      { tools: ['node'] },
    );
    repo.write('a/one.txt', 'changed');
    const outcome = await repo.gather({}, { probes: [...probes, hanging], signal: controller.signal });
    expect(outcome).toEqual({ kind: 'cancelled' });
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    expect(workspace).toMatch(/codegenie-hanging-/);
    expect(existsSync(workspace)).toBe(false);
    expect(leftovers(repo)).toEqual([]);
    expect(readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8')).toBe(before);
  });

  test('before it began, nothing is published', async () => {
    repo = twoFolders();
    const controller = new AbortController();
    controller.abort();
    expect(await repo.gather({}, { probes, signal: controller.signal })).toEqual({ kind: 'cancelled' });
    expect(Object.keys(repo.written()).filter((path) => path.startsWith('context/'))).toEqual([]);
  });

  test('a probe that was given up on makes no scratch directory afterwards', async () => {
    repo = twoFolders();
    const controller = new AbortController();
    const wakes = Promise.withResolvers<void>();
    const late = Promise.withResolvers<string>();
    const stubborn = makeProbe('stubborn', async (_repo, ctx) => {
      controller.abort();
      await wakes.promise;
      const outcome = await ctx.exec.git(['rev-parse', 'HEAD']).catch(() => ({ kind: 'threw' }));
      try {
        late.resolve(ctx.workspace);
      } catch (error) {
        late.resolve(`${outcome.kind}: ${(error as Error).message}`);
      }
      return rows('stubborn', []);
    });
    expect(await repo.gather({}, { probes: [stubborn], signal: controller.signal })).toEqual({ kind: 'cancelled' });
    const before = scratchDirectories();
    wakes.resolve();
    expect(await late.promise).toMatch(/aborted/);
    expect(scratchDirectories()).toEqual(before);
  });
});

const scratchDirectories = () =>
  (existsSync('/dev/shm') ? readdirSync('/dev/shm') : []).filter((name) => name.startsWith('codegenie-stubborn'));

describe('G27 what stands in the way is refused, and the previous context is untouched', () => {
  const inTheWay: readonly (readonly [string, (of: FixtureRepo) => void])[] = [
    [
      'context/CONTEXT_REPORT.md',
      (of) => symlinkSync(join(of.home, 'victim'), join(of.root, '.codegenie/context/CONTEXT_REPORT.md')),
    ],
    [
      'context/raw/beta.json',
      (of) => symlinkSync(join(of.home, 'victim'), join(of.root, '.codegenie/context/raw/beta.json')),
    ],
    [
      'context/raw/alpha',
      (of) => writeFileSync(join(of.root, '.codegenie/context/raw/alpha'), 'a file where a folder is due'),
    ],
    ['context/repo-context.yaml', (of) => mkdirSync(join(of.root, '.codegenie/context/repo-context.yaml'))],
    ['run/gather.lock', (of) => symlinkSync('/dev/zero', join(of.root, '.codegenie/run/gather.lock'))],
    ['run/gather.lock', (of) => mkdirSync(join(of.root, '.codegenie/run/gather.lock'))],
    ['run/gather.lock', (of) => void spawnSync('mkfifo', [join(of.root, '.codegenie/run/gather.lock')])],
  ];
  test.each(inTheWay)('G27 %s', async (path, plant) => {
    repo = twoFolders();
    repo.write('~/victim', 'mine');
    await repo.publish({}, { probes });
    spawnSync('rm', ['-rf', join(repo.root, '.codegenie', path)]);
    plant(repo);
    repo.write('a/one.txt', 'second');
    const before = contextFiles(repo);
    const outcome = await repo.gather({}, { probes });
    expect(outcome).toMatchObject({
      kind: 'refused',
      path: expect.stringContaining(join(repo.root, '.codegenie', path)),
    });
    expect(contextFiles(repo)).toEqual(before);
    expect(readFileSync(join(repo.home, 'victim'), 'utf8')).toBe('mine');
  });

  test('G27 a data dir that is a link, and a folder of it that is one', async () => {
    for (const path of ['.codegenie', '.codegenie/context', '.codegenie/run']) {
      repo?.dispose();
      repo = twoFolders();
      mkdirSync(join(repo.base, 'elsewhere'));
      if (path !== '.codegenie') mkdirSync(join(repo.root, '.codegenie'));
      symlinkSync(join(repo.base, 'elsewhere'), join(repo.root, path));
      const outcome = await repo.gather({}, { probes });
      expect({ path, kind: outcome.kind }).toEqual({ path, kind: 'refused' });
      expect(readdirSync(join(repo.base, 'elsewhere'))).toEqual([]);
    }
  });
});

function contextFiles(of: FixtureRepo): Record<string, string> {
  return Object.fromEntries(Object.entries(of.written()).filter(([path]) => path.startsWith('context/')));
}
