/** Probes that a user adds by `probes.paths`, and gathers of one component (gather.md §11, §2). */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { GatherAsk } from '../../src/serve/workspace/workspace.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const config = 'probes:\n  paths: [~/probes]\n';
/** A probe in the form that a folder of the user's holds. */
const probe = (name: string, run: string, more = '') => `export default ({ defineProbe, z, factsOf, known }) => {
  const section = z.strictObject({ text: z.string() });
  return defineProbe({
    name: '${name}', version: '1.0.0', layer: 'D', says: 'x', heaviness: 'light', timeoutSeconds: 1, confidenceRule: 'high',
    sections: { ${name}: section }, declaredInputs: ['team.txt'],
    facts: factsOf('${name}', section, [{
      id: 'x.${name}', says: 'x', of: 'the repository', value: z.string(), from: 'team.txt',
      state: ({ text }) => [known('.', text, { because: 'declared', how: 'x', evidence: [{ path: 'team.txt' }] })],
    }]),
    ${more}
    async run(repo) { ${run} },
  });
};
`;
const reads = (name: string, prefix = '') =>
  probe(
    name,
    `const { bytes } = await repo.inputs.read('team.txt', 100);
     return { kind: 'ran', confidence: 'high', slice: { ${name}: { text: '${prefix}' + new TextDecoder().decode(bytes).trim() } } };`,
  );
const only = (...names: string[]): Partial<GatherAsk> => ({ only: names });

test('a probe of the user runs beside ours: section, fact, mark, redaction, and the cache', async () => {
  repo = createFixtureRepo({
    'team.txt': 'blue\n',
    '~/.codegenie/config.yaml': config,
    '~/probes/team.mjs': reads('team'),
    '~/probes/also-one/also-one.mjs': reads('also_one'),
    '~/probes/also-one/helper.mjs': 'throw new Error("no probe");',
  });
  const first = await repo.publish(only('team', 'also_one'));
  expect(first.envelope.warnings).toEqual([]);
  expect(first.envelope['team']).toEqual({ text: 'blue' });
  expect(first.envelope['also_one']).toEqual({ text: 'blue' });
  expect(first.envelope.facts).toContainEqual(
    expect.objectContaining({ id: 'x.team', scope: '.', value: 'blue', evidence: ['team.txt:1'] }),
  );
  expect(first.envelope.probes['team']).toMatchObject({ foreign: '~/probes', status: 'ok' });
  expect(first.envelope.probes['ci']).not.toHaveProperty('foreign');
  expect((await repo.publish(only('team'))).envelope.probes['team']?.cache.state).toBe('hit');

  repo.write('~/probes/team.mjs', reads('team', 'the '));
  const changed = await repo.publish(only('team'));
  expect(changed.envelope.probes['team']?.cache.state).toBe('miss');
  expect(changed.envelope['team']).toEqual({ text: 'the blue' });

  repo.write('team.txt', 'password = "correct horse battery"\n');
  expect((await repo.publish(only('team'))).envelope['team']).toEqual({
    text: 'the password = "<REDACTED:fingerprint=00000000>"',
  });
  const facts = await repo.workspace().facts({ id: 'x.team', scope: null, explain: false });
  expect(facts).toMatchObject({ kind: 'facts' });
});

test('G35 a repository that sets probes.paths is not obeyed, nor one that the user points into', async () => {
  repo = createFixtureRepo({
    'team.txt': 'blue\n',
    'probes/team.mjs': `${reads('team')}\nglobalThis.ranTheRepositorysProbe = true;`,
    '.codegenie/config.yaml': 'probes:\n  paths: [./probes]\n',
  });
  const theirs = await repo.publish(only('ci'));
  expect(theirs.envelope.warnings).toEqual([
    { id: 'config.user_only_key', detail: expect.stringContaining('probes.paths is only honoured in') },
  ]);
  expect(await repo.gather(only('team'))).toMatchObject({ kind: 'unknown_probe', name: 'team' });

  repo.write('.codegenie/config.yaml', '{}\n');
  repo.write('~/.codegenie/config.yaml', `probes:\n  paths: [${repo.root}/probes, relative/probes, ~/none]\n`);
  const { envelope } = await repo.publish(only('ci'));
  expect(envelope.warnings.map(({ id, detail }) => [id, detail.replace(`${repo?.base}`, '')])).toEqual([
    ['probes.foreign_refused', '/repo/probes: lies in the repository that is looked at, which may not bring probes'],
    ['probes.foreign_refused', 'relative/probes: is not absolute: write the whole path, or begin with ~/'],
    ['probes.foreign_refused', '~/none: does not exist'],
  ]);
  expect(globalThis).not.toHaveProperty('ranTheRepositorysProbe');
});

