/** File names that try to be something else: a line, a colour, an option, markup. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import { parseYamlObject } from '../../src/kernel/formats/yaml.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { echoProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';
import { secretSamples } from '../support/secret-samples.ts';
import { unequipped } from '../support/tools.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const esc = String.fromCharCode(27);
const names: Readonly<Record<string, string>> = {
  newline: 'a\n- [OK] forged\n# Forged heading',
  'carriage return': 'a\rforged',
  ANSI: `a${esc}[31mred${esc}]0;title\u0007`,
  bidi: 'a\u202egpj.exe\u2066\u200b',
  quotes: `a'b"c\`d\`$(touch pwned)\`touch pwned\``,
  markup: '<script>alert(1)<|script>|cell|[link](javascript:alert(1))',
  'an option': '--output=pwned',
  'a short option': '-rf',
  'a glob': '*{a,b}[c]?!x',
  'a backslash': 'a\\b\\n',
  'a yaml tag': '!!js: &a *a # x',
  '255 bytes': 'é'.repeat(124),
  'an object member': '__proto__',
  'a line separator': 'a\u2028b\u0085c',
  'a leading space': ' a ',
  'a dot': '.hidden..',
};

const places: readonly ((name: string) => readonly [string, string])[] = [
  (name) => [`src/${name}.test.ts`, 'test("x", () => {});\n'],
  (name) => [`docs/adr/${name}.md`, `# ${name}\n`],
  (name) => [`.github/workflows/${name}.yml`, 'on: push\njobs: [broken\n'],
  (name) => [`packages/${name}/package.json`, JSON.stringify({ name: `p-${name}`, scripts: { [name]: name } })],
  (name) => [`k8s/${name}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${JSON.stringify(name)}}\n`],
  (name) => [`.codegenie/notes/${name}.md`, `# ${name}\n`],
  (name) => [`.codegenie/conventions/${name}.yaml`, 'rules: [broken\n'],
  (name) => [`${name}/AGENTS.md`, '# Rules\n'],
];

function plant(of: FixtureRepo): number {
  let planted = 0;
  for (const name of Object.values(names)) {
    for (const place of places) {
      const [path, content] = place(name);
      if (path.split('/').some((segment) => Buffer.byteLength(segment) > 255)) continue;
      of.write(path, content);
      planted += 1;
    }
  }
  return planted;
}

/** What may reorder, hide or colour what a person reads. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;

async function gatherAndCheck(of: FixtureRepo): Promise<Envelope> {
  const before = of.tree();
  const { envelope, files } = await of.publish(
    {},
    { probes: [...probes, echoProbe('echo', ['**', '.codegenie/notes/**/*.md'])] },
  );
  expect(of.tree()).toEqual(before);
  expect(existsSync(join(of.root, 'pwned')) || existsSync('pwned')).toBe(false);
  const failures = envelope.probe_failures.filter((failure) => failure.status !== 'degraded');
  expect(failures).toEqual([]);
  const blind = envelope.not_looked.filter(({ delivered }) => !delivered);
  expect(blind.map(({ probe, reason }) => ({ probe, reason }))).toEqual(
    unequipped.map((probe) => ({ probe, reason: 'tool_missing' })),
  );

  const yaml = parseYamlObject(readFileSync(files.yaml), { maxBytes: 1 << 28, maxDepth: 64 });
  expect(yaml.ok ? JSON.parse(JSON.stringify(yaml.value)) : yaml.failure).toEqual(JSON.parse(JSON.stringify(envelope)));
  const markdown = readFileSync(files.markdown, 'utf8');
  const html = readFileSync(files.html, 'utf8');
  for (const text of [markdown, html]) expect(controls.exec(text)?.[0]).toBeUndefined();
  expect(markdown).not.toMatch(/^- \[OK\] forged|^# Forged heading/m);
  expect(markdown).not.toMatch(/<script>alert|\]\(javascript:/);
  expect(html).not.toMatch(/<script>alert/);
  for (const [path, text] of Object.entries(of.written())) {
    if (!path.startsWith('state dir: logs/')) continue;
    for (const line of text.split('\n').filter((found) => found !== '')) expect(() => JSON.parse(line)).not.toThrow();
  }
  expect(await of.workspace().audit()).toMatchObject({ findings: [] });
  const again = await of.workspace().report();
  if (again.kind !== 'report') throw new Error(again.kind);
  expect(controls.exec(again.markdown)?.[0]).toBeUndefined();
  return envelope;
}

