/** P8 end to end: what is secret in a repository is nowhere in what a gather leaves behind. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { type SecretClass, secretClasses } from '../../src/kernel/secrets/patterns.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { echoProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, type Published } from '../support/fixture-repo.ts';
import { type SecretSample, scrambled, secretSamples } from '../support/secret-samples.ts';
import { sharedPool } from '../support/shared-pool.ts';
import { quickPath } from '../support/tools.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const samples: readonly SecretSample[] = Object.values(secretSamples).flat();
const oneLine = (text: string) => text.replaceAll('\n', ' ');
const everyText = samples.map((sample) => sample.text).join('\n\n\n\n\n\n');
/** `ENV NAME value` is an assignment only at the start of its own line, in a Dockerfile. */
const dockerfile = secretSamples.assignment.map((sample) => sample.text).find((text) => text.startsWith('FROM')) ?? '';
const linesOf = (...classes: readonly SecretClass[]) =>
  classes
    .flatMap((name) => secretSamples[name])
    .filter((sample) => sample.text !== dockerfile)
    .map((sample) => oneLine(sample.text).trim());
const lines = linesOf(...secretClasses);
/** For places whose text may look random without being secret, as commands and paths may: the named classes alone. */
const named = lines.filter((line) => !linesOf('entropy').includes(line));
/** What can be a file name and still is recognisable there: after a slash nothing is an assignment. */
const inNames = named.filter(
  (line) => !line.includes('/') && Buffer.byteLength(line) < 200 && !linesOf('assignment', 'argument').includes(line),
);
const gitToken = (secretSamples.github_token[0] as SecretSample).secret;
const vaultToken = (secretSamples.vault_token[0] as SecretSample).secret;

/** The spellings a secret can have in a text: as it is, on one line, inside a JSON string, inside JSON inside JSON. */
function spellings(secret: string): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return [...new Set([secret, oneLine(secret), inJson(secret), inJson(inJson(secret))])];
}

function leaksOf(written: Readonly<Record<string, string>>): string[] {
  const leaks: string[] = [];
  for (const [path, content] of Object.entries(written)) {
    // The files that people write are theirs.
    if (/^(?:config\.yaml|exceptions\.yaml|notes\/|skills\/|conventions\/)/.test(path)) continue;
    // The index finds a file by its name, whatever that is: in a path it may stand, and nowhere else.
    const text = path.startsWith('cache dir: index/') ? withoutPaths(content) : content;
    for (const { secret } of samples) {
      for (const spelling of spellings(secret)) {
        const at = text.indexOf(spelling);
        if (at >= 0) leaks.push(`${path}: …${text.slice(Math.max(0, at - 60), at + spelling.length)}`);
        if (path.includes(spelling)) leaks.push(path);
      }
    }
  }
  return [...new Set(leaks)];
}

/** Pages of a database also hold what is left of paths that were moved to another one, cut anywhere behind the secret. */
function withoutPaths(content: string): string {
  const names = inNames.flatMap((name) =>
    samples
      .map(({ secret }) => oneLine(secret))
      .flatMap((secret) => (name.includes(secret) ? [`/${name.slice(0, name.indexOf(secret) + secret.length)}`] : [])),
  );
  // The symbol of a module is its path, in backticks.
  const spelled = names.flatMap((name) => [name, `/\`${name.slice(1)}`]);
  return spelled.reduce((text, name) => text.replaceAll(Buffer.from(name).toString('latin1'), ''), content);
}

