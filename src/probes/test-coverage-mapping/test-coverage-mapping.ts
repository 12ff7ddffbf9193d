/**
 * Which symbols the tests run, and which test runs which symbol, from coverage reports that lie in the repository. A report carries no
 * proof of the bytes it measured, and most do not say which test ran a line: every link says how it is known.
 */

import { defineProbe, type RepoSnapshot, type Slice } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { mappedShop } from './example-shop.ts';
import { coverageMapInputs, coverageMapSection } from './test-coverage-mapping-section.ts';

export default defineProbe({
  name: 'test_coverage_mapping',
  version: '0.1.3',
  layer: 'G',
  says: 'Which symbols the tests run and which test runs which symbol, from lcov and istanbul reports, with how each link is known.',
  heaviness: 'medium',
  sections: { test_coverage_map: coverageMapSection },
  requires: [
    { probe: 'scip_index', select: () => null, artifacts: ['scip-index.scip'], optional: true },
    { probe: 'tree_sitter_import_graph', select: () => null, artifacts: ['import-graph.json'], optional: true },
    { probe: 'test_inventory', select: selectTests, optional: true },
  ],
  declaredInputs: coverageMapInputs,
  configKeys: ['coverage.paths'],
  timeoutSeconds: 60,
  budget: { rssMb: 1000, rawArtifactMb: 256, truncateMb: 256 },
  artifacts: ['test-coverage-map.json'],
  warningIds: [
    'coverage.lcov_parse_error',
    'coverage.size_cap_exceeded',
    'coverage.lines_out_of_range',
    'test_coverage_mapping.files_missing',
    'test_coverage_mapping.no_semantic_index',
  ],
  confidenceRule:
    'low when no report could be read, nothing was mapped, a measured line lies beyond the end of its file or a measured file is gone; else medium, because a report carries no proof of the bytes it measured',
  applies: (repo) => hasReport(repo) || 'not_applicable',
  async run(repo, ctx) {
    const { gatherCoverageMap } = await import('./gather-test-coverage-mapping.ts');
    return gatherCoverageMap(repo, ctx);
  },
  examples: [
    {
      shows:
        'a vitest repository with both kinds of report: alone, symbols have the names of their files and tests are not linked',
      files: mappedShop,
      gives: {
        test_coverage_map: {
          outcome: { kind: 'ran' },
          format: 'both',
          files_seen: 2,
          files_outside_repo: 0,
          symbols: [
            {
              symbol: 'src/cart.ts#Cart',
              path: 'src/cart.ts',
              range: [2, 9],
              lines_covered: 2,
              lines_total: 3,
              hit: true,
            },
            {
              symbol: 'src/cart.ts#Cart/add',
              path: 'src/cart.ts',
              range: [4, 6],
              lines_covered: 1,
              lines_total: 1,
              hit: true,
            },
            {
              symbol: 'src/cart.ts#Cart/clear',
              path: 'src/cart.ts',
              range: [8, 8],
              lines_covered: 0,
              lines_total: 1,
              hit: false,
            },
            {
              symbol: 'src/price.ts#price',
              path: 'src/price.ts',
              range: [1, 3],
              lines_covered: 1,
              lines_total: 1,
              hit: true,
            },
            {
              symbol: 'src/price.ts#refund',
              path: 'src/price.ts',
              range: [4, 6],
              lines_covered: 0,
              lines_total: 1,
              hit: false,
            },
          ],
          symbols_total: 5,
          tests: [
            {
              test_id: 'src/cart.test.ts',
              test_file: 'src/cart.test.ts',
              exercises: [],
              exercises_total: 0,
              exercises_unknown: true,
              via: null,
            },
          ],
          tests_total: 1,
          untested_exported_symbols: {
            value: 2,
            relation: 'eq',
            sample: ['src/cart.ts#Cart/clear', 'src/price.ts#refund'],
          },
        },
      },
      warnings: ['test_coverage_mapping.no_semantic_index'],
      confidence: 'medium',
    },
    {
      shows: 'a report that tells tests apart, without an index: each test has the symbols it ran',
      files: {
        'lib/sum.js':
          'export function sum(a, b) {\n  return a + b;\n}\nexport function product(a, b) {\n  return a * b;\n}\n',
        'test/sum.test.js': "import { sum } from '../lib/sum.js';\nit('sums', () => sum(1, 2));\n",
        'test/product.test.js': "import { product } from '../lib/sum.js';\nit('multiplies', () => product(1, 2));\n",
        'scripts/smoke.sh': 'curl localhost\n',
        'coverage/lcov.info':
          'TN:sum\nSF:lib/sum.js\nDA:1,1\nDA:2,1\nDA:4,1\nDA:5,0\nend_of_record\nTN:product\nSF:lib/sum.js\nDA:1,1\nDA:2,0\nDA:4,1\nDA:5,1\nend_of_record\n',
      },
      gives: {
        test_coverage_map: {
          format: 'lcov',
          files_seen: 1,
          tests: [
            {
              test_id: 'product',
              test_file: 'test/product.test.js',
              exercises: ['lib/sum.js#product'],
              exercises_total: 1,
              exercises_unknown: false,
              via: 'per_test_coverage',
            },
            {
              test_id: 'scripts/smoke.sh',
              test_file: 'scripts/smoke.sh',
              exercises: [],
              exercises_total: 0,
              exercises_unknown: true,
              via: null,
            },
            {
              test_id: 'sum',
              test_file: 'test/sum.test.js',
              exercises: ['lib/sum.js#sum'],
              exercises_total: 1,
              exercises_unknown: false,
              via: 'per_test_coverage',
            },
          ],
          untested_exported_symbols: { value: 0, relation: 'eq', sample: [] },
        },
      },
      warnings: ['test_coverage_mapping.no_semantic_index'],
      confidence: 'medium',
    },
    {
      shows: 'a report from another machine and an older tree: files that are gone, lines beyond the end, packages',
      files: {
        'src/a.js': 'export const a = () => 1;\n',
        'src/b.js': 'export const b = () => 1;\n',
        'coverage/lcov.info': [
          'SF:/home/ci/shop/src/a.js\nFN:1,a\nFNDA:1,a\nDA:1,1\nend_of_record\n',
          'SF:/home/ci/shop/src/b.js\nFN:1,b\nFNDA:0,b\nDA:1,1\nDA:90,1\nend_of_record\n',
          'SF:/home/ci/shop/src/gone.js\nDA:1,1\nend_of_record\n',
          'SF:/home/ci/shop/node_modules/x/index.js\nDA:1,1\nend_of_record\n',
          'SF:/opt/lib/other.js\nDA:1,1\nend_of_record\n',
        ].join(''),
      },
      gives: {
        test_coverage_map: {
          files_seen: 5,
          files_outside_repo: 2,
          symbols: [
            { symbol: 'src/a.js#a', path: 'src/a.js', range: [1, 1], lines_covered: 1, lines_total: 1, hit: true },
            { symbol: 'src/b.js#b', path: 'src/b.js', range: [1, 1], lines_covered: 1, lines_total: 1, hit: false },
          ],
          untested_exported_symbols: { value: 1, relation: 'gte', sample: ['src/b.js#b'] },
        },
      },
      warnings: [
        'coverage.lines_out_of_range',
        'test_coverage_mapping.files_missing',
        'test_coverage_mapping.no_semantic_index',
      ],
      confidence: 'low',
    },
    {
      shows: 'a broken report is a failure, not a report of nothing',
      files: { 'a.js': 'export const a = 1;\n', 'coverage/lcov.info': 'SF:a.js\nDA:x\n' },
      gives: {
        test_coverage_map: {
          outcome: { kind: 'failed', exit_code: -1, reason: null },
          format: null,
          symbols: [],
          untested_exported_symbols: { value: 0, relation: 'gte', sample: [] },
        },
      },
      warnings: ['coverage.lcov_parse_error'],
      confidence: 'low',
    },
    {
      shows: 'a summary has no lines',
      files: {
        'a.js': 'export const a = 1;\n',
        'coverage/coverage-summary.json': '{"total":{"lines":{"total":4,"covered":3}}}',
      },
      gives: {},
      skipped: 'not_applicable',
    },
    { shows: 'no report', files: { 'a.js': 'export const a = 1;\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});

/** A path outside the root is looked at when the inputs are listed. */
function hasReport({ root, scope, config }: RepoSnapshot): boolean {
  return config['coverage.paths'].some((path) =>
    path.startsWith('/') && !path.startsWith(`${root}/`)
      ? true
      : scope.exists(path.startsWith('/') ? path.slice(root.length + 1) : path),
  );
}

function selectTests(slice: Slice): Json {
  const inventory = slice['test_inventory'];
  return isJsonObject(inventory)
    ? { framework: inventory['framework'] ?? null, smoke_test_path: inventory['smoke_test_path'] ?? null }
    : null;
}