describe.each([true, false])('G28 hostile names, git %s', (git) => {
  test('G28 every name is listed, read and published, and none is more than a name', async () => {
    repo = createFixtureRepo({}, { git });
    const planted = plant(repo);
    if (git) repo.commit();
    repo.write(`untracked/${names['newline']}.ts`, '');
    const envelope = await gatherAndCheck(repo);
    const { rows } = envelope['echo'] as { rows: { path: string; text: string }[] };
    // Conventions are no input of the echo; one file is not tracked.
    expect(rows.length).toBe(planted - Object.keys(names).length + 1);
    expect(envelope.gather_status).toBe('complete');
    expect(rows.filter((row) => row.text === 'absent' || row.text === 'failed')).toEqual([]);
    expect(rows.some((row) => row.path === `src/${names['newline']}.test.ts`)).toBe(true);
  });

  test('G28 a name that is not UTF-8 is a gap that is told, and the rest is gathered', async () => {
    repo = createFixtureRepo({ 'src/a.ts': 'export {};' }, { git });
    const raw = Buffer.concat([
      Buffer.from(`${repo.root}/src/`),
      Buffer.from([0x66, 0xff, 0xfe, 0x0a]),
      Buffer.from('.ts'),
    ]);
    writeFileSync(raw, 'export {};');
    mkdirSync(Buffer.concat([Buffer.from(`${repo.root}/`), Buffer.from([0xc3, 0x28])]));
    writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), Buffer.from([0xc3, 0x28]), Buffer.from('/b.ts')]), '');
    if (git) repo.commit();
    const untracked = Buffer.concat([Buffer.from(`${repo.root}/src/`), Buffer.from([0xfe]), Buffer.from('.ts')]);
    writeFileSync(untracked, 'export {};');
    const envelope = await gatherAndCheck(repo);
    const { rows } = envelope['echo'] as { rows: { path: string }[] };
    expect(rows.map((row) => row.path)).toEqual(['src/a.ts']);
    const degraded = envelope.probe_failures.filter(({ status }) => status === 'degraded');
    expect(degraded.map(({ probe }) => probe)).toEqual(['language_detection']);
    expect(envelope.warnings.map((warning) => warning.id)).toEqual(['repo.scope_gaps']);
    expect(envelope.warnings[0]?.detail).toMatch(/^3 places could not be listed/);
  });
});

describe('F12 a file that cannot be named is counted by every answer and every proof', () => {
  const code = "import { add } from './a';\nexport const hidden = add(1);\n";
  const token = secretSamples.github_token[0]?.secret ?? '';
  const unnamed: Readonly<Record<string, Buffer | string>> = {
    'not UTF-8': Buffer.from('src/b\xff.ts', 'latin1'),
    'a secret': `src/${token}.ts`,
  };
  const cli = (...argv: string[]) => runCli(argv, { cwd: repo?.root ?? '', home: repo?.home ?? '' });

  test.each(Object.entries(unnamed))('its name is %s', async (_, name) => {
    repo = createFixtureRepo({
      'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, module: 'esnext', types: [] } }),
      'src/a.ts': 'export function add(a: number): number {\n  const twice = a;\n  return twice + a;\n}\n',
      'src/c.ts': "import { add } from './a';\nexport const y = add(2);\n",
    });
    writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), Buffer.from(name)]), code);
    for (const asked of [
      ['search', 'add'],
      ['refs', 'src/a.ts:1:17'],
    ]) {
      const answer = await cli(...asked, '--json');
      expect(JSON.parse(answer.stdout), asked.join(' ')).toMatchObject({ count: { relation: 'gte' } });
      expect(answer.stdout).not.toContain(token);
    }
    const planned = JSON.parse((await cli('rename', 'src/a.ts:1:17', 'sum', '--json')).stdout);
    expect(planned.outcome.kind).toBe('needs_decision');
    expect(JSON.stringify(planned)).toContain('unreadable_file');
    // What no other file can name is no matter of that file.
    const local = JSON.parse((await cli('rename', 'src/a.ts:2:9', 'both', '--json')).stdout);
    expect(local.outcome.kind).toBe('ok');
  });

  test('a picture or a certificate of such a name holds no code', async () => {
    repo = createFixtureRepo({ 'src/a.ts': 'export const add = 1;\n' });
    writeFileSync(Buffer.from(`${repo.root}/src/k\xff.pem`, 'latin1'), 'x');
    const refs = await cli('refs', 'src/a.ts:1:14', '--json');
    expect(JSON.parse(refs.stdout)).toMatchObject({ count: { value: 1, relation: 'eq' } });
  });
});
