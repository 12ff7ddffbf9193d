/** The program as a person starts it: the real launcher, real processes, exit codes and every line that is printed. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { olderNode } from '../support/older-node.ts';
import { quickPath } from '../support/tools.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const entry = join(project, 'bin/codegenie.mjs');

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({
    'package.json': JSON.stringify({
      name: 'shop',
      version: '1.0.0',
      scripts: { test: 'vitest run' },
      devDependencies: { vitest: '^3.0.0' },
    }),
    'src/index.ts': 'export const a = 1;\n',
    'src/index.test.ts': "import { test } from 'vitest';\ntest('a', () => {});\n",
    CODEOWNERS: '* @org/shop\n',
    'docs/adr/0001-first.md': '# 1. First\n\n## Status\n\nAccepted\n',
  });
});
afterEach(() => repo.dispose());

function run(
  args: readonly string[],
  options: { readonly node?: string; readonly cwd?: string; readonly entry?: string } = {},
) {
  const outcome = spawnSync(options.node ?? process.execPath, [options.entry ?? entry, ...args], {
    cwd: options.cwd ?? repo.root,
    encoding: 'utf8',
    env: { PATH: quickPath(), HOME: repo.home },
  });
  return { code: outcome.status, stdout: outcome.stdout, stderr: outcome.stderr };
}

test('gather writes the context and says so, line by line', () => {
  const { code, stdout, stderr } = run(['gather', '.']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\S+ \([0-9a-f]{8} on main\)\n\nwhat {6}TypeScript · npm\n/);
  expect(stdout).toMatch(/^test {6}npm run test · vitest, 1 file, 1 case$/m);
  expect(stdout).toContain('report .codegenie/context/CONTEXT_REPORT.md');
  expect(stdout).not.toMatch(/\bpartial\b|\blow\b|secrets_redacted_count/);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(31);
  expect(stderr).toBe('');
  const context = parse(readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8')) as Record<
    string,
    never
  >;
  expect(context).toMatchObject({
    gather_status: 'complete',
    language_stack: { primary: 'typescript' },
    test_inventory: { framework: 'vitest', test_case_count: { value: 1, relation: 'eq' } },
    ownership: { entries: [{ pattern: '*', owners: ['@org/shop'] }] },
  });
  expect(readFileSync(join(repo.root, '.codegenie/context/schema-version.txt'), 'utf8')).toBe('1.2.0\n');
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('a gather of some probes does not say that there is no code where none of them looked for it', () => {
  const { code, stdout } = run(['gather', '.', '--only', 'ownership']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^what {6}\d files \(.*2 typescript/m);
  expect(stdout).not.toContain('no source code');
});

test.each([
  ['nothing', {}, 'no files'],
  ['prose', { 'README.md': '# A\n', 'notes/b.txt': 'text\n' }, 'no source code: 2 files (1 markdown)'],
  ['binaries', { 'a.bin': new Uint8Array([0, 255, 1, 2]) }, 'no source code: 1 file'],
] as const)('a repository with %s has a short screen that is true', (_, files, what) => {
  const bare = createFixtureRepo(files);
  try {
    const { code, stdout, stderr } = run(['gather', '.'], { cwd: bare.root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(rows.slice(1).map((line) => line.slice(0, 10).trim())).toEqual(
      expect.not.arrayContaining(['install', 'build', 'test', 'run', 'deploy', 'risky']),
    );
    expect(rows[1]).toBe(`what      ${what}`);
    expect(stdout).not.toMatch(/none found|degraded|failed/);
  } finally {
    bare.dispose();
  }
});

test('--strict judges by what the task requires: a tool that it does not ask for is no matter, one that it asks for is', () => {
  repo.write('~/.codegenie/config.yaml', 'tools.semgrep.path: /nowhere/semgrep\n');
  repo.write(
    '~/.codegenie/task-classes/hunt.yaml',
    'schema_version: "1"\ntask_class: hunt\nrequired_probes: [semgrep]\n',
  );
  expect(run(['gather', '.', '--strict', '--json']).code).toBe(0);
  const hunt = run(['gather', '.', '--strict', '--task', 'hunt', '--json']);
  expect(hunt.code).toBe(4);
  expect(JSON.parse(hunt.stdout)).toMatchObject({
    ...{ outcome: 'incomplete', gather_status: 'partial' },
    probe_failures: [{ probe: 'semgrep', status: 'skipped', reason: 'tool_missing' }],
  });
});

test('facts gathers first where there is no context or the tree has changed, and answers by id and scope', () => {
  expect(run(['facts', 'owners', '--no-gather'])).toMatchObject({ code: 2, stderr: expect.stringContaining('gather') });
  const first = run(['facts', 'language']);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('gathering first: there is no context yet') });
  expect(first.stdout).toMatch(/^language\.primary +\. +TypeScript +high +src\/index\.ts:1$/m);
  const again = run(['facts', 'owners', '.', '--explain']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toContain('evidence  CODEOWNERS:1  * @org/shop');
  repo.write('CODEOWNERS', '* @org/other\n');
  expect(run(['facts', 'owners', '.', '--no-gather']).stderr).toMatch(/^note: as gathered .*; CODEOWNERS changed/);
  const json = run(['facts', 'owners', '.', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ outcome: 'ok', since: null },
    facts: [{ id: 'owners', scope: '.', state: 'known', value: [{ pattern: '*', owners: ['@org/other'] }] }],
  });
  const wrong = run(['facts', 'ownrs']);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no fact 'ownrs'; did you mean owners"),
  });
  expect(run(['facts', 'owners', 'srcc'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no scope 'srcc'; did you mean/),
  });
});

test('G42 a fact that nothing stated at the gather, and may be stated now: facts gathers first, --no-gather says so', () => {
  run(['gather', '.']);
  const none = run(['facts', 'docker.final_base']);
  expect(none).toMatchObject({ code: 0, stdout: 'no such fact was stated\n', stderr: '' });
  repo.write('Dockerfile', 'FROM node:22 AS build\n');
  const old = run(['facts', 'docker.final_base', '--no-gather']);
  expect(old).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: as gathered .*; Dockerfile changed/) });
  expect(JSON.parse(run(['facts', 'docker.final_base', '--no-gather', '--json']).stdout)).toMatchObject({
    outcome: 'stale',
    facts: [],
  });
  const now = run(['facts', 'docker.final_base', 'Dockerfile#build']);
  expect(now).toMatchObject({ code: 0, stderr: expect.stringContaining('gathering first: Dockerfile changed') });
  expect(run(['facts', 'docker.final_base', '--json']).stdout).toContain('node:22');
});

test.skipIf(olderNode === undefined)(
  'an older Node re-executes with the pinned one (needs a Node older than 24 on PATH)',
  () => {
    const { code, stdout } = run(['gather', '.', '--json'], { node: olderNode as string });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', gather_status: 'complete' });
  },
);

describe('after a gather', () => {
  beforeEach(() => void run(['gather', '.', '--quiet']));

  test('report prints the report, --explain where a field is from', () => {
    expect(run(['report']).stdout).toContain('## Overview');
    const explained = run(['report', '--explain', 'language_stack.primary']);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain('typescript');
    expect(explained.stdout).toContain('language_detection');
    const unknown = run(['report', '--explain', 'language_stack.primery']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('language_stack.primary');
  });

  test('P1: report judges freshness again from disk and says when it changed since', () => {
    repo.write(
      '.codegenie/conventions/a.yaml',
      'rules:\n  - {id: r, description: d, kind: missing_file, pattern: x.txt}\n',
    );
    run(['gather', '.', '--quiet']);
    expect(run(['report']).stdout).toMatch(/\[OK\] conventions/);
    repo.write(
      '.codegenie/conventions/a.yaml',
      'rules:\n  - {id: s, description: d, kind: missing_file, pattern: y.txt}\n',
    );
    expect(run(['report']).stdout).toMatch(/\[STALE\] conventions · digest_mismatch/);
  });

  test('audit verify names a changed file, and an empty folder is no pass', () => {
    expect(run(['audit', 'verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^checked \d+ files of run .*: all as recorded/),
    });
    const yaml = join(repo.root, '.codegenie/context/repo-context.yaml');
    writeFileSync(yaml, `${readFileSync(yaml, 'utf8')}# tampered\n`);
    const tampered = run(['audit', 'verify']);
    expect(tampered.code).toBe(11);
    expect(tampered.stdout).toMatch(/^mismatch repo-context\.yaml: expected [0-9a-f]{64}, found [0-9a-f]{64}$/m);
    rmSync(join(repo.root, '.codegenie/context/runs'), { recursive: true });
    expect(run(['audit', 'verify']).code).toBe(11);
  });

  test('--json is exactly one document on stdout for every command', () => {
    for (const args of [
      ['gather', '.'],
      ['report'],
      ['report', '--explain', 'repo.id'],
      ['audit', 'verify'],
      ['probes', 'list'],
      ['probes', 'show', 'ci'],
      ['doctor'],
    ]) {
      const { stdout, code } = run(['--json', ...args]);
      expect(code, args.join(' ')).toBe(0);
      expect(JSON.parse(stdout), args.join(' ')).toMatchObject({ outcome: 'ok' });
    }
  });
});

test('reference commands work outside any repository', () => {
  const cwd = repo.home;
  expect(run(['probes', 'list'], { cwd }).stdout).toMatch(/^A {2}ci /m);
  expect(run(['probes', 'show', 'ownership'], { cwd }).stdout).toContain('CODEOWNERS');
  expect(run(['probes', 'show', 'ownershp'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean ownership?'),
  });
  expect(JSON.parse(run(['schema', 'ownership'], { cwd }).stdout)).toMatchObject({
    $id: 'https://codegenie.dev/schemas/ownership/1.0.0.json',
  });
  expect(run(['schema', 'ownr'], { cwd }).code).toBe(2);
  expect(run(['doctor'], { cwd }).stdout).toMatch(/^works\n[\s\S]*\n\nwould do more\n[\s\S]*\n\nis broken\n/);
});

test('wrong use: exit 2, what was wrong, what is near', () => {
  expect(run(['gahter']).code).toBe(2);
  expect(run(['gather', '--nope']).code).toBe(2);
  expect(run(['gather', '.', '--only', 'ownershp'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean ownership?'),
  });
  expect(run(['gather', '.', '--max-concurrency', '0']).code).toBe(2);
  expect(run(['gather', '.', '--no-cache', '--cache-only']).code).toBe(2);
  expect(run(['report']).stderr).toContain('run `codegenie gather` first');
});

test('G1 a missing path, a file, and a link to a directory elsewhere', () => {
  expect(run(['gather', './missing'])).toMatchObject({ code: 2, stderr: expect.stringContaining('does not exist') });
  expect(run(['gather', './package.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a directory'),
  });
  symlinkSync(repo.root, join(repo.base, 'link'));
  expect(run(['gather', join(repo.base, 'link'), '--quiet']).code).toBe(0);
  expect(existsSync(join(repo.root, '.codegenie/context/repo-context.yaml'))).toBe(true);
});

test('exit 4 under --strict when partial, and for a --cache-only miss; exit 5 for a linked output', () => {
  repo.write('package.json', '{ broken');
  expect(run(['gather', '.', '--quiet']).code).toBe(0);
  expect(run(['gather', '.', '--strict']).code).toBe(4);
  expect(run(['gather', '.', '--cache-only', '--quiet']).code).toBe(4);
  rmSync(join(repo.root, '.codegenie'), { recursive: true });
  symlinkSync(repo.home, join(repo.root, '.codegenie'));
  const refused = run(['gather', '.']);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('is a symbolic link') });
  expect(readdirSync(repo.home).filter((name) => !name.startsWith('.'))).toEqual([]);
  expect(existsSync(join(repo.home, 'context'))).toBe(false);
});

test('a directory below the work tree means the work tree; an ignored one means itself', () => {
  const tracked = run(['gather', 'src', '--quiet']);
  expect(tracked.code).toBe(0);
  expect(existsSync(join(repo.root, '.codegenie/context/repo-context.yaml'))).toBe(true);
  repo.write('.gitignore', 'node_modules\n');
  repo.write('node_modules/left-pad/package.json', '{"name": "left-pad", "version": "1.0.0"}');
  expect(run(['gather', 'node_modules/left-pad', '--quiet']).code).toBe(0);
  const context = readFileSync(join(repo.root, 'node_modules/left-pad/.codegenie/context/repo-context.yaml'), 'utf8');
  expect(parse(context)).toMatchObject({ repo: { id: 'left-pad', git_commit: null } });
});

test('an interrupt ends cleanly: exit 130, nothing published, no lock, no partial file', async () => {
  for (let index = 0; index < 3000; index += 1)
    repo.write(`src/g/m${index}.test.ts`, "import { test } from 'vitest';\ntest('a', () => {});\n".repeat(40));
  const child = spawn(process.execPath, [entry, 'gather', '--verbose', '.'], {
    cwd: repo.root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: quickPath(), HOME: repo.home },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // The first finished step is the earliest sign that the gather is under way.
  await new Promise((resolve) => child.stderr.once('data', resolve));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  const context = join(repo.root, '.codegenie/context');
  expect(existsSync(context) ? readdirSync(context) : []).toEqual([]);
  const runDirectory = join(repo.stateDir, 'run');
  // The file that the writer's lock is taken on stays; the file beside it says who held it, and now no process does.
  const left = existsSync(runDirectory) ? readdirSync(runDirectory) : [];
  expect(left.filter((name) => name !== 'writer.db')).toEqual([]);
});

test('the built package works as the clone does', () => {
  const place = mkdtempSync(join(tmpdir(), 'codegenie-built-'));
  try {
    execFileSync(process.execPath, [join(project, 'scripts/build.ts'), place], { cwd: project, stdio: 'pipe' });
    mkdirSync(join(place, 'bin'));
    for (const file of ['bin/codegenie.mjs', 'package.json']) cpSync(join(project, file), join(place, file));
    symlinkSync(join(project, 'node_modules'), join(place, 'node_modules'));
    repo.write(
      '.codegenie/conventions/a.yaml',
      'rules:\n  - {id: r, description: d, kind: file_pattern, pattern: version, file_glob: package.json}\n',
    );
    const built = run(['gather', '.', '--json'], { entry: join(place, 'bin/codegenie.mjs') });
    expect(built).toMatchObject({ code: 0, stderr: '' });
    const context = parse(readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8')) as Record<
      string,
      never
    >;
    expect(context).toMatchObject({
      gather_status: 'complete',
      test_inventory: { test_case_count: { value: 1, relation: 'eq' } },
      organizational: { conventions: { passed: 1 } },
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
