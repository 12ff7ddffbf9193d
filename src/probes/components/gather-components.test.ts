import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../gather/contract.ts';
import { createFileScope, type ScopeFile } from '../../kernel/tree/file-scope.ts';
import { gatherComponents } from './gather-components.ts';

function repoOf(paths: readonly string[]): ProbeRepo {
  const files = paths.map((path): ScopeFile => ({ path, kind: 'file', size: 10, tracked: true, stat: {} as never }));
  const scope = createFileScope('/r', files, []);
  return { scope, inputs: { list: () => paths } } as unknown as ProbeRepo;
}

test('the members of a workspace are what the manager says, without the root', async () => {
  const upstream = {
    language_detection: {
      value: { monorepo: { tool: 'workspaces', markers: ['package.json#workspaces'] } },
      artifacts: {},
    },
    node_build_system: { value: { workspaces: [{ path: 'packages/b' }, { path: '.' }, { path: 'a' }] }, artifacts: {} },
  };
  const ctx = { upstream, config: { 'languages.extra_extensions': {} } };
  const output = await gatherComponents(
    repoOf(['package.json', 'a/package.json', 'a/x.ts', 'bench/package.json']),
    ctx,
  );
  expect(output.slice?.['components']).toMatchObject({
    workspace: { tool: 'workspaces', declared_in: 'package.json', members: ['a', 'packages/b'] },
    components: [
      { dir: '.' },
      { dir: 'a', kind: 'package', language: 'typescript' },
      { dir: 'bench', kind: 'benchmark' },
    ],
  });
});
