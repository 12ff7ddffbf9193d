import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { identityOf } from '../../src/index/sync/index-session.ts';
import { createReaderPool, type ReaderPool } from '../../src/index/view/pinned-view.ts';
import type { EarlyReads, OpenedCore } from '../../src/serve/daemon/daemon-core.ts';
import { createKeeper } from '../../src/serve/daemon/daemon-lifetime.ts';
import { answerEarly } from '../../src/serve/daemon/verify-then-answer.ts';
import type { Operation } from '../../src/serve/operations/operation.ts';
import search from '../../src/serve/operations/search.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { cacheDirOf, createDaemonRepo, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

const waiting = { timeout: 300_000, interval: 200 };

describe('a store that was not compared with the disk yet', () => {
  let repo: FixtureRepo;
  let readers: ReaderPool;
  beforeEach(async () => {
    repo = createDaemonRepo();
    const daemon = await startTestDaemon(repo, { largeTreeFiles: 1 });
    // Until they were hashed long enough after they were written, stats are not believed.
    await vi.waitFor(async () => {
      await daemon.post('/v1/index', {});
      const { json } = await daemon.post('/v1/search', { query: 'Square' });
      expect(json).toMatchObject({ freshness: { state: 'unverified' } });
    }, waiting);
    await daemon.stop();
    readers = createReaderPool(identityOf({ root: repo.root, cacheDir: cacheDirOf(repo), extraExtensions: new Map() }));
  });
  afterEach(() => {
    readers.close();
    repo.dispose();
  });

  const ask = <I, O extends object>(operation: Operation<I, O>, input: I, largeTreeFiles = 1) => {
    const identity = { pid: 1, started: '', nonce: 'n', socket: null };
    const world = {
      root: repo.root,
      signal: new AbortController().signal,
      nowMs: Date.now,
      largeTreeFiles,
      mayAsk: true,
    };
    return answerEarly({ operation, input, ...world }, { readers, identity, generation: () => 1 });
  };

  test('P1 answers what it finds as it is on disk, and says that nothing else was compared', async () => {
    expect(await ask(search, { query: 'Square' })).toMatchObject({
      kind: 'answered',
      answer: {
        repo: { head: null },
        freshness: { state: 'unverified', watch: 'off' },
        files: [{ path: 'src/shape.ts' }],
        count: { value: 1, relation: 'gte' },
      },
    });
  });

  test('P1 answers nothing from a file that has changed, and nothing where it finds nothing', async () => {
    expect(await ask(search, { query: 'nowhere' })).toBeUndefined();
    writeFileSync(join(repo.root, 'src/shape.ts'), 'export class Square {}\n');
    expect(await ask(search, { query: 'Square' })).toBeUndefined();
  });

  test('leaves what needs compiler facts, and smaller trees, to who compares everything', async () => {
    expect(await ask(symbols, { query: 'Square' })).toBeUndefined();
    expect(await ask(search, { query: 'Square' }, 1_000)).toBeUndefined();
  });
});

test('what can be read while a core is opened is given for the configuration it is opened with, and no longer', async () => {
  const reads = {} as EarlyReads;
  const opening = Promise.withResolvers<OpenedCore>();
  const keeper = createKeeper(async (onReads) => {
    onReads(reads, 'this');
    return { opened: await opening.promise, fits: 'this' };
  });
  expect(keeper.peekEarly('this')).toBe(reads);
  expect(keeper.peekEarly('other')).toBeUndefined();
  opening.resolve({ kind: 'busy', message: 'not now' });
  await keeper.current();
  expect(keeper.peekEarly('this')).toBeUndefined();
});