function plantedRepo(): FixtureRepo {
  const files: Record<string, string> = {
    'src/config.ts': `/*\n${everyText}\n*/\nexport const a = 1;\n`,
    'src/index.test.ts': `test('x', () => {});\n// ${lines.join('\n// ')}\n`,
    'README.md': `# ${lines[0]}\n\n${everyText}\n`,
    'AGENTS.md': `# ${lines[3]}\n\n${everyText}\n`,
    CODEOWNERS: lines.map((line) => `* @${line}`).join('\n'),
    Dockerfile: `${dockerfile}\nFROM node:22\n${lines.map((line, index) => `ENV A${index} ${line}`).join('\n')}\nCMD ["sh", "-c", ${JSON.stringify(lines[5])}]\n`,
    'compose.yaml': JSON.stringify({ services: { db: { image: 'pg', environment: named, command: named } } }),
    'k8s/deployment.yaml': JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', annotations: Object.fromEntries(lines.map((line, index) => [`a${index}`, line])) },
      spec: { template: { spec: { containers: [{ name: 'a', image: 'a', args: named }] } } },
    }),
    '.github/workflows/ci.yml': JSON.stringify({
      name: lines[2],
      on: 'push',
      env: Object.fromEntries(lines.map((line, index) => [`V${index}`, line])),
      jobs: {
        build: {
          name: lines[7],
          'runs-on': 'ubuntu',
          steps: named.map((line) => ({ name: line, run: `echo a\n${line}` })),
        },
      },
    }),
    'package.json': JSON.stringify({
      name: 'a',
      version: '1.0.0',
      description: everyText,
      author: lines[1],
      scripts: Object.fromEntries(named.map((line, index) => [`s${index}`, line])),
      dependencies: Object.fromEntries(named.map((line, index) => [`d${index}`, line])),
      engines: { node: lines[4] },
    }),
    Makefile: `all:\n\techo ${named.join('\n\techo ')}\n`,
    '.nvmrc': `${gitToken}\n`,
    '.codegenie/notes/a.md': `---\ntitle: ${JSON.stringify(lines[6])}\n---\n# ${lines[8]}\n\n${everyText}\n`,
    '.codegenie/skills/a/SKILL.md': `---\nname: a\ndescription: ${JSON.stringify(everyText)}\n---\n${everyText}\n`,
    '.codegenie/conventions/a.yaml': JSON.stringify({
      rules: named.map((line, index) => ({ id: `r${index}`, description: line, kind: 'missing_file', pattern: line })),
    }),
    '.codegenie/exceptions.yaml': JSON.stringify(
      lines.map((line) => ({ repo_glob: '*', task: '*', reason: line, expires: '2999-01-01', approver: line })),
    ),
    '.codegenie/config.yaml': JSON.stringify({ image_build: { args: [`TOKEN=${gitToken}`, ...lines] } }),
  };
  for (const [index, line] of lines.entries()) {
    files[`docs/adr/${String(index + 1).padStart(4, '0')}-a.md`] =
      `# ${index + 1}. ${line}\n\n## Status\n\n${line}\n\n## Context\n\n${everyText}\n`;
  }
  for (const line of inNames) {
    files[`names/${line}.ts`] = 'export {};\n';
    files[`names/${line}/package.json`] = '{"name": "b", "scripts": {"test": "x"}}';
    files[`docs/adr/${line}.md`] = '# A title\n';
    files[`.github/workflows/${line}.yml`] = 'on: push\njobs: [broken\n';
  }
  const made = createFixtureRepo(files, { uncommitted: '.codegenie' });
  made.git('commit', '-q', '--allow-empty', '-m', everyText);
  made.git('checkout', '-q', '-b', `deploy/${gitToken}`);
  made.git(
    'remote',
    'add',
    'origin',
    `https://app:${(secretSamples.url_credentials[0] as SecretSample).secret}@example.com/org/${vaultToken}.git`,
  );
  return made;
}

