/** What the program says to who does not know it yet: near names of a mistyped word, what an id means, where a value of the configuration is from. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.gen.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { explainId, listExplained } from '../../src/cli/explained-ids.ts';
import { configKeys } from '../../src/gather/config.ts';
import { unusedWords } from '../../src/gather/id-words.ts';
import { z } from '../../src/kernel/base/schema.ts';
import { blockedReasons, itemKinds, outcomeKinds, refusedReasons } from '../../src/mutate/vocabulary.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { schemaOf } from '../../src/serve/workspace/json-schemas.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

let repo: FixtureRepo;
beforeAll(() => {
  repo = createFixtureRepo({ 'a.ts': 'export const a = 1;\n' });
});
afterAll(() => repo.dispose());
const run = (...argv: string[]) => runCli(argv, { cwd: repo.root, home: repo.home });

describe('a mistyped word', () => {
  test.each([
    ['gathr', 'gather'],
    ['gathr --only ci', 'gather'],
    ['commit p-1', 'plan commit'],
    ['plan comit p-1', 'commit'],
    ['--jsn gather', '--json'],
    ['gather --onyl ci', '--only'],
    ['gather --only licnce', 'licence'],
    ['gather --format srif', 'sarif'],
    ['gather --fail-on hi', 'high'],
    ['probes show licens', 'licence'],
    ['facts dokcer', 'docker.'],
    ['schema build_sistem', 'build_system'],
    ['explain untyped_exti', 'untyped_exit'],
    ['config show containers.engin', 'containers.engine'],
    ['setup claud', 'claude-code'],
    ['rename a.ts:1:14 b --mode semantc', 'semantic'],
    ['rename a.ts:1:14 b --public-names rnmae', 'rename'],
    ['slice a.ts --kind import', 'imports'],
    ['symbols a --kind clas', 'class'],
    ['search a --lang typescrip', 'typescript'],
    ['completion bsh', 'bash'],
    ['plan commit p-1 --accept dinamic_access', 'dynamic_access'],
    ['diff . . --format markdwn', 'markdown'],
  ])('%s', async (line, near) => {
    const { code, stderr, stdout } = await run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`did you mean [^?]*${near.replaceAll('.', '\\.')}`, 'i'));
    expect(stderr).not.toContain('gathering');
  });

  test('what is near to nothing has no suggestion, and with --json it is one document', async () => {
    expect((await run('qqqqqqqqq')).stderr).not.toMatch(/did you mean/i);
    const { stdout } = await run('--json', 'gathr');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'usage', message: expect.stringContaining('gather') });
  });
});

describe('codegenie alone', () => {
  test('five lines of what to do first, here: before and after a gather, an index and a plan', async () => {
    const own = createFixtureRepo({
      'tsconfig.json': '{"compilerOptions":{"strict":true,"lib":["esnext"],"types":[]}}',
      'a.ts': 'const total = 1;\nconsole.log(total);\nexport {};\n',
    });
    try {
      const ask = (...argv: string[]) => runCli(argv, { cwd: own.root, home: own.home });
      const lines = async () => (await ask()).stdout.trimEnd().split('\n');
      const [head, first] = await lines();
      expect([(await lines()).length, head, first?.trim()]).toEqual([
        ...[5, expect.stringMatching(/: not gathered yet · not indexed yet$/)],
        expect.stringMatching(/^codegenie gather /),
      ]);
      expect(own.git('status', '--porcelain', '--ignored')).not.toContain('.codegenie');
      await ask('gather', '.', '--only', 'licence', '--quiet');
      const { stdout } = await ask('rename', 'a.ts:1:7', 'sum', '--json');
      const plan = JSON.parse(stdout).outcome.plan.id as string;
      const after = await lines();
      expect(after).toHaveLength(5);
      expect(after[0]).toMatch(/: gathered just now · 2 files indexed(?:, none by a compiler yet)? · 1 plan open$/);
      expect(after[1]).toMatch(/^ {2}codegenie facts /);
      expect(after.join('\n')).toContain(`codegenie plan commit ${plan}`);
      for (const line of after) expect(line.length, line).toBeLessThanOrEqual(100);
      expect(JSON.parse((await ask('--json')).stdout)).toMatchObject({
        ...{ outcome: 'ok', git: true, index: { files: 2 }, open_plans: [plan] },
        next: [{ command: 'codegenie facts' }, {}, {}, {}],
      });
    } finally {
      own.dispose();
    }
  });

  test('P9 a context that came with the tree is none; outside a work tree it says so', async () => {
    repo.write('.codegenie/context/repo-context.yaml', 'gathered_at: 2026-01-01T00:00:00.000Z\n');
    expect((await run()).stdout).toMatch(/^[^\n]*: not gathered yet/);
    const { stdout, code } = await runCli([], { cwd: repo.home, home: repo.home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[^\n]*: no git work tree \(-C <dir> names one\)/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  });
});

describe('explain', () => {
  test('every exit code by number and name, every outcome, reason, kind of question, and id of a probe', () => {
    const ids = [
      ...Object.keys(exitCodes),
      ...Object.values(exitCodes).map(({ code }) => String(code)),
      ...outcomeKinds,
      ...blockedReasons,
      ...refusedReasons,
      ...Object.keys(itemKinds),
      ...probes.flatMap(({ warningIds, errorIds }) => [...warningIds, ...errorIds]),
    ];
    for (const id of ids) {
      const said = explainId(id);
      expect(said.length, id).toBeGreaterThan(0);
      for (const { means } of said) expect(means.length, id).toBeGreaterThan(5);
    }
  });

  test('no words are kept for ids that are gone, and no id is said twice of the same thing', () => {
    expect(unusedWords(probes.flatMap(({ warningIds, errorIds }) => [...warningIds, ...errorIds]))).toEqual([]);
    const said = listExplained().map(({ id, of }) => `${id} · ${of}`);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
  });

  test('as a person asks it', async () => {
    expect((await run('explain', '7')).stdout).toBe(
      'blocked · exit code 7\n  a change is blocked\n  what to do: do what `next` says, then ask again\n',
    );
    expect((await run('explain', 'blocked')).stdout).toMatch(/exit code 7[\s\S]*outcome of a change/);
    expect((await run('explain', 'ci.multi_provider')).stdout).toMatch(/^ci\.multi_provider · warning of ci\n {2}\S/);
    expect((await run('explain', 'untyped_exit')).stdout).toMatch(/answer with one of accept, stop; `rename\.trust`/);
    expect((await run('explain', 'ast_grep.not_configured')).stdout).not.toContain('](');
    expect(JSON.parse((await run('explain', 'files_changed', '--json')).stdout)).toMatchObject({
      outcome: 'ok',
      meanings: [{ of: 'reason of blocked' }],
    });
  });
});

test('doctor: what a language needs is of use where the language is, and one of two engines is enough', async () => {
  const own = createFixtureRepo({ 'go.mod': 'module a\n', 'main.go': 'package main\n\nfunc main() {}\n' });
  try {
    const ask = (...argv: string[]) => runCli(argv, { cwd: own.root, home: own.home });
    const needed = async () => {
      const { tools } = JSON.parse((await ask('doctor', '--json')).stdout);
      return (tools as { name: string; needed: boolean; version: string }[]).flatMap((tool) =>
        tool.needed ? [tool.name] : [],
      );
    };
    // Nothing is known of the languages before there is an index.
    expect(await needed()).not.toContain('scip-go');
    await ask('status');
    const now = await needed();
    expect(now).toEqual(expect.arrayContaining(['git', 'rg', 'bwrap', 'gitleaks', 'scip-go']));
    expect(now).not.toEqual(expect.arrayContaining(['rust-analyzer']));
    expect(now).not.toContain('scip-typescript');
    expect(now.filter((name) => name === 'docker' || name === 'podman').length).not.toBe(0);
  } finally {
    own.dispose();
  }
});

describe('config show', () => {
  test('G35 where each value comes from: default, the file of the user, that of the repository', async () => {
    expect((await run('config', 'show')).stdout).toMatch(/^\d+ keys have their default/);
    repo.write('~/.codegenie/config.yaml', '$schema: ./config.schema.json\nlogs: {keep: 5}\ncontainers.engine: none\n');
    repo.write('.codegenie/config.yaml', 'logs.keep: 7\ncontainers: {engine: docker}\n');
    const shown = await run('config', 'show');
    expect(shown.stdout).toMatch(/^logs\.keep +7 +\(\.codegenie\/config\.yaml\)$/m);
    expect(shown.stdout).toMatch(/^containers\.engine +"none" +\(~\/\.codegenie\/config\.yaml\)$/m);
    expect(shown.stderr).toMatch(/^warning config\.user_only_key: containers\.engine/);
    expect((await run('config', 'show', 'logs')).stdout).toMatch(/^logs\.keep .* how many gather logs are kept\n$/);
    const { keys } = JSON.parse((await run('config', 'show', '--json')).stdout);
    expect(keys.map(({ key }: { key: string }) => key)).toEqual(Object.keys(configKeys));
    expect(keys).toContainEqual(expect.objectContaining({ key: 'publish_wait_s', value: 30, from: 'default' }));
  });

  test('G35 the schema takes what is taken and refuses what is refused, however a key is written', async () => {
    const schema = z.fromJSONSchema(schemaOf('config') as Parameters<typeof z.fromJSONSchema>[0]);
    const cases = [
      [{}, true],
      [{ $schema: 'x', 'logs.keep': 3 }, true],
      [{ logs: { keep: 3 }, tools: { rg: { path: '/x' } } }, true],
      [{ 'tools.rg': { path: '/x' }, tools: { 'git.path': '/y' } }, true],
      [{ 'tools.rg.path': '/x', external_docs: [{ type: 'url_list', urls: [] }] }, true],
      [{ 'probes.timeouts': { ci: 3 }, probes: { disabled: ['ci'] } }, true],
      [{ runtime_trace: { smoke_test_command: null } }, true],
      [{ $schema: 3 }, false],
      [{ logs: { keep: 0 } }, false],
      [{ logs: { kep: 3 } }, false],
      [{ tools: { rgg: { path: '/x' } } }, false],
      [{ tools: { rg: {} } }, false],
      [{ containers: { engine: 'lxc' } }, false],
      [{ 'tools.paths': { git: '/x' } }, false],
    ] as const;
    for (const [document, isTaken] of cases) {
      repo.write('~/.codegenie/config.yaml', JSON.stringify(document));
      repo.write('.codegenie/config.yaml', '{}');
      const { code } = await run('config', 'show');
      expect([JSON.stringify(document), code === 0, schema.safeParse(document).success]).toEqual([
        ...[JSON.stringify(document), isTaken, isTaken],
      ]);
    }
    repo.write('~/.codegenie/config.yaml', '{}');
  });
});

test('every command ends its help without loading what is heavy, and names the closed words it takes', () => {
  for (const { name, flags, args } of commands)
    for (const { words, says } of [...flags, ...args])
      if (typeof words === 'object') expect(words.length, `${name}: ${says}`).toBeGreaterThan(1);
});
