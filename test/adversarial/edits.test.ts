/** Item 8: the key is over bytes. An edit changes it however it is disguised; a touch does not. Only readers of the file run again. */

import { lstatSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { cacheStates, publishUnharmed } from '../support/hostile.ts';

const path = '.github/workflows/ci.yml';
const before = 'on: push\njobs:\n  build:\n    runs-on: linux-a\n    steps: []\n';
const after = before.replace('linux-a', 'linux-b');

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({
    [path]: before,
    'package.json': '{"name":"x"}',
    'k8s/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n',
  });
});
afterEach(() => repo.dispose());

const runsOn = (envelope: unknown) => (envelope as { ci: { jobs: { runs_on: string[] }[] } }).ci.jobs[0]?.runs_on;

/** A later clock makes the fixture's files old enough for the hash memo, so that the memo is what the edit must get past. */
describe.each([
  ['without', 0],
  ['with', 60_000],
])('G8 %s a hash memo', (_, aheadMs) => {
  const settings = { nowMs: () => Date.now() + aheadMs };
  const gatherTwice = async (edit: () => void) => {
    const first = (await repo.publish({}, settings)).envelope;
    edit();
    const { envelope: second, executions } = await publishUnharmed(repo, {}, settings);
    const keyOf = (envelope: typeof first) => recordOf(envelope, 'ci').cache.key;
    return { second, executions, sameKey: keyOf(first) === keyOf(second) };
  };

  test('G8 an edit of the same length changes the key, and only the probes that read the file, or ask one that does, run again', async () => {
    const { second, executions, sameKey } = await gatherTwice(() => repo.write(path, after));
    expect(sameKey).toBe(false);
    expect(runsOn(second)).toEqual(['linux-b']);
    const states = cacheStates(second);
    const executionOf = (name: string) => executions.find((execution) => execution.probe.name === name);
    const readsIt = (name: string) => executionOf(name)?.snapshot?.inputs.get(path)?.kind === 'file';
    /** What is projected of them may have changed. */
    const asksOne = (name: string) =>
      (executionOf(name)?.probe.requires ?? []).some((one) => readsIt(typeof one === 'string' ? one : one.probe));
    const missed = Object.keys(states).filter((name) => states[name] === 'miss');
    expect(missed).toEqual(expect.arrayContaining(Object.keys(states).filter(readsIt)));
    expect(missed.filter((name) => !readsIt(name) && !asksOne(name))).toEqual([]);
    expect(states).toMatchObject({ ci: 'miss', language_detection: 'hit', licence: 'hit' });
  });

  test('G8 an edit of the same length with its time restored changes the key', async () => {
    const file = join(repo.root, path);
    // A whole second, so that the time can be restored to the nanosecond.
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const { second, sameKey } = await gatherTwice(() => {
      const { mtimeNs, size } = lstatSync(file, { bigint: true });
      writeFileSync(file, after);
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      expect(lstatSync(file, { bigint: true })).toMatchObject({ mtimeNs, size });
    });
    expect(sameKey).toBe(false);
    expect(runsOn(second)).toEqual(['linux-b']);
  });

  test('G8 a touch without an edit keeps the key: everything is replayed', async () => {
    const { second, sameKey } = await gatherTwice(() => utimesSync(join(repo.root, path), 1_000_000, 1_000_000));
    expect(sameKey).toBe(true);
    expect(new Set(Object.values(cacheStates(second)))).toEqual(new Set(['hit']));
  });

  test('G8 an edit that is taken back hits the first entry again', async () => {
    await gatherTwice(() => repo.write(path, after));
    repo.write(path, before);
    const third = (await repo.publish({}, settings)).envelope;
    expect(recordOf(third, 'ci').cache.state).toBe('hit');
    expect(runsOn(third)).toEqual(['linux-a']);
  });

  test('G8 a file that appears or vanishes changes the key of those that look for it', async () => {
    await repo.publish({}, settings);
    repo.write('.gitlab-ci.yml', 'build: {script: [make]}\n');
    const more = (await repo.publish({}, settings)).envelope;
    expect(recordOf(more, 'ci')).toMatchObject({ cache: { state: 'miss' }, warnings: ['ci.multi_provider'] });
    repo.git('rm', '-q', '-f', '--cached', path);
    rmSync(join(repo.root, path));
    expect((await repo.publish({}, settings)).envelope['ci']).toMatchObject({ provider: 'gitlab_ci' });
  });
});
