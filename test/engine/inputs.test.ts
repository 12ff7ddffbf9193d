/** Declared inputs (gather.md §3, §4.2): nothing else can be read, and what changes under a running gather is published, named, not cached. */

import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProbeDefinition } from '../../src/gather/contract.ts';
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
