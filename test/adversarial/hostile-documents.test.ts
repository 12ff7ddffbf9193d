/** Items 10, 11, 12, 16: documents made to exhaust a parser cost their own probe a typed id, and no other anything. */

import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import { createFixtureRepo, type FixtureRepo, recordOf, stableText } from '../support/fixture-repo.ts';
import { isWritten, publishUnharmed, troubled } from '../support/hostile.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const MiB = 1024 * 1024;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const tenfold = (name: string) => Array.from({ length: 10 }, () => `*${name}`).join(', ');
const billionLaughs = [
  'a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...[...'bcdefghi'].map((name, index) => `${name}: &${name} [${tenfold('abcdefghi'[index] ?? 'a')}]`),
].join('\n');
const wideAliases = `a: &a {k: v, l: w}\nb: [${Array.from({ length: 60_000 }, () => '*a').join(', ')}]\n`;

const diagnosticsOf = (envelope: Envelope, probe: string) =>
  recordOf(envelope, probe).diagnostics.map(({ id, path, detail }) => [id, path, detail]);

describe('G10 YAML that grows', () => {
  test.each([
    ['deep nesting', `x: ${nested(5_000)}\n`, 'depth_cap_exceeded'],
    [
      'deep nesting in block style',
      Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
      'depth_cap_exceeded',
    ],
    ['a wide chain of aliases', wideAliases, 'expansion_cap_exceeded'],
    ['a billion laughs', billionLaughs, 'expansion_cap_exceeded'],
  ])('G10 %s ends in a typed id wherever YAML is read', async (_, text, failure) => {
    repo = createFixtureRepo({
      'package.json': '{"name":"x","workspaces":["packages/*"]}',
      'pnpm-lock.yaml': text,
      '.github/workflows/ci.yml': text,
      'deploy/kustomization.yaml': text,
      '.codegenie/conventions/house.yaml': text,
      'src/a.ts': '1;\n',
    });
    const { envelope } = await publishUnharmed(repo);
    expect(diagnosticsOf(envelope, 'ci')).toEqual([['ci.workflow_parse_error', '.github/workflows/ci.yml', failure]]);
    expect(diagnosticsOf(envelope, 'deployment')).toEqual([
      ['deployment.manifest_parse_error', 'deploy/kustomization.yaml', failure],
    ]);
    expect(recordOf(envelope, 'conventions').warnings).toEqual(['conventions.per_file_errors_present']);
    expect(troubled(envelope)).toEqual({ node_manifest: ['pnpm_lock.depth_cap_exceeded'] });
    expect(envelope.gather_status).toBe('partial');
  });

  test('G10 custom tags have no effect: the text behind them is text', async () => {
    repo = createFixtureRepo({
      '.github/workflows/ci.yml': [
        'on: push',
        'jobs:',
        '  a:',
        '    runs-on: !!js/function "function () { process.exit(7) }"',
        '    steps:',
        '      - run: !<tag:yaml.org,2002:python/object/apply:os.system> touch pwned',
        '      - {run: !!binary "dG91Y2ggcHduZWQ=", uses: !Include /etc/passwd}',
      ].join('\n'),
      'src/a.ts': '1;\n',
    });
    const { envelope } = await publishUnharmed(repo);
    expect(recordOf(envelope, 'ci').status).toBe('ok');
    expect(envelope['ci']).toMatchObject({
      jobs: [{ id: 'a', runs_on: ['function () { process.exit(7) }'], steps: 2 }],
    });
    expect(isWritten(repo, 'root:x:0')).toBe(false);
    expect(troubled(envelope)).toEqual({});
  });

  test('G10 a hostile configuration file is an error that names it, and the last good context stays', async () => {
    repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
    await repo.publish();
    const context = repo.written()['context/repo-context.yaml'];
    for (const text of [billionLaughs, nested(100), 'a: 1\na: 2\n']) {
      repo.write('.codegenie/config.yaml', text);
      expect(await repo.gather()).toMatchObject({
        kind: 'config_invalid',
        problems: [{ file: '.codegenie/config.yaml' }],
      });
    }
    expect(repo.written()['context/repo-context.yaml']).toBe(context);
  });
});