describe('G22 planted secrets of every class are in nothing that was written', () => {
  const echo = echoProbe(
    'echo',
    ['**/*.{ts,md,json,yaml,yml}', 'Dockerfile', 'CODEOWNERS', '.codegenie/notes/**/*.md'],
    {
      configKeys: ['image_build.args'],
    },
  );
  // The memo of hashes only remembers files that are older than a moment: the clock of these gathers is a little ahead.
  const ahead = { nowMs: () => Date.now() + 60_000 };

  function expectClean(of: FixtureRepo, what: string): void {
    const written = of.written();
    expect(Object.keys(written).length, what).toBeGreaterThan(20);
    expect(leaksOf(written), what).toEqual([]);
  }

  test('G22 cold, warm, and with the report asked again', async () => {
    repo = plantedRepo();
    const settings = { probes: [...probes, echo], ...ahead };
    const cold: Published = await repo.publish({}, settings);
    expect(cold.envelope.redaction.count).toBeGreaterThan(samples.length);
    expect(cold.envelope.redaction.fingerprints.length).toBeGreaterThan(20);
    const documents = Object.entries(repo.written()).filter(([path]) =>
      /context\/(?:repo-context\.yaml$|raw\/(?!.*\.db$))/.test(path),
    );
    expect(documents.length).toBeGreaterThan(5);
    const placeholders = documents.flatMap(([, text]) => text.match(/<REDACTED:fingerprint=[0-9a-f]{8}>/g) ?? []);
    expect(cold.envelope.redaction.count).toBe(placeholders.length);
    expectClean(repo, 'cold');
    const warm = await repo.publish({}, settings);
    expect(warm.envelope.probes['echo']?.cache.state).toBe('hit');
    expectClean(repo, 'warm');

    const asked = await repo.workspace(settings).report();
    if (asked.kind !== 'report') throw new Error(asked.kind);
    const explained = await repo.workspace(settings).explain('echo.rows');
    if (explained.kind !== 'explained') throw new Error(explained.kind);
    expect(leaksOf({ report: asked.markdown, explained: explained.text })).toEqual([]);
    expect(await repo.workspace(settings).audit()).toMatchObject({ kind: 'audited', findings: [] });
  });

  test.each([3, 9, 17, 29, 41])('G22 nothing is left in the clear by a gather that was killed at step %i', (killAt) => {
    repo = plantedRepo();
    repo.write('a/x.ts', everyText);
    repo.write('b/y.ts', everyText);
    const child = fileURLToPath(new URL('../support/gather-child.ts', import.meta.url));
    const run = spawnSync(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      child,
      repo.root,
      repo.home,
      String(killAt),
    ]);
    expect(run.signal).toBe('SIGKILL');
    expect(Object.keys(repo.written()).length).toBeGreaterThan(8);
    expect(leaksOf(repo.written())).toEqual([]);
  });

  test('G22 a secret in the name of the directory that was gathered', async () => {
    repo = createFixtureRepo({ 'a.ts': '' });
    const nested = `found ${vaultToken} here`;
    repo.write(`${nested}/a.ts`, 'export {};');
    const { createLocalWorkspace } = await import('../../src/serve/workspace/local-workspace.ts');
    const outcome = await createLocalWorkspace({
      root: `${repo.root}/${nested}`,
      home: repo.home,
      isGit: false,
      environment: { PATH: quickPath() },
      cliVersion: '0.0.0',
      nowMs: Date.now,
      signal: new AbortController().signal,
      pool: sharedPool(),
    }).gather({ task: null, only: null, skip: [], mode: 'default', maxConcurrency: null, onProgress: () => {} });
    if (outcome.kind !== 'published') throw new Error(outcome.kind);
    expect(JSON.stringify(outcome.envelope)).not.toContain(vaultToken);
  });
});

test('G23 what only looks like a secret is published as it stands', async () => {
  const mutations = samples.map((sample) => sample.mutation);
  const hashes = [
    `sha512-${Buffer.from(scrambled(64, 'abcdefghijklmnopqrstuvwxyz0123456789', 3)).toString('base64')}`,
    `sha256:${'0123456789abcdef'.repeat(4)}`,
    '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    '<REDACTED:fingerprint=0a1b2c3d>',
    `\${{ secrets.DEPLOY_TOKEN }}`,
  ];
  const files = Object.fromEntries([...mutations, ...hashes].map((text, index) => [`notes/${100 + index}.txt`, text]));
  repo = createFixtureRepo(files);
  const { envelope } = await repo.publish({}, { probes: [echoProbe('echo', ['notes/*.txt'])] });
  const { rows } = envelope['echo'] as { rows: { path: string; text: string }[] };
  expect(Object.fromEntries(rows.map((row) => [row.path, row.text]))).toEqual(files);
  // What the repository itself holds, in the section and in two artifacts.
  expect(envelope.redaction).toEqual({ count: 3, fingerprints: ['0a1b2c3d'] });
});
