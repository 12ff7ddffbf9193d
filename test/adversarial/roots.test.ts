/** Item 1: a root that is missing, a file, or a link to a directory elsewhere; and data dirs that are not ours to write in. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { argumentsOfCommands } from '../support/every-command.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { everythingElse, readContext } from '../support/hostile.ts';
import { runCli } from '../support/run-cli.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const run = (argv: readonly string[], cwd: string) => runCli(argv, { cwd, home: repo.home });

test.each([
  ['a path that is missing', 'gone', 'does not exist'],
  ['a path below a file', 'repo/a.ts/deeper', 'is not a directory'],
  ['a file', 'repo/a.ts', 'is not a directory'],
  ['a dangling link', 'dangling', 'does not exist'],
])('G1 gather of %s says so, exits 2 and writes nothing', async (_, path, message) => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  symlinkSync(join(repo.base, 'nowhere'), join(repo.base, 'dangling'));
  const before = everythingElse(repo);
  const ended = await run(['gather', join(repo.base, path)], repo.base);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(message);
  expect(ended.stdout).toBe('');
  expect(everythingElse(repo)).toEqual(before);
  expect(existsSync(join(repo.root, '.codegenie'))).toBe(false);
});

test('G1 a link that leads in a circle is unreadable, not a crash', async () => {
  repo = createFixtureRepo({});
  symlinkSync('loop', join(repo.base, 'loop'));
  const ended = await run(['gather', join(repo.base, 'loop')], repo.base);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('ELOOP');
});

test('G1 with --json the refusal is one document on stdout', async () => {
  repo = createFixtureRepo({});
  const ended = await run(['--json', 'gather', join(repo.base, 'gone')], repo.base);
  expect(ended.code).toBe(2);
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'usage' });
  expect(ended.stderr).toBe('');
});

test('G1 a link to a directory elsewhere means that directory: its real path is the root, the link stays a link', async () => {
  repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
  const link = join(repo.base, 'link');
  symlinkSync(repo.root, link);
  const ended = await run(['gather', link, '--only', 'language_detection'], repo.base);
  expect(ended.code).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readContext(repo)).toContain('root: repo');
  expect(readdirSync(repo.base).sort()).toEqual(['home', 'link', 'repo']);
});

describe('G1 a data dir that is a link or a file is refused, exit 5, before anything is written through it', () => {
  const places = [
    '.codegenie',
    '.codegenie/run',
    '.codegenie/context',
    '.codegenie/context/raw',
    '.codegenie/context/runs',
  ];
  test.each(places)('G1 %s as a link to a directory elsewhere', async (place) => {
    repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
    mkdirSync(join(repo.base, 'elsewhere'));
    mkdirSync(join(repo.root, place, '..'), { recursive: true });
    symlinkSync(join(repo.base, 'elsewhere'), join(repo.root, place));
    const ended = await run(['gather', repo.root], repo.base);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain(`${join(repo.root, place)}: it is a symbolic link`);
    expect(readdirSync(join(repo.base, 'elsewhere'))).toEqual([]);
  });
  test.each(places)('G1 %s as a file', async (place) => {
    repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
    mkdirSync(join(repo.root, place, '..'), { recursive: true });
    writeFileSync(join(repo.root, place), 'mine\n');
    const ended = await run(['gather', repo.root], repo.base);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain('it is not a directory');
  });
});

test.each(['repo-context.yaml', 'CONTEXT_REPORT.md', 'schema-version.txt', 'raw/index_health.json'])(
  'G1 context/%s as a link is refused, its target and the last good context untouched',
  async (name) => {
    repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
    await repo.publish();
    const written = repo.written();
    const target = join(repo.base, 'target.txt');
    writeFileSync(target, 'precious\n');
    const path = join(repo.root, '.codegenie/context', name);
    rmSync(path, { force: true });
    symlinkSync(target, path);
    repo.write('src/b.ts', '2;\n');
    expect(await repo.gather()).toMatchObject({ kind: 'refused', path });
    expect(readFileSync(target, 'utf8')).toBe('precious\n');
    for (const other of ['repo-context.yaml', 'CONTEXT_REPORT.html'].filter((each) => each !== name)) {
      expect(repo.written()[`context/${other}`]).toBe(written[`context/${other}`]);
    }
  },
);

describe('P9 where the directories of the user are refused, every command says which and why, and none calls it a bug', () => {
  const asked = Object.entries({ ...argumentsOfCommands({ file: 'a.ts', odd: 'odd' }), clean: [] });
  test.each(asked.filter(([, args]) => args !== null))('%s', async (name, args) => {
    repo = createFixtureRepo({ 'a.ts': 'export const a = 1;\n' });
    const inside = join(repo.root, 'state');
    for (const given of [[], ['--json']]) {
      const ended = await runCli([...given, ...name.split(' '), ...(args ?? [])], {
        cwd: repo.root,
        home: repo.home,
        environment: { CODEGENIE_STATE_DIR: inside },
      });
      expect(ended.code, ended.stdout + ended.stderr).not.toBe(1);
      expect(ended.stdout + ended.stderr).not.toMatch(/a bug|OutputRefused/);
      if (ended.code === 5) expect(ended.stdout + ended.stderr).toContain('CODEGENIE_STATE_DIR lies inside');
      if (ended.code === 5 && given.length > 0)
        expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'output_refused' });
    }
    expect(existsSync(inside)).toBe(false);
  });
});