describe('G11 JSON', () => {
  test('G11 nesting of 10 000 is a typed error of each reader', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    repo = createFixtureRepo({
      'package.json': deep,
      'package-lock.json': deep,
      'src/a.ts': '1;\n',
      'tsconfig.json': deep,
    });
    const { envelope } = await publishUnharmed(repo);
    expect(troubled(envelope)).toEqual({
      language_detection: ['package_json.depth_cap_exceeded'],
      node_build_system: ['package_json.depth_cap_exceeded', 'tsconfig.depth_cap_exceeded'],
      node_manifest: ['npm_lock.depth_cap_exceeded', 'package_json.depth_cap_exceeded'],
      scip_index: ['scip_index.index_failed'],
      semantic_index_meta: ['semantic_index_meta.tsconfig_unparseable'],
    });
    // What does not depend on the broken file is there all the same.
    expect(envelope['language_stack']).toMatchObject({ counts: { typescript: 1 }, primary: 'typescript' });
  });

  test('G11 `__proto__` and `constructor` are data: nothing is inherited from them', async () => {
    repo = createFixtureRepo({
      'package.json': `{
        "__proto__": {"name": "polluted", "scripts": {"build": "polluted"}, "engines": {"node": "6"}},
        "constructor": {"prototype": {"polluted": true}},
        "scripts": {"__proto__": "echo own", "toString": "echo own"},
        "dependencies": {"__proto__": "1.0.0", "constructor": "1.0.0"}
      }`,
      'package-lock.json': `{"__proto__": {"lockfileVersion": 1}, "lockfileVersion": 3,
        "packages": {"__proto__": {"version": "9.9.9"}, "node_modules/hasOwnProperty": {"version": "1.0.0"}}}`,
      'tsconfig.json':
        '{"__proto__": {"compilerOptions": {"outDir": "polluted"}}, "compilerOptions": {"__proto__": {"strict": true}}}',
      'src/a.ts': '1;\n',
    });
    const { envelope } = await publishUnharmed(repo);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(isWritten(repo, 'polluted')).toBe(false);
    expect(envelope['build_system']).toMatchObject({
      commands: [
        { name: '__proto__', command: 'echo own' },
        { name: 'toString', command: 'echo own' },
      ],
      node_version_constraint: null,
    });
    expect(envelope['manifests']).toMatchObject({
      primary: { name: null, direct_dependencies: { runtime: 2 }, lockfile: { format: 'npm-3' } },
    });
    expect(troubled(envelope)).toEqual({});
    expect(stableText((await repo.publish()).envelope)).toBe(stableText(envelope));
  });

  test('G11 of duplicate keys the last one wins', async () => {
    repo = createFixtureRepo({
      'package.json': '{"name":"first","scripts":{"build":"a"},"name":"last","scripts":{"build":"b","build":"c"}}',
      'src/a.ts': '1;\n',
    });
    const { envelope } = await publishUnharmed(repo);
    expect(envelope['manifests']).toMatchObject({ primary: { name: 'last' } });
    expect(envelope['build_system']).toMatchObject({ commands: [{ name: 'build', command: 'c' }] });
    expect(diagnosticsOf(envelope, 'node_manifest')).toEqual([
      ['input.duplicate_key', 'package.json', 'name'],
      ['input.duplicate_key', 'package.json', 'scripts'],
      ['input.duplicate_key', 'package.json', 'build'],
    ]);
  });
});