test('P7 a foreign probe that throws, hangs, reads what it did not declare or answers nonsense fails alone', async () => {
  const ok = `return { kind: 'ran', confidence: 'high', slice: { NAME: { text: 'x' } } };`;
  const bodies = {
    throws: 'throw new Error("on purpose");',
    hangs: 'await new Promise(() => setInterval(() => {}, 1000).unref());',
    reads_other: `await repo.inputs.read('secret.txt', 100); ${ok}`,
    nonsense: `return { kind: 'ran', confidence: 'high', slice: { nonsense: { other: 1 } } };`,
    takes_ours: `return { kind: 'ran', confidence: 'high', slice: { takes_ours: { text: 'x' }, ci: {} } };`,
    fine: ok,
  };
  repo = createFixtureRepo({
    'team.txt': 'blue\n',
    'secret.txt': 'x\n',
    '~/.codegenie/config.yaml': config,
    ...Object.fromEntries(
      Object.entries(bodies).map(([name, body]) => [
        `~/probes/${name.replaceAll('_', '-')}.mjs`,
        probe(name, body.replace('NAME', name), 'facts: [],'),
      ]),
    ),
  });
  const { envelope } = await repo.publish(only(...Object.keys(bodies)));
  const ended = Object.fromEntries(
    Object.keys(bodies).map((name) => {
      const { status, errors } = envelope.probes[name] as { status: string; errors: string[] };
      return [name, [status, ...errors]];
    }),
  );
  expect(ended).toEqual({
    throws: ['failed', 'probe.threw'],
    hangs: ['timed_out', 'probe.timeout'],
    reads_other: ['failed', 'probe.threw'],
    nonsense: ['failed', 'output.invalid'],
    takes_ours: ['failed', 'output.section_not_owned'],
    fine: ['ok'],
  });
});

test('what claims a name of ours, or is no probe, is left out by name, and nothing else is', async () => {
  repo = createFixtureRepo({
    'team.txt': 'blue\n',
    '~/.codegenie/config.yaml': config,
    '~/probes/ci.mjs': reads('ci'),
    '~/probes/sections.mjs': reads('sections').replace('sections: { sections: section }', 'sections: { ci: section }'),
    '~/probes/fact-id.mjs': reads('fact_id').replace("id: 'x.fact_id'", "id: 'language.primary'"),
    '~/probes/broken.mjs': 'export default {',
    '~/probes/nothing.mjs': 'export const a = 1;',
    '~/probes/other-name.mjs': reads('team_two'),
    '~/probes/spine.mjs': reads('spine').replace('version:', 'spine: () => [], version:'),
    '~/probes/team.mjs': reads('team'),
  });
  const { envelope } = await repo.publish(only('team'));
  expect(envelope['team']).toEqual({ text: 'blue' });
  expect(
    envelope.warnings.map(({ detail }) => detail.replace(/^~\/probes\//, '').replace(/: built in.*$/, '')),
  ).toEqual([
    expect.stringMatching(/^broken\.mjs: /),
    "ci.mjs: duplicate probe name 'ci'",
    "fact-id.mjs: duplicate fact id 'language.primary'",
    'nothing.mjs: has no definition of a probe as default export',
    expect.stringMatching(/^other-name\.mjs: probe 'team_two' is not in a file of its name/),
    "sections.mjs: duplicate section path 'ci'",
    'spine.mjs: declares spine, which only a probe of the program may',
  ]);
});

test('the probe that the documentation shows is one', async () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/own-probes.md', import.meta.url)), 'utf8');
  const [, source = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  repo = createFixtureRepo({
    'catalog-info.yaml': 'kind: Component\nspec:\n  owner: team-blue\n  lifecycle: production\n',
    '~/.codegenie/config.yaml': config,
    '~/probes/catalog-info.mjs': source,
  });
  const { envelope } = await repo.publish(only('catalog_info'));
  expect(envelope.warnings).toEqual([]);
  expect(envelope.facts).toContainEqual(
    expect.objectContaining({
      id: 'catalog.owner',
      state: 'known',
      value: 'team-blue',
      evidence: ['catalog-info.yaml:3'],
    }),
  );
});

const services = {
  'package.json': '{"name":"all","private":true,"workspaces":["services/*"]}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  'services/a/package.json': '{"name":"a","scripts":{"test":"vitest run"}}',
  'services/a/src/a.ts': 'export const a = 1;\n',
  'services/b/main.py': 'b = 1\n',
  'services/b/pyproject.toml': '[project]\nname = "b"\n',
  'tools/x.go': 'package x\n',
};

test('one component: its directory and what governs it, no fact of anything else', async () => {
  repo = createFixtureRepo(services);
  const { envelope } = await repo.publish({ component: 'services/a', ...only('language_detection', 'commands') });
  expect(envelope.repo.component).toBe('services/a');
  expect(envelope['language_stack']).toMatchObject({ counts: { typescript: 1 } });
  expect(JSON.stringify(envelope['language_stack'])).not.toMatch(/python|"go"/);
  expect(envelope.facts.map(({ scope }) => scope).filter((scope) => !scope.startsWith('services/a'))).toEqual([]);
  expect(envelope.facts).toContainEqual(
    expect.objectContaining({
      id: 'test.unit.command',
      scope: 'services/a',
      value: { cmd: 'npm run test', cwd: 'services/a' },
    }),
  );

  const inside = await repo.workspace().facts({ id: 'test.unit.command', scope: 'services/a', explain: false });
  expect(inside).toMatchObject({ kind: 'facts', since: null, component: 'services/a' });
  const outside = await repo.workspace().facts({ id: 'language.primary', scope: '.', explain: false });
  expect(outside).toMatchObject({ kind: 'facts', since: { says: 'only services/a was gathered' } });
  expect(await repo.gather({ component: 'service/a' })).toEqual({
    kind: 'unknown_component',
    given: 'service/a',
    nearest: 'services/a',
  });
  expect((await repo.publish(only('language_detection'))).envelope.repo).not.toHaveProperty('component');
});
