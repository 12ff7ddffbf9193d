/** Items 2, 13, 14: links and paths that lead out of the repository are reported and never followed. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { isWritten, publishUnharmed, readContext, troubled } from '../support/hostile.ts';

/** Stands in every file outside the repository that a link leads to. */
const outsideText = 'only-the-outside-says-this';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

function link(path: string, target: string): void {
  mkdirSync(dirname(join(repo.root, path)), { recursive: true });
  symlinkSync(target, join(repo.root, path));
}

/** A directory beside the root with something for every probe that might come looking. */
function writeOutside(): string {
  const outside = join(repo.base, 'outside');
  const files = {
    'package.json': `{"name":"${outsideText}","scripts":{"build":"${outsideText}"}}`,
    'workflows/ci.yml': `on: push\njobs:\n  ${outsideText}:\n    runs-on: x\n`,
    'src/a.ts': `// ${outsideText}\n`,
    'adr/0001-x.md': `# ${outsideText}\n\n## Status\n\nAccepted\n`,
    'secret.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: ${outsideText}}\n`,
    'kustomization.yaml': `resources: [secret.yaml]\nnamePrefix: ${outsideText}\n`,
    'base.json': `{"compilerOptions":{"outDir":"${outsideText}"}}`,
    'AGENTS.md': `# ${outsideText}\n`,
    'rules.yaml': `rules: [{id: ${outsideText}, description: d, kind: missing_file, pattern: x}]\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outside, path)), { recursive: true });
    writeFileSync(join(outside, path), text);
  }
  return outside;
}

describe.each([
  ['listed by git', true],
  ['walked', false],
])('G2 a tree %s', (_, git) => {
  test('G2 leaf links out of the repository are refused by every probe that meets them', async () => {
    repo = createFixtureRepo(
      { 'src/own.ts': '1;\n', 'package.json': '{"name":"own","workspaces":["packages/*"]}' },
      { git },
    );
    const outside = writeOutside();
    link('packages/a/package.json', join(outside, 'package.json'));
    link('.github/workflows/ci.yml', '../../../outside/workflows/ci.yml');
    link('src/linked.ts', join(outside, 'src/a.ts'));
    link('docs/adr/0001-x.md', join(outside, 'adr/0001-x.md'));
    link('AGENTS.md', join(outside, 'AGENTS.md'));
    link('.codegenie/conventions/rules.yaml', join(outside, 'rules.yaml'));
    if (git) {
      repo.git('add', '-A', '--', ':!.codegenie');
      repo.git('commit', '-q', '-m', 'links');
    }
    const { envelope } = await publishUnharmed(repo);
    expect(isWritten(repo, outsideText)).toBe(false);
    expect(recordOf(envelope, 'language_detection').errors).toEqual(['package_json.symlink_refused']);
    expect(recordOf(envelope, 'ci').warnings).toContain('ci.workflow_parse_error');
    expect(recordOf(envelope, 'conventions').warnings).toContain('conventions.per_file_errors_present');
    // Only the link that leads out of the repository is not counted.
    expect(envelope['language_stack']).toMatchObject({ counts: { typescript: 1 } });
    for (const errors of Object.values(troubled(envelope))) expect(errors).toEqual(['package_json.symlink_refused']);
  });

  test('G2 directories that are links are boundaries: nothing behind them is seen', async () => {
    repo = createFixtureRepo({ 'src/own.ts': '1;\n', 'package.json': '{"name":"own"}' }, { git });
    const outside = writeOutside();
    link('.github', outside);
    link('lib', join(outside, 'src'));
    link('docs', outside);
    link('.codegenie/conventions', outside);
    const { envelope } = await publishUnharmed(repo);
    expect(isWritten(repo, outsideText)).toBe(false);
    expect(envelope['language_stack']).toMatchObject({ counts: { typescript: 1 } });
    expect(recordOf(envelope, 'ci').skip?.reason).toBe('not_applicable');
    expect(troubled(envelope)).toEqual({});
  });

  test('G2 links that lead in a circle end', async () => {
    repo = createFixtureRepo({ 'src/own.ts': '1;\n', 'package.json': '{"name":"own"}' }, { git });
    link('self', 'self');
    link('src/up', '..');
    link('a/b/root', repo.root);
    link('x', 'y');
    link('y', 'x');
    link('z.ts', 'z.ts');
    const { envelope } = await publishUnharmed(repo);
    expect(envelope['language_stack']).toMatchObject({ counts: { typescript: 1 } });
    expect(troubled(envelope)).toEqual({});
  });

  test('G2 a directory that is exchanged for a link after the last gather is noticed', async () => {
    repo = createFixtureRepo(
      { 'src/own.ts': '1;\n', 'package.json': '{}', '.github/workflows/ci.yml': 'on: push\n' },
      { git },
    );
    expect(recordOf((await repo.publish()).envelope, 'ci').status).toBe('ok');
    const outside = writeOutside();
    rmSync(join(repo.root, '.github'), { recursive: true });
    link('.github', outside);
    const { envelope } = await publishUnharmed(repo);
    expect(recordOf(envelope, 'ci').skip?.reason).toBe('not_applicable');
    expect(isWritten(repo, outsideText)).toBe(false);
  });
});

test('G13 package.json as a link to /etc/passwd is refused and its text is nowhere in the output', async () => {
  repo = createFixtureRepo({ 'src/a.ts': '1;\n', 'b/package.json': '{"name":"b"}' });
  link('package.json', '/etc/passwd');
  const { envelope } = await publishUnharmed(repo);
  for (const probe of ['language_detection', 'node_build_system', 'node_manifest']) {
    expect(recordOf(envelope, probe)).toMatchObject({ status: 'degraded', errors: ['package_json.symlink_refused'] });
  }
  expect(isWritten(repo, 'root:x:0')).toBe(false);
  expect(isWritten(repo, '/bin/bash')).toBe(false);
  expect(envelope.gather_status).toBe('partial');
  expect(readContext(repo)).toContain('package_json.symlink_refused');
});

test('G13 other files as links to /etc/passwd: none of them is read', async () => {
  repo = createFixtureRepo({ 'package.json': '{}', 'src/a.ts': '1;\n' });
  for (const path of [
    'tsconfig.json',
    'yarn.lock',
    '.nvmrc',
    'Dockerfile',
    'CODEOWNERS',
    'CLAUDE.md',
    '.gitlab-ci.yml',
    'go.mod',
  ])
    link(path, '/etc/passwd');
  const { envelope } = await publishUnharmed(repo);
  expect(isWritten(repo, 'root:x:0')).toBe(false);
  expect(recordOf(envelope, 'node_build_system').errors).toContain('tsconfig.symlink_refused');
  expect(recordOf(envelope, 'node_manifest').errors).toContain('yarn_lock.symlink_refused');
  expect(Object.values(envelope.probes).filter((record) => record.status === 'failed')).toEqual([]);
});

test('G14 kustomize resources outside the repository are named, never read', async () => {
  repo = createFixtureRepo({
    'deploy/kustomization.yaml': 'resources: [../../outside/secret.yaml, /etc/passwd, link.yaml, linked, own.yaml]\n',
    'deploy/own.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: own}\n',
  });
  const outside = writeOutside();
  link('deploy/link.yaml', join(outside, 'secret.yaml'));
  link('deploy/linked', outside);
  const { envelope } = await publishUnharmed(repo);
  const record = recordOf(envelope, 'deployment');
  expect(record.status).toBe('ok');
  expect(record.warnings).toContain('kustomization.resource_outside_repo');
  expect(isWritten(repo, outsideText)).toBe(false);
  expect(isWritten(repo, 'root:x:0')).toBe(false);
  expect(JSON.stringify(envelope['deployment'])).toContain('"own"');
  expect(troubled(envelope)).toEqual({});
});
