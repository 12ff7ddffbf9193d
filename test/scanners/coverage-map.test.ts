/** Coverage reports joined to symbols and tests, through whole gathers with the index and the import graph. */

import { afterEach, expect, test } from 'vitest';
import { mappedShop } from '../../src/probes/test-coverage-mapping/example-shop.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

type Link = { test_id: string; via: string | null; exercises: string[]; exercises_unknown: boolean };
type CoverageMap = {
  outcome: { kind: string; reason?: string };
  format: string | null;
  files_seen: number;
  files_outside_repo: number;
  symbols: { symbol: string; hit: boolean; lines_covered: number; lines_total: number }[];
  tests: Link[];
  untested_exported_symbols: { value: number; relation: string; sample: string[] };
};

const withGraph = ['test_coverage_mapping', 'tree_sitter_import_graph', 'test_inventory'];

async function mapOf(files: Record<string, string>, only: readonly string[] = withGraph) {
  repo = createFixtureRepo(files);
  const { envelope } = await repo.publish({ only: [...only] });
  return {
    map: (envelope as unknown as Record<string, unknown>)['test_coverage_map'] as CoverageMap,
    record: recordOf(envelope, 'test_coverage_mapping'),
    raw: JSON.parse(repo.written()['context/raw/test-coverage-map.json'] ?? 'null') as { tests: Link[] } | null,
  };
}

const links = ({ tests }: { tests: Link[] }) =>
  tests.map(({ test_id, via, exercises }) => [test_id, via, ...exercises]);
const scip = (descriptors: string) => `scip-typescript npm shop 1.0.0 ${descriptors}`;

test('a test has the covered symbols it names, and those that these refer to', async () => {
  const { map, record, raw } = await mapOf(mappedShop, [...withGraph, 'scip_index']);
  expect(map.symbols.map(({ symbol, hit }) => [symbol, hit])).toEqual([
    [scip('src/`cart.ts`/Cart#'), true],
    [scip('src/`cart.ts`/Cart#add().'), true],
    [scip('src/`cart.ts`/Cart#clear().'), false],
    [scip('src/`price.ts`/price().'), true],
    [scip('src/`price.ts`/refund().'), false],
  ]);
  expect(links(map)).toEqual([
    ['src/cart.test.ts', 'import_reach', scip('src/`price.ts`/price().')],
    ['src/cart.test.ts', 'scip_reference', scip('src/`cart.ts`/Cart#'), scip('src/`cart.ts`/Cart#add().')],
  ]);
  expect(map.untested_exported_symbols).toEqual({
    value: 2,
    relation: 'eq',
    sample: [scip('src/`cart.ts`/Cart#clear().'), scip('src/`price.ts`/refund().')],
  });
  expect(record).toMatchObject({ warnings: [], confidence: 'medium' });
  expect(raw?.tests.map(({ exercises }) => exercises)).toEqual(map.tests.map(({ exercises }) => exercises));
});

test('without an index a test reaches what the files it imports define, barrels included, if it ran', async () => {
  const { map, record } = await mapOf(mappedShop);
  expect(links(map)).toEqual([['src/cart.test.ts', 'import_reach', 'src/cart.ts#Cart', 'src/cart.ts#Cart/add']]);
  expect(record.warnings).toEqual(['test_coverage_mapping.no_semantic_index']);

  repo?.dispose();
  const barrel = await mapOf({
    'shop/__init__.py': '',
    'shop/cart.py': 'def total(items):\n    return sum(items)\n\n\ndef tax(amount):\n    return amount\n',
    'tests/test_cart.py': 'from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n',
    'lib/index.js': "export * from './deep.js';\n",
    'lib/deep.js': 'export const deep = () => {\n  return 1;\n};\n',
    'lib/index.test.js': "import { deep } from './index.js';\nit('x', () => deep());\n",
    'lib/types.test.js': "import { gone } from './gone.js';\nit('x', () => gone());\n",
    'coverage/lcov.info':
      'SF:shop/cart.py\nDA:1,1\nDA:2,1\nDA:5,1\nDA:6,0\nend_of_record\nSF:lib/deep.js\nDA:1,1\nDA:2,1\nend_of_record\n',
  });
  expect(links(barrel.map)).toEqual([
    ['lib/index.test.js', 'import_reach', 'lib/deep.js#deep'],
    ['lib/types.test.js', null],
    ['tests/test_cart.py', 'import_reach', 'shop/cart.py#total'],
  ]);
  expect(barrel.map.tests.map(({ exercises_unknown }) => exercises_unknown)).toEqual([false, true, false]);
  expect(barrel.map.untested_exported_symbols).toEqual({ value: 1, relation: 'gte', sample: ['shop/cart.py#tax'] });
});

test('a report of a package has paths from there; a name for a whole run is no test', async () => {
  const { map } = await mapOf({
    '.codegenie/config.yaml': 'coverage.paths: [packages/a/coverage/lcov.info]\n',
    'src/x.js': 'export const root = () => 1;\n',
    'packages/a/src/x.js': 'export const mine = () => 1;\n',
    'packages/a/src/y.js': 'export const other = () => 1;\n',
    'packages/a/src/x.test.js': "import { mine } from './x.js';\nit('x', () => mine());\n",
    'packages/a/coverage/lcov.info':
      'TN:unit\nSF:src/x.js\nDA:1,1\nend_of_record\nSF:src/y.js\nDA:1,0\nend_of_record\nSF:../../../other/z.js\nDA:1,1\nend_of_record\n',
  });
  expect(map.symbols.map(({ symbol, hit }) => [symbol, hit])).toEqual([
    ['packages/a/src/x.js#mine', true],
    ['packages/a/src/y.js#other', false],
  ]);
  expect(map).toMatchObject({ files_seen: 3, files_outside_repo: 1 });
  expect(links(map)).toEqual([['packages/a/src/x.test.js', 'import_reach', 'packages/a/src/x.js#mine']]);
});

test('a report over the cap is said, and another one still counts', async () => {
  repo = createFixtureRepo({ 'src/a.js': 'export const a = () => 1;\n' });
  repo.write('coverage/lcov.info', new Uint8Array(50 * 1024 * 1024 + 1).fill(0x0a));
  const only = { only: withGraph };
  const alone = await repo.publish(only);
  const mapAlone = (alone.envelope as unknown as Record<string, CoverageMap>)['test_coverage_map'];
  expect(mapAlone).toMatchObject({ outcome: { kind: 'failed' }, format: null });
  expect(recordOf(alone.envelope, 'test_coverage_mapping')).toMatchObject({
    warnings: ['coverage.size_cap_exceeded'],
    confidence: 'low',
  });
  repo.write(
    'coverage/coverage-final.json',
    JSON.stringify({ '/x/src/a.js': { statementMap: { 0: { start: { line: 1 } } }, s: { 0: 2 }, fnMap: {}, f: {} } }),
  );
  const both = await repo.publish(only);
  const map = (both.envelope as unknown as Record<string, CoverageMap>)['test_coverage_map'];
  expect(map).toMatchObject({ outcome: { kind: 'ran' }, format: 'istanbul', files_seen: 1 });
});

test('an empty report is nothing measured, not nothing untested', async () => {
  const { map, record } = await mapOf({ 'a.js': 'export const a = 1;\n', 'coverage/lcov.info': '' });
  expect(map.outcome).toMatchObject({ kind: 'failed', reason: 'nothing_scanned' });
  expect(map.untested_exported_symbols.relation).toBe('gte');
  expect(record.confidence).toBe('low');
});
