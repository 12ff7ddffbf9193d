/** A daemon whose import has the store until the test lets it commit: questions meanwhile are answered. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import def from '../../src/serve/operations/def.ts';
import index from '../../src/serve/operations/index.ts';
import type { Operation } from '../../src/serve/operations/operation.ts';
import outline from '../../src/serve/operations/outline.ts';
import refs from '../../src/serve/operations/refs.ts';
import search from '../../src/serve/operations/search.ts';
import status from '../../src/serve/operations/status.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import type { AskOptions } from '../../src/serve/workspace/workspace.ts';
import { createDaemonRepo, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { goOn, troubledWorker, whenHeld } from '../support/import-threads.ts';

const withIndexers = { refresh: { waitMs: null } } as const;
let repo: FixtureRepo;
let place: string;
let daemon: RunningDaemon;
let indexing: Promise<unknown>;
let isIndexed: boolean;

async function answer<I, O extends object>(operation: Operation<I, O>, input: I, more: Partial<AskOptions> = {}) {
  const outcome = await daemon.workspace().ask(operation, input, { onProgress: () => {}, waitMs: 100_000, ...more });
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer;
}

beforeEach(async () => {
  repo = createDaemonRepo();
  place = mkdtempSync(join(tmpdir(), 'codegenie-importing-'));
  const importThreads = { fromBytes: 0, workerUrl: troubledWorker({ at: 'commit', does: 'hold' }, place) };
  daemon = await startTestDaemon(repo, { importThreads });
  isIndexed = false;
  indexing = answer(index, {}, withIndexers).finally(() => {
    isIndexed = true;
  });
  indexing.catch(() => {});
  await whenHeld(place);
});
afterEach(async () => {
  goOn(place);
  await daemon.stop();
  repo.dispose();
  rmSync(place, { recursive: true });
});

test('P1 every question is answered from the last generation, compared with the disk of now', async () => {
  const first = await answer(status, {});
  const answers = await Promise.all([
    answer(search, { query: 'Square' }),
    answer(symbols, { query: 'add' }),
    answer(refs, { target: 'src/math.ts:1:17' }),
    answer(def, { target: 'src/shape.ts:4:27' }),
    answer(outline, { path: 'src/math.ts' }),
    answer(status, {}),
  ]);
  for (const { repo: one, freshness } of answers) {
    expect(one).toEqual(first.repo);
    // What part is missing is told with every answer.
    expect(freshness).toMatchObject({
      state: 'clean',
      files: [],
      missing: { files: expect.any(Number), under_way: true },
    });
  }
  expect(answers[0].count).toMatchObject({ value: 1, relation: 'eq' });
  expect(first.certainty.resolved).toBe(0);
  expect(isIndexed).toBe(false);
  goOn(place);
  await indexing;
  const later = await answer(status, {});
  expect(later.repo.generation).toBeGreaterThan(first.repo.generation ?? 0);
  expect(later.certainty.resolved).toBe(3);
  expect((await answer(refs, { target: 'src/math.ts:1:17' })).count).toMatchObject({ value: 4, relation: 'eq' });
});

test('P1 T1 R1 what is saved meanwhile is found and named, and afterwards it is indexed', async () => {
  repo.write('src/other.ts', 'export class Other { area(): number { return 4711; } }\n');
  repo.write('src/new.ts', 'export const lateName = 1;\n');
  const found = await answer(search, { query: '4711' });
  expect(found.files).toMatchObject([{ path: 'src/other.ts' }]);
  expect(found.freshness).toMatchObject({
    state: 'dirty',
    files: [
      { path: 'src/new.ts', state: 'added' },
      { path: 'src/other.ts', state: 'changed' },
    ],
  });
  expect(isIndexed).toBe(false);
  goOn(place);
  await indexing;
  expect(await answer(symbols, { query: 'lateName' })).toMatchObject({
    freshness: { state: 'clean' },
    count: { value: 1, relation: 'eq' },
  });
  await answer(index, {}, withIndexers);
  expect((await answer(status, {})).certainty.resolved).toBe(4);
});

test('T7 a configuration that is edited meanwhile leaves nothing that is called clean', async () => {
  const options = { strict: false, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] };
  repo.write('tsconfig.json', JSON.stringify({ compilerOptions: options }));
  const found = await answer(status, {});
  expect(found.freshness.files).toEqual([{ path: 'tsconfig.json', state: 'changed' }]);
  expect(found.certainty.resolved).toBe(0);
  expect(isIndexed).toBe(false);
  goOn(place);
  await indexing;
  await answer(index, {}, withIndexers);
  expect((await answer(status, {})).certainty.resolved).toBe(3);
});

test('R10 R27 a daemon that is told to end lets go of the store, and the next one can go on', async () => {
  const stopping = daemon.stop();
  goOn(place);
  await stopping;
  daemon = await startTestDaemon(repo);
  await answer(index, {}, withIndexers);
  expect((await answer(refs, { target: 'src/math.ts:1:17' })).count).toMatchObject({ value: 4, relation: 'eq' });
});
