import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../gather/contract.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import type { ReadOutcome } from '../../kernel/tree/safe-read.ts';
import { readKustomize } from './kustomize.ts';

/** Files by path; a value of `link` stands for a symbolic link. */
function repoOf(files: Readonly<Record<string, string>>): ProbeRepo {
  const read = async (path: string): Promise<ReadOutcome> =>
    files[path] === 'link'
      ? { kind: 'failed', failure: { kind: 'symlink_refused' } }
      : { kind: 'read', bytes: new TextEncoder().encode(files[path]), hash: '' };
  const inputs = {
    list: (globs: readonly string[]) => Object.keys(files).filter(compileGlobs(globs)).sort(),
    has: (path: string) => Object.hasOwn(files, path),
    read,
  };
  return { root: '/r', inputs } as unknown as ProbeRepo;
}

async function warningsOf(files: Readonly<Record<string, string>>) {
  const { facts, outside, files: opened } = await readKustomize(repoOf(files));
  return { outside, opened: opened.length, warnings: [...new Set(facts.warnings.map(({ id }) => id))] };
}

const pod = 'kind: Pod\nmetadata: {name: p}\n';

test('G14 paths that leave the root and links are reported and not opened', async () => {
  expect(await warningsOf({ 'a/kustomization.yaml': 'resources: [../../x.yaml, /etc/passwd]' })).toEqual({
    outside: true,
    opened: 0,
    warnings: ['kustomization.resource_outside_repo'],
  });
  const linked = await warningsOf({ 'kustomization.yaml': 'resources: [link.yaml]', 'link.yaml': 'link' });
  expect(linked).toMatchObject({ outside: true, warnings: ['kustomization.resource_outside_repo'] });
});

test('G14 the walk is at most five deep and opens at most fifty files', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 8 }, (_, depth) => [`${'d/'.repeat(depth)}kustomization.yaml`, 'resources: [d]']),
  );
  expect((await warningsOf(chain)).warnings).toEqual(['kustomization.depth_cap_exceeded']);
  const names = Array.from({ length: 60 }, (_, n) => `p${n}.yaml`);
  const wide = Object.fromEntries(names.map((name) => [name, pod]));
  expect(await warningsOf({ ...wide, 'kustomization.yaml': `resources: [${names.join(', ')}]` })).toEqual({
    outside: false,
    opened: 50,
    warnings: ['kustomization.file_cap_exceeded'],
  });
});

test('kustomizations that name each other are walked once; a base named twice gives its workloads once', async () => {
  const circle = {
    'a/kustomization.yaml': 'resources: [../b, p.yaml]',
    'b/kustomization.yml': 'resources: [../a]',
    'a/p.yaml': pod,
  };
  expect((await readKustomize(repoOf(circle))).facts.workloads).toHaveLength(1);
  const twice = {
    'base/kustomization.yaml': 'resources: [p.yaml]',
    'base/p.yaml': pod,
    'overlays/a/kustomization.yaml': 'resources: [../../base]',
    'overlays/b/kustomization.yaml': 'bases: [../../base]\nimages: [{name: app, digest: "sha256:1"}]',
  };
  const { facts } = await readKustomize(repoOf(twice));
  expect(facts.workloads).toHaveLength(1);
  expect(facts.environments).toEqual([
    { name: 'a', file: 'overlays/a/kustomization.yaml', image_reference: null },
    { name: 'b', file: 'overlays/b/kustomization.yaml', image_reference: 'app@sha256:1' },
  ]);
});

test('remote resources are no paths of the repository', async () => {
  const remote = 'resources: ["https://example.com/a.yaml", "github.com/org/repo//base?ref=v1", "git@example.com:x/y"]';
  expect(await warningsOf({ 'kustomization.yaml': remote })).toEqual({ outside: false, opened: 0, warnings: [] });
});
