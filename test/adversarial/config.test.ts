/** Configuration from two places that are trusted differently. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { configKeys } from '../../src/gather/config.ts';
import type { ProbeContext } from '../../src/gather/contract.ts';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

/** A probe that tells what configuration it was given. */
function witness() {
  const seen: Record<string, unknown>[] = [];
  const keys = Object.keys(configKeys) as (keyof typeof configKeys)[];
  const probe = makeProbe(
    'witness',
    async (_repo, ctx: ProbeContext) => {
      seen.push(ctx.config as Record<string, unknown>);
      return rows('witness', []);
    },
    { configKeys: keys, cacheStrategy: 'none' },
  );
  return { probe, seen };
}

async function gatherWith(files: Readonly<Record<string, string>>) {
  repo?.dispose();
  repo = createFixtureRepo({ 'a.ts': '' });
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  const { probe, seen } = witness();
  const outcome = await repo.gather({}, { probes: [probe] });
  return { outcome, config: seen[0] ?? {} };
}

const problemsOf = async (files: Readonly<Record<string, string>>) => {
  const { outcome } = await gatherWith(files);
  expect(outcome.kind).toBe('config_invalid');
  return outcome.kind === 'config_invalid' ? outcome.problems : [];
};

describe('G35 what only the user may set', () => {
  const values: Readonly<Record<string, unknown>> = {
    'tools.paths': { git: { path: '/tmp/evil' } },
    'containers.engine': 'docker',
    'containers.build': 'never',
    'containers.build_network': 'default',
    'containers.pull': 'missing',
    'containers.memory_mb': 99_999,
    'containers.pids': 99_999,
    'containers.cpus': 99,
    'runtime_trace.strace_static': '/tmp/evil',
    'cve.grype_db_dir': '/tmp/evil',
    'cve.osv_dir': '/tmp/evil',
    'cve.max_db_age_days': 99_999,
    'semgrep.config': ['/tmp/evil'],
    'ast_grep.config': '/tmp/evil',
    'gitleaks.config': '/tmp/evil',
    'skills.user_path': '/tmp/evil',
    'skills.org_path': '/tmp/evil',
    'conventions.user_path': '/tmp/evil',
    'exceptions.user_path': '/tmp/evil',
    policy_repos: [{ path: '/tmp/evil', type: 'x' }],
    external_docs: [{ type: 'url_list', urls: ['https://evil.example/'] }],
    external_docs_egress: ['evil.example'],
    'daemon.idle_exit_minutes': 19999,
    'probes.paths': ['/tmp/evil-probes'],
    'plans.life_hours': 8_760,
    'rename.trust': { '/tmp/evil': ['untyped_exit'] },
  };

  test('G35 the list is the list of the code', () => {
    const userOnly = Object.entries(configKeys)
      .filter(([, key]) => key.userOnly)
      .map(([name]) => name);
    expect(Object.keys(values).sort()).toEqual(userOnly.sort());
  });

  test.each(Object.entries(values))('G35 %s of the repository is ignored with a warning', async (name, value) => {
    const key = name === 'tools.paths' ? 'tools' : name;
    const { outcome, config } = await gatherWith({ '.codegenie/config.yaml': JSON.stringify({ [key]: value }) });
    if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
    expect(outcome.envelope.warnings).toMatchObject([{ id: 'config.user_only_key' }]);
    expect(outcome.envelope.warnings[0]?.detail).toContain(name);
    expect(JSON.stringify(config)).not.toMatch(/evil|99999|19999|docker"/);
  });

  test.each(Object.entries(values))('G35 %s of the user is honoured', async (name, value) => {
    const key = name === 'tools.paths' ? 'tools' : name;
    const { outcome, config } = await gatherWith({ '~/.codegenie/config.yaml': JSON.stringify({ [key]: value }) });
    expect(outcome.kind).toBe('published');
    expect(config[name]).toEqual(name === 'tools.paths' ? { git: '/tmp/evil' } : value);
  });
});

describe('G35 what is wrong is named', () => {
  test.each([
    ['an unknown key', 'cache_ttl_hour: 3', 'cache_ttl_hour', /did you mean cache_ttl_hours\?/],
    ['an unknown key below a known one', 'cache: {max_mbs: 3}', 'cache.max_mbs', /did you mean cache\.max_mb\?/],
    ['a name that every object has', 'toString: 3', 'toString', /unknown key/],
    ['another one', 'constructor: {name: 3}', 'constructor', /unknown key/],
    ['a prototype', '__proto__: {default_task: x}', '__proto__', /unknown key/],
    ['a boolean for an integer', 'max_concurrent_probes: true', 'max_concurrent_probes', /expected int|number/],
    ['text for an integer', 'publish_wait_s: "30"', 'publish_wait_s', /expected int|number/],
    ['a fraction for an integer', 'logs: {keep: 1.5}', 'logs.keep', /int/],
    ['a negative number', 'cache_ttl_hours: -1', 'cache_ttl_hours', />=0/],
    ['a scalar for a list', 'probes: {disabled: ci}', 'probes.disabled', /array/],
    ['a scalar for a map', 'probes: {timeouts: 5}', 'probes.timeouts', /record|object/],
    ['a scalar for a group of keys', 'cache: 5', 'cache', /unknown key|mapping/],
    ['a scalar for the tools', 'tools: 5', 'tools', /expected/],
    ['a tool without a path', 'tools: {git: /usr/bin/git}', 'tools.git', /expected \{path/],
    ['the same key written in two ways', 'cache: {max_mb: 3}\ncache.max_mb: 4', 'cache.max_mb', /twice/],
  ])('G35 %s', async (_, text, key, message) => {
    const problems = await problemsOf({ '.codegenie/config.yaml': text });
    expect(problems).toMatchObject([{ file: '.codegenie/config.yaml', key }]);
    expect(problems[0]?.message).toMatch(message);
    const ofUser = await problemsOf({ '~/.codegenie/config.yaml': text });
    expect(ofUser).toMatchObject([{ file: '~/.codegenie/config.yaml', key }]);
  });

  test.each([
    ['duplicate keys', 'cache_ttl_hours: 1\ncache_ttl_hours: 2\n'],
    ['no YAML', 'a: [1, 2\nb: }'],
    ['a list', '- a\n- b\n'],
    ['text', 'just words'],
    [
      'an alias bomb',
      `a: &a [1,1,1,1,1,1,1,1,1]\n${Array.from(
        { length: 12 },
        (_, i) =>
          `b${i}: &b${i} [${Array(9)
            .fill(i === 0 ? '*a' : `*b${i - 1}`)
            .join(',')}]`,
      ).join('\n')}`,
    ],
    ['too deep', `a: ${'['.repeat(50)}${']'.repeat(50)}`],
    ['too large', `# ${'x'.repeat(70_000)}\n`],
  ])('G35 %s', async (_, text) => {
    const problems = await problemsOf({ '.codegenie/config.yaml': text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ file: '.codegenie/config.yaml' });
    expect(problems[0]?.message.length).toBeLessThan(400);
  });

  test('G35 a link in the place of the file', async () => {
    repo = createFixtureRepo({ 'a.ts': '', '.codegenie/notes/a.md': '' });
    repo.write('~/secret.yaml', 'cache_ttl_hours: 1');
    symlinkSync(join(repo.home, 'secret.yaml'), join(repo.root, '.codegenie/config.yaml'));
    expect(await repo.gather()).toMatchObject({
      kind: 'config_invalid',
      problems: [{ message: expect.stringContaining('symlink_refused') }],
    });
  });

  test('G35 every problem of both files is told at once, and nothing was written', async () => {
    const problems = await problemsOf({
      '~/.codegenie/config.yaml': 'unknown_one: 1\nlogs: {keep: no}',
      '.codegenie/config.yaml': 'unknown_two: 1',
    });
    expect(problems.map((problem) => [problem.file, problem.key])).toEqual([
      ['~/.codegenie/config.yaml', 'unknown_one'],
      ['~/.codegenie/config.yaml', 'logs.keep'],
      ['.codegenie/config.yaml', 'unknown_two'],
    ]);
    expect(Object.keys(repo?.written() ?? {})).toEqual(['config.yaml']);
  });
});

describe('G35 order and expansion', () => {
  test('G35 defaults, then the user, then the repository', async () => {
    const { config } = await gatherWith({
      '~/.codegenie/config.yaml': 'cache_ttl_hours: 5\nlogs: {keep: 7}',
      '.codegenie/config.yaml': 'logs.keep: 9',
    });
    expect(config).toMatchObject({ cache_ttl_hours: 5, 'logs.keep': 9, publish_wait_s: 30 });
  });

  test('G35 ~/ is the home directory in the file of the user alone, and nothing else is expanded', async () => {
    const { config } = await gatherWith({
      '~/.codegenie/config.yaml': 'semgrep: {config: ["~/rules", "$HOME/rules", "~other/rules"]}',
      '.codegenie/config.yaml': 'skills: {repo_path: ~/skills}\nadrs: {paths: ["~/adrs"]}',
    });
    expect(config['semgrep.config']).toEqual([`${repo?.home}/rules`, '$HOME/rules', '~other/rules']);
    expect(config['skills.repo_path']).toBe('~/skills');
    expect(config['adrs.paths']).toEqual(['~/adrs']);
    expect(config['skills.user_path']).toBe(`${repo?.home}/.codegenie/skills`);
  });

  test('G35 an unknown probe is refused with the nearest name', async () => {
    const { outcome } = await gatherWith({ '.codegenie/config.yaml': 'probes: {disabled: [witnes]}' });
    expect(outcome).toEqual({ kind: 'unknown_probe', name: 'witnes', nearest: 'witness', refused: [] });
  });
});
