/** Declared inputs (gather.md §3, §4.2): nothing else can be read, and what changes under a running gather is published, named, not cached. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProbeDefinition } from '../../src/gather/contract.ts';
import languageDetection from '../../src/probes/language-detection/language-detection.ts';
import ripgrepCurated from '../../src/probes/ripgrep-curated/ripgrep-curated.ts';
import scipIndex from '../../src/probes/scip-index/scip-index.ts';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { cacheStates } from '../support/hostile.ts';

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({ 'a.txt': 'one\n', 'b.txt': 'other\n', 'sub/c.txt': 'three\n' });
});
afterEach(() => repo.dispose());

const reader = (run: ProbeDefinition['run'], more: Partial<ProbeDefinition> = {}) => ({
  probes: [makeProbe('reader', run, { declaredInputs: ['a.txt'], ...more })],
});

test.each([
  ['a file of the repository', 'b.txt'],
  ['a file outside', '../home/x'],
  ['an absolute path', '/etc/passwd'],
  ['our own data', '.codegenie/config.yaml'],
  ['git’s data', '.git/config'],
])('reading %s that is not declared is a failure of the probe', async (_, id) => {
  for (const method of ['read', 'readHead'] as const) {
    const settings = reader(async (given) => {
      await given.inputs[method](id, 100);
      return rows('reader', []);
    });
    const outcome = await repo.gather({}, settings);
    if (outcome.kind !== 'nothing_produced') throw new Error(outcome.kind);
    expect(outcome.executions[0]).toMatchObject({ status: 'failed', errors: ['probe.threw'] });
    expect(outcome.executions[0]?.diagnostics[0]?.detail).toContain('not among its declared inputs');
  }
});

test('an input declared by name is listed and cannot be read', async () => {
  const listed: (readonly string[])[] = [];
  const settings = reader(
    async (given) => {
      listed.push(given.inputs.list());
      await given.inputs.read('a.txt', 100);
      return rows('reader', []);
    },
    { declaredInputs: ['names:*.txt'] },
  );
  expect((await repo.gather({}, settings)).kind).toBe('nothing_produced');
  expect(listed).toEqual([['a.txt', 'b.txt']]);
});

describe('an input that changes while the gather runs', () => {
  const content = async (given: Parameters<ProbeDefinition['run']>[0], id: string, method: 'read' | 'readHead') => {
    const outcome = await given.inputs[method](id, 100);
    return outcome.kind === 'read' ? Buffer.from(outcome.bytes).toString() : outcome.kind;
  };
  const changes: Record<string, () => void> = {
    'is edited': () => repo.write('sub/c.txt', 'THREE\n'),
    'is removed': () => rmSync(join(repo.root, 'sub/c.txt')),
    'becomes a link': () => {
      rmSync(join(repo.root, 'sub/c.txt'));
      symlinkSync('../a.txt', join(repo.root, 'sub/c.txt'));
    },
    'grows over the cap': () => repo.write('sub/c.txt', 'x'.repeat(1000)),
  };
  const cases = Object.keys(changes).flatMap((what) =>
    (['read', 'readHead'] as const).map((method) => [what, method] as const),
  );

  test.each(cases)('%s (%s): the output is published with `input.changed` and is not cached', async (what, method) => {
    const settings = (change: () => void) =>
      reader(
        async (given) => {
          change();
          return rows('reader', [{ path: 'sub/c.txt', text: await content(given, 'sub/c.txt', method) }]);
        },
        { declaredInputs: ['sub/*.txt'] },
      );
    const { envelope } = await repo.publish({}, settings(changes[what] ?? (() => {})));
    const record = recordOf(envelope, 'reader');
    expect(record).toMatchObject({ status: 'ok', diagnostics: [{ id: 'input.changed', path: 'sub/c.txt' }] });
    // The disk is as the first gather found it: what it stored under that key would be replayed now.
    rmSync(join(repo.root, 'sub/c.txt'), { force: true });
    repo.write('sub/c.txt', 'three\n');
    const again = (
      await repo.publish(
        {},
        settings(() => {}),
      )
    ).envelope;
    expect(recordOf(again, 'reader').cache).toMatchObject({ state: 'miss', key: record.cache.key });
    expect(again['reader']).toEqual({ rows: [{ path: 'sub/c.txt', text: 'three\n' }] });
  });

  test.each(['read', 'readHead'] as const)(
    'a file over the cap that stays as it is has not changed (%s)',
    async (method) => {
      repo.write('sub/c.txt', 'x'.repeat(1000));
      const settings = reader(
        async (given) => rows('reader', [{ path: 'c', text: await content(given, 'sub/c.txt', method) }]),
        { declaredInputs: ['sub/*.txt'] },
      );
      const { envelope } = await repo.publish({}, settings);
      expect(recordOf(envelope, 'reader').diagnostics).toEqual([]);
      expect(cacheStates((await repo.publish({}, settings)).envelope)).toEqual({ reader: 'hit' });
    },
  );
});

test('an input that another input names is in the key as soon as it is named', async () => {
  const settings = reader(
    async (given) => {
      const outcome = await given.inputs.read('b.txt', 100);
      return rows('reader', [{ path: 'b.txt', text: outcome.kind }]);
    },
    { deriveInputs: async () => ['b.txt'] },
  );
  await repo.publish({}, settings);
  expect(cacheStates((await repo.publish({}, settings)).envelope)).toEqual({ reader: 'hit' });
  repo.write('b.txt', 'OTHER\n');
  expect(cacheStates((await repo.publish({}, settings)).envelope)).toEqual({ reader: 'miss' });
});

describe('G8 the programs that an answer comes from are in its key', () => {
  test('another version of one is another key, and the version of before is found again', async () => {
    const toolOf = (version: string) => {
      const folder = join(repo.base, `rg-${version}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'rg'), `#!/bin/sh\necho "ripgrep ${version}"\n`, { mode: 0o755 });
      return { PATH: `${folder}:${process.env['PATH']}` };
    };
    const [older, newer] = [toolOf('14.0.0'), toolOf('14.0.1')];
    const { probes } = reader(async () => rows('reader', []), { tools: ['rg'] });
    const gather = async (environment: { readonly PATH: string }) =>
      cacheStates((await repo.publish({}, { probes, environment })).envelope)['reader'];
    expect(await gather(older)).toBe('miss');
    expect(await gather(older)).toBe('hit');
    expect(await gather(newer)).toBe('miss');
    expect(await gather(older)).toBe('hit');
  });

  const undeclared: Record<string, (ctx: Parameters<ProbeDefinition['run']>[1]) => Promise<unknown>> = {
    'is started': (ctx) => ctx.exec.runAllowlisted(['node', '-p', '1'], { cwd: '/', timeoutS: 60 }),
    'is started in the sandbox': (ctx) => ctx.exec.runExternalCli(['rg', 'x'], { cwd: '/', timeoutS: 60 }),
    'is asked for its version': (ctx) => ctx.exec.toolVersion('tsgo'),
  };
  test.each(Object.entries(undeclared))('one that is not declared and %s is a failure of the probe', async (_, use) => {
    const settings = reader(async (_given, ctx) => {
      await use(ctx);
      return rows('reader', []);
    });
    const outcome = await repo.gather({}, settings);
    if (outcome.kind !== 'nothing_produced') throw new Error(outcome.kind);
    expect(outcome.executions[0]?.diagnostics[0]?.detail).toContain('not among its declared tools');
  });
});

describe('G43 a program that reads the disk by itself', () => {
  const run = async (ctx: Parameters<ProbeDefinition['run']>[1], root: string) => {
    const ended = await ctx.exec.runAllowlisted(['node', '-p', '1'], { cwd: root, timeoutS: 60 });
    expect(ended).toMatchObject({ kind: 'exited', code: 0 });
  };
  const programs = (meanwhile: () => void) =>
    reader(
      async (given, ctx) => {
        await run(ctx, given.root);
        meanwhile();
        return rows('reader', []);
      },
      { declaredInputs: ['sub/*.txt'], tools: ['node'] },
    );
  const statesOf = async (meanwhile: () => void) => cacheStates((await repo.publish({}, programs(meanwhile))).envelope);
  const edits: Record<string, () => void> = {
    'is edited': () => repo.write('sub/c.txt', 'THREE\n'),
    'is edited and put back': () => {
      repo.write('sub/c.txt', 'THREE\n');
      repo.write('sub/c.txt', 'three\n');
    },
    'is removed': () => rmSync(join(repo.root, 'sub/c.txt')),
    comes: () => repo.write('sub/new.txt', 'new\n'),
  };

  test.each(Object.keys(edits))('G43 while an input %s: told, and not cached', async (what) => {
    const edited = await repo.publish({}, programs(edits[what] as () => void));
    const path = what === 'comes' ? 'sub/new.txt' : 'sub/c.txt';
    expect(recordOf(edited.envelope, 'reader').diagnostics).toEqual([{ id: 'input.changed', path }]);
    repo.git('checkout', '-q', '.');
    rmSync(join(repo.root, 'sub/new.txt'), { force: true });
    expect(await statesOf(() => {})).toEqual({ reader: 'miss' });
    expect(await statesOf(() => {})).toEqual({ reader: 'hit' });
  });

  test('G43 what is no input may change', async () => {
    await repo.publish(
      {},
      programs(() => repo.write('b.txt', 'changed\n')),
    );
    expect(await statesOf(() => {})).toEqual({ reader: 'hit' });
  });

  test('G43 the real indexer and a real scanner', async () => {
    repo.write('src/a.ts', 'export const a = 1;\n');
    repo.commit();
    const watched = (meanwhile: () => void) => ({
      probes: [languageDetection, scipIndex, ripgrepCurated].map((probe) => ({
        ...probe,
        run: async (...given: Parameters<typeof probe.run>) => {
          const output = await probe.run(...given);
          if (probe !== languageDetection) meanwhile();
          return output;
        },
      })),
    });
    const edited = await repo.publish(
      {},
      watched(() => repo.write('src/a.ts', 'export const a = 2;\n')),
    );
    for (const name of ['scip_index', 'ripgrep_curated'])
      expect(recordOf(edited.envelope, name).diagnostics).toContainEqual({ id: 'input.changed', path: 'src/a.ts' });
    repo.git('checkout', '-q', '.');
    const again = await repo.publish(
      {},
      watched(() => {}),
    );
    const states = cacheStates(again.envelope);
    expect(states).toMatchObject({ scip_index: 'miss', ripgrep_curated: 'miss' });
  });
});

test('G45 an answer that a program had no time for is told as such, and not cached', async () => {
  const settings = (timeoutS: number) =>
    reader(
      async (given, ctx) => {
        const script = 'setTimeout(() => {}, 600_000)';
        const argv = timeoutS < 1 ? ['node', '-e', script] : ['node', '-p', '1'];
        const ended = await ctx.exec.runAllowlisted(argv, { cwd: given.root, timeoutS });
        return rows('reader', [{ path: 'a.txt', text: ended.kind }]);
      },
      { tools: ['node'] },
    );
  const late = await repo.publish({}, settings(0.2));
  expect(recordOf(late.envelope, 'reader').diagnostics).toEqual([
    { id: 'probe.out_of_time', detail: 'node was ended' },
  ]);
  const again = await repo.publish({}, settings(60));
  expect(cacheStates(again.envelope)).toEqual({ reader: 'miss' });
  expect(again.envelope['reader']).toMatchObject({ rows: [{ text: 'exited' }] });
});
