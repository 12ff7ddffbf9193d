/** The commands, with real probes: what a fleet tells of a repository is what `gather` tells of it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { createFleetRig, type FleetRig } from './fleet-rig.ts';

let rig: FleetRig;
beforeEach(() => {
  rig = createFleetRig();
});
afterEach(() => rig.dispose());

const ask = async (...argv: string[]) => {
  const environment = { CODEGENIE_STATE_DIR: join(rig.place, 'state') };
  const ended = await runCli([...argv, '--json'], { cwd: rig.place, home: rig.home, environment });
  return { ...ended, answer: JSON.parse(ended.stdout) as Record<string, never> };
};
const say = async (...argv: string[]) => {
  const environment = { CODEGENIE_STATE_DIR: join(rig.place, 'state') };
  return runCli(argv, { cwd: rig.place, home: rig.home, environment });
};

function write(name: string, path: string, text: string): void {
  const file = join(rig.place, 'sources', name, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

describe('codegenie fleet', () => {
  test('N9 N12 gathers two repositories, answers like `gather` on each alone, and names a third that failed', async () => {
    const paths = ['one', 'two', 'lost'].map((name) => rig.repository(name, 'x'));
    write('one', 'package.json', '{"name":"one","engines":{"node":">=18"},"scripts":{"test":"node --test"}}');
    write('one', 'Dockerfile', 'FROM node:18\nUSER root\nCMD ["node","a.js"]\n');
    write('one', 'a.js', 'console.log(1)\n');
    write('two', 'package.json', '{"name":"two","engines":{"node":">=22"}}');
    write('two', 'packages/web/package.json', '{"name":"web","main":"a.js"}');
    write('two', 'packages/web/a.js', 'module.exports = 1;\n');
    for (const name of ['one', 'two']) rig.change(name, 'y');
    const clone = (name: string) => {
      execFileSync('git', ['clone', '-q', join(rig.place, 'sources', name), join(rig.place, 'alone', name)]);
      return join(rig.place, 'alone', name);
    };

    expect((await say('fleet', 'status')).stderr).toContain('codegenie fleet init');
    expect((await ask('fleet', 'init')).answer).toMatchObject({ outcome: 'ok', made: true });
    expect((await ask('fleet', 'add', 'sources', 'https://u:geheim@h/x')).answer).toEqual({
      outcome: 'incomplete',
      added: paths.toSorted(),
      known: 0,
      refused: [{ given: 'https://…@h/x', why: expect.stringContaining('credentials come from the environment') }],
    });
    execFileSync('rm', ['-r', join(rig.place, 'sources/lost')]);
    const run = await ask('fleet', 'run');
    expect([run.code, run.answer]).toMatchObject([
      0,
      { published: 2, failed: 1, unknown: 1, unknown_names: [{ reason: 'not_found' }] },
    ]);
    expect((await ask('fleet', 'run', '--strict')).code).toBe(4);

    const all = await ask(
      'fleet',
      'query',
      'select repo, id, scope, state, value, confidence, evidence from facts order by 1, 2, 3',
    );
    for (const name of ['one', 'two']) {
      const root = clone(name);
      expect((await ask('gather', root, '--skip', 'image_build,runtime_trace')).code).toBe(0);
      const alone = (await ask('-C', root, 'facts', '*', '--no-gather')).answer['facts'] as unknown as Record<
        string,
        unknown
      >[];
      const rows = (all.answer['rows'] as unknown as (string | null)[][]).filter(([repo]) =>
        repo?.endsWith(`/${name}`),
      );
      const asText = (value: unknown) => (value === null || typeof value === 'string' ? value : JSON.stringify(value));
      expect(rows.map((row) => row.slice(1))).toEqual(
        alone.map(({ id, scope, state, value, confidence, evidence }) => [
          id,
          scope,
          state,
          asText(value),
          confidence,
          JSON.stringify(evidence),
        ]),
      );
      expect(rows.length).toBeGreaterThan(10);
    }

    expect((await ask('fleet', 'facts', 'runtime.pin', '--where', '>=18')).answer).toMatchObject({
      value: 1,
      relation: 'gte',
      of: 3,
      unknown: 1,
      behind: 0,
    });
    expect((await ask('fleet', 'facts', 'runtime.pin', '--without', '>=18')).answer).toMatchObject({
      value: 1,
      relation: 'partial',
    });
    expect((await say('fleet', 'facts', 'runtime.pin')).stdout).toMatch(
      /^≥ 2 of 3 repositories have runtime\.pin\n.*unknown 1\n {2}\/.*\/lost · not found\n/s,
    );
    expect((await say('fleet', 'facts', 'runtime.pim')).stderr).toContain('did you mean runtime.pin');
    expect((await ask('fleet', 'query', 'select 1', '--ids', 'runtime.pin')).answer).toMatchObject({
      relation: 'partial',
      rows: [[1]],
    });
    expect((await ask('fleet', 'remove', 'lost')).code).toBe(0);
    expect((await ask('fleet', 'facts', 'runtime.pin')).answer).toMatchObject({ value: 2, relation: 'eq', unknown: 0 });
    expect(
      (await ask('fleet', 'query', "select count(*) from facts where id = 'runtime.pin'", '--ids', 'runtime.pin'))
        .answer,
    ).toMatchObject({ relation: 'eq' });
    expect((await ask('fleet', 'query', 'delete from facts')).code).toBe(2);
    expect((await say('fleet', 'status')).stdout).toMatch(/repositories 2\nfresh +2\nbehind +0\nunknown +0\n/);
  });

  test('N12 tells what changed since a moment, and prints all of it a line each', async () => {
    rig.repository('one', 'x');
    write('one', 'package.json', '{"name":"one","engines":{"node":">=18"}}');
    rig.change('one', 'y');
    const { repository } = { repository: join(rig.place, 'sources/one') };
    await ask('fleet', 'init', '--look-every', '0');
    await ask('fleet', 'add', repository);
    await ask('fleet', 'run');
    const between = new Date(Date.now() + 1).toISOString();
    expect((await ask('fleet', 'diff', '--since', between)).answer).toMatchObject({
      value: 0,
      relation: 'eq',
      unknown: 0,
    });
    expect((await ask('fleet', 'diff')).answer).toMatchObject({
      value: 0,
      relation: 'gte',
      unknown_names: [{ reason: 'not_gathered_then' }],
    });
    write('one', 'package.json', '{"name":"one","engines":{"node":">=22"}}');
    rig.change('one', 'z');
    await ask('fleet', 'run');
    const differs = await ask('fleet', 'diff', '--since', between);
    expect(differs.answer).toMatchObject({ value: 1, relation: 'eq', repositories: [{ name: repository }] });
    expect((await say('fleet', 'diff', '--since', between)).stdout).toContain('runtime.pin: >=18 → >=22');
    expect((await say('fleet', 'diff', '--since', 'yesterday')).code).toBe(2);
    const lines = (await say('fleet', 'export')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ kind: 'fleet', value: 1 });
    expect(lines[1]).toMatchObject({ kind: 'repository', name: repository, state: 'fresh' });
    expect(lines.find(({ kind, id, scope }) => kind === 'fact' && id === 'runtime.pin' && scope === '.')).toMatchObject(
      { repo: repository, value: '>=22' },
    );
  });
});