describe('G12 files that are too large are not read', () => {
  /** A hole of that size: it takes no disk, and a program that reads it takes that much memory. */
  function writeHole(path: string, head: string, bytes: number): void {
    writeFileSync(join(repo.root, path), head);
    truncateSync(join(repo.root, path), bytes);
  }

  test('G12 a package.json of one 600 MB string and a lockfile of 60 MB', async () => {
    repo = createFixtureRepo({ 'src/a.ts': '1;\n' });
    writeHole('package.json', '{"name":"', 600 * MiB);
    writeHole('package-lock.json', '{"lockfileVersion":3', 60 * MiB);
    const before = process.memoryUsage.rss();
    const { envelope } = await publishUnharmed(repo);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MiB);
    expect(troubled(envelope)).toEqual({
      language_detection: ['package_json.size_cap_exceeded'],
      node_build_system: ['package_json.size_cap_exceeded'],
      node_manifest: ['npm_lock.size_cap_exceeded', 'package_json.size_cap_exceeded'],
    });
    expect(recordOf(envelope, 'node_manifest').cache.state).toBe('bypass');
    expect(envelope['language_stack']).toMatchObject({ primary: 'typescript' });
  });

  test.each([
    ['pnpm-lock.yaml', 'pnpm_lock.size_cap_exceeded'],
    ['yarn.lock', 'yarn_lock.size_cap_exceeded'],
    ['bun.lock', 'bun_lock.size_cap_exceeded'],
  ])('G12 a %s of 60 MB', async (path, id) => {
    repo = createFixtureRepo({ 'package.json': '{"name":"x"}', 'src/a.ts': '1;\n' });
    writeHole(path, '#', 60 * MiB);
    const { envelope } = await publishUnharmed(repo);
    expect(troubled(envelope)).toEqual({ node_manifest: [id] });
  });

  test('G12 exactly at the cap a manifest is read, one byte more is refused', async () => {
    const document = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
    repo = createFixtureRepo({ 'package.json': document(5 * MiB) });
    expect(recordOf((await repo.publish()).envelope, 'language_detection').status).toBe('ok');
    repo.write('package.json', document(5 * MiB + 1));
    expect(recordOf((await repo.publish()).envelope, 'language_detection').errors).toEqual([
      'package_json.size_cap_exceeded',
    ]);
  });
});

describe('G16 text made to be slow', () => {
  test('G16 a yarn.lock of 5 MB, 5 000 unclosed expressions in a workflow and a regex that backtracks', async () => {
    const count = 40_000;
    const packages = Array.from(
      { length: count },
      (_, n) =>
        `p${n}@^1.0.0:\n  version "1.0.${n}"\n  resolved "https://registry.yarnpkg.com/p${n}/-/p${n}.tgz#${'ab'.repeat(20)}"\n`,
    );
    const lock = `# yarn lockfile v1\n\n\n${packages.join('\n')}`;
    expect(lock.length).toBeGreaterThan(5 * MiB);
    repo = createFixtureRepo({
      'package.json': '{"name":"x","dependencies":{"p1":"^1.0.0"}}',
      'yarn.lock': lock,
      '.github/workflows/ci.yml': `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo "${'${{ secrets.'.repeat(5_000)}"\n`,
      'slow.txt': `${'a'.repeat(60)}b\n`,
      '.codegenie/conventions/house.yaml': [
        'rules:',
        '  - {id: fine, description: d, kind: file_pattern, pattern: "b$", file_glob: "*.txt"}',
        '  - {id: slow, description: d, kind: file_pattern, pattern: "^(a+)+$", file_glob: "*.txt"}',
      ].join('\n'),
    });
    const { envelope } = await publishUnharmed(repo);
    expect(envelope['manifests']).toMatchObject({ primary: { lockfile: { total_packages_resolved: count } } });
    expect(recordOf(envelope, 'ci').status).toBe('ok');
    expect(recordOf(envelope, 'conventions')).toMatchObject({ status: 'ok', warnings: ['conventions.rule_timeout'] });
    const { conventions } = envelope['organizational'] as {
      conventions: { results: { id: string; result: string }[] };
    };
    expect(conventions.results).toMatchObject([
      { id: 'fine', result: 'pass' },
      { id: 'slow', result: 'error' },
    ]);
    expect(troubled(envelope)).toEqual({});
  });

  test.each([
    ['unclosed braces', '{'.repeat(5_000)],
    ['secrets without an end', '${{ secrets.A && '.repeat(5_000)],
    ['a very long name', `\${{ secrets.${'A'.repeat(100_000)} }}`],
    ['dots', '${{ secrets.a.'.repeat(5_000)],
  ])('G16 a workflow step of %s is read in bounded time', async (_, text) => {
    repo = createFixtureRepo({
      '.github/workflows/ci.yml': `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          echo ${text}\n`,
    });
    const { envelope } = await publishUnharmed(repo, { only: ['ci'] });
    expect(recordOf(envelope, 'ci')).toMatchObject({ status: 'ok' });
    expect(envelope['ci']).toMatchObject({ jobs: [{ id: 'a', steps: 1 }] });
  });
});
