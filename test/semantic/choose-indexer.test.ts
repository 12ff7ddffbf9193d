/** Which indexer reads TypeScript: `scip.indexer` for all, `.codegenie/contexts.json` for one context; and what becomes of the other's facts. */

import { afterEach, expect, test } from 'vitest';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"types":[]},"include":["src"]}',
  'tools/tsconfig.json': '{"compilerOptions":{"types":[]}}',
  'src/price.ts': 'export interface Price { net: number }\nexport const price = (of: Price): number => of.net;\n',
  'src/cart.ts': "import { price } from './price';\nexport const total = price({ net: 1 });\n",
  'tools/print.ts': 'export const print = 1;\n',
};
const everywhere = ['src/cart.ts:2:30', 'src/price.ts:1:26', 'src/price.ts:2:48'];

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

async function indexersOf(): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await repo.run('status', '--json');
  type Contexts = readonly { readonly key: string; readonly indexer: string; readonly tool: string | null }[];
  const { contexts } = (JSON.parse(stdout) as { semantic: { contexts: Contexts } }).semantic;
  return Object.fromEntries(contexts.map(({ key, tool }) => [key, tool?.replace(/@.*/, '') ?? '']));
}

test('the configuration chooses it for all contexts, contexts.json for one', async () => {
  repo = createSemanticRepo({ ...files, '.codegenie/config.yaml': 'scip.indexer: scip-typescript\n' });
  const [first, second] = ['ts:tools/tsconfig.json', 'ts:tsconfig.json'];
  expect(await indexersOf()).toEqual({ [first]: 'scip-typescript', [second]: 'scip-typescript' });
  const contexts = [{ key: first, indexer: 'tsgo' }];
  repo.write('.codegenie/contexts.json', JSON.stringify({ version: 1, contexts }));
  expect(await indexersOf()).toEqual({ [first]: 'tsgo', [second]: 'scip-typescript' });
  repo.write('.codegenie/config.yaml', 'scip.indexer: tsgo\n');
  expect(await indexersOf()).toEqual({ [first]: 'tsgo', [second]: 'tsgo' });
});

test('T7 what another indexer said is not fresh, is said until the new one has run, and is then replaced', async () => {
  repo = createSemanticRepo({ ...files, '.codegenie/config.yaml': 'scip.indexer: scip-typescript\n' });
  expect((await repo.index()).semantic).toMatchObject({ state: 'clean' });
  const before = await repo.status();
  repo.write('.codegenie/config.yaml', 'scip.indexer: tsgo\n');
  // Nothing is lost by the choice alone, and nothing passes for the new one's.
  const between = await repo.status();
  expect(between).toMatchObject({ state: 'partial', symbols: before.symbols, occurrences: before.occurrences });
  expect(between.files.by_freshness).toMatchObject({ clean: 0, unindexed: 3 });
  expect(between.unsettled.map(({ why }) => why)).toEqual(
    Array(3).fill('was indexed with another configuration or tool'),
  );
  expect(between.jobs).toMatchObject({ queued: 2 });
  const table = (await repo.run('status')).stdout;
  expect(table).toMatch(/^ {2}semantic +2 contexts: 3 indexed with another configuration or tool · 2 jobs queued/m);
  expect(table).toMatch(
    /^ {2}ts:tsconfig\.json +tsgo [\d.]+ +2 files +2 indexed with another configuration or tool · job queued$/m,
  );
  expect((await repo.run('index')).stdout).toContain('2 contexts: 3 indexed with another configuration or tool');
  // A file that was never indexed is told apart from them.
  repo.write('src/new.ts', 'export const fresh = 1;\n');
  expect((await repo.run('status')).stdout).toContain(
    '2 contexts: 1 not indexed yet, 3 indexed with another configuration or tool',
  );
  repo.remove('src/new.ts');
  const { stdout } = await repo.run('refs', 'src/price.ts:1:26', '--as-indexed', '--json');
  // A member is known by its type alone.
  expect(JSON.parse(stdout).count).toMatchObject({ value: 3, relation: 'gte' });
  // One run of each context; the next has nothing to do.
  const { refreshed, semantic } = await repo.index();
  expect(refreshed.jobs.map(({ context, by, accepted }) => `${context} ${by} ${accepted}`).sort()).toEqual([
    'ts:tools/tsconfig.json indexer 1',
    'ts:tsconfig.json indexer 2',
  ]);
  expect(semantic).toMatchObject({ state: 'clean' });
  expect(await repo.refs('src/price.ts:1:26')).toEqual(everywhere);
  expect((await repo.index()).refreshed.jobs).toEqual([]);
});

test('a name that is no indexer of this language is refused in words, wherever it stands', async () => {
  repo = createSemanticRepo({ ...files, '.codegenie/config.yaml': 'scip.indexer: scip-go\n' });
  const { code, stderr } = await repo.run('status');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/scip\.indexer.*tsgo/) });
  repo.remove('.codegenie/config.yaml');
  const contexts = [{ key: 'ts:tsconfig.json', indexer: 'scip-go' }];
  repo.write('.codegenie/contexts.json', JSON.stringify({ version: 1, contexts }));
  expect((await repo.run('status')).stdout).toContain('scip-go cannot read the files of "ts:tsconfig.json"');
});
