/**
 * The semantic index of the TypeScript sources, made by our own indexer or by scip-typescript: how much of the repository it covers, of
 * which commit and bytes it is, and what it could not see. The index itself is `scip-index.scip`, redacted; the slice is there on every path.
 */

import { defineProbe, type Slice } from '../../gather/contract.ts';
import { scipFreshness } from '../../gather/freshness/index-checks.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { configPathOf } from '../../languages/projects/context-spec.ts';
import { createToolClock } from '../shared/scanners.ts';
import { scipInputs, semanticIndexSection } from './scip-index-section.ts';

const timeoutSeconds = 300;
const configsMax = 2_000;

export default defineProbe({
  name: 'scip_index',
  version: '0.2.0',
  layer: 'B',
  says: 'A SCIP index of the TypeScript sources: how much it covers, of which commit and bytes it is, what it could not see.',
  heaviness: 'heavy',
  sections: { semantic_index: semanticIndexSection },
  appliesToLanguages: ['javascript', 'typescript'],
  requires: [
    { probe: 'language_detection', select: selectCounts },
    {
      probe: 'node_build_system',
      select: (slice) => (isJsonObject(slice['build_system']) ? (slice['build_system']['workspaces'] ?? []) : []),
      optional: true,
    },
  ],
  extracts: ['reflection', 'typing'],
  declaredInputs: scipInputs,
  // Bases under names that no glob has, and what the user adds. Installed packages are no part of the repository.
  async deriveInputs(repo, ctx) {
    const { listWantedBases, withNeighbours } = await import('../shared/tsconfig.ts');
    const extra = ctx.config['scip.extra_projects'].flatMap((text) => configPathOf(text) ?? []);
    const configs = repo.inputs.list(['**/tsconfig*.json']).slice(0, configsMax);
    const isOwn = (path: string) => !isVendoredPath(path);
    const bases = await listWantedBases(repo, ctx, configs.filter(isOwn));
    return [...extra, ...withNeighbours(bases.filter(isOwn))];
  },
  configKeys: ['scip.indexer', 'scip.max_file_mb', 'scip.extra_projects'],
  tools: ['git', 'scip-typescript', 'tsgo'],
  timeoutSeconds,
  budget: { rssMb: 1000, rawArtifactMb: 512 },
  artifacts: ['scip-index.scip', 'scip.json'],
  warningIds: [
    'scip_index.timeout',
    'scip_index.exit_nonzero',
    'scip_index.tool_missing',
    'scip_index.head_unresolvable',
    'scip_index.no_documents',
    'scip_index.files_skipped',
    'scip_index.project_failed',
  ],
  errorIds: ['scip_index.raw_artifact_dir_unwritable', 'scip_index.output_undecodable', 'scip_index.index_failed'],
  confidenceRule:
    'low when the indexer failed, HEAD cannot be resolved or there is no TypeScript file; medium below 95 % coverage; else high',
  index: {
    name: 'scip',
    check: scipFreshness,
    detail: (slice) => ({
      coverage_pct: slice['coverage_pct'] ?? 0,
      files_indexed: slice['files_indexed'] ?? 0,
      files_in_repo: slice['files_in_repo'] ?? 0,
      indexer_version: slice['indexer_version'] ?? '',
    }),
  },
  async run(repo, ctx) {
    const leftS = createToolClock(repo, 'scip_index', timeoutSeconds);
    const { gatherScipIndex } = await import('./gather-scip-index.ts');
    return gatherScipIndex(repo, ctx, leftS);
  },
  examples: [
    {
      shows: 'two packages, one of which imports the other',
      files: {
        'package.json': '{"name":"shop","private":true,"workspaces":["packages/*"]}',
        'packages/core/package.json': '{"name":"@acme/core","version":"1.0.0","types":"./src/index.ts"}',
        'packages/core/tsconfig.json': '{"compilerOptions":{"composite":true},"include":["src"]}',
        'packages/core/src/index.ts': 'export const price = (n: number): any => n;\nconst hidden = 1;\n',
        'packages/app/package.json': '{"name":"app","version":"1.0.0"}',
        'packages/app/tsconfig.json':
          '{"compilerOptions":{"paths":{"@acme/core":["../core/src/index.ts"]}},"references":[{"path":"../core"}],"include":["src"]}',
        'packages/app/src/main.ts':
          "import { price } from '@acme/core';\nexport function run(name: string) { return import(name); }\nprice(1);\n",
      },
      gives: {
        semantic_index: {
          scip_index_uri: '.codegenie/context/raw/scip-index.scip',
          indexer: 'tsgo',
          files_indexed: 2,
          files_in_repo: 2,
          coverage_pct: 100,
          indexer_errors: 0,
          indexer_warnings: 0,
          dirty_at_index: [],
          projects: [
            { path: 'packages/app', synthesised: false, documents: 1 },
            { path: 'packages/core', synthesised: false, documents: 1 },
          ],
          files_missing: [],
          exported_symbols: 2,
          any_type_density: 0.3333,
          unresolved_dynamic_imports: 1,
          unresolved_computed_access: 0,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'scip-typescript, where it is chosen; a file of two projects is described once',
      files: {
        '.codegenie/config.yaml': 'scip.indexer: scip-typescript\n',
        'package.json': '{"name":"shop","version":"1.0.0"}',
        'tsconfig.json': '{"include":["src"]}',
        'tools/tsconfig.json': '{"include":["../src/price.ts","*.ts"]}',
        'src/price.ts': 'export const price = (n: number): number => n;\n',
        'src/cart.ts': "import { price } from './price';\nexport const total = price(1);\n",
        'tools/print.ts': "import { price } from '../src/price';\nprice(2);\n",
      },
      gives: {
        semantic_index: {
          scip_index_uri: '.codegenie/context/raw/scip-index.scip',
          indexer: 'scip-typescript',
          files_indexed: 3,
          files_in_repo: 3,
          coverage_pct: 100,
          indexer_errors: 0,
          indexer_warnings: 0,
          exported_symbols: 2,
          files_missing: [],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a file over the cap has no document, one with a syntax error has',
      files: {
        '.codegenie/config.yaml': 'scip.max_file_mb: 1\n',
        'tsconfig.json': '{"include":["src"]}',
        'src/broken.ts': 'export const a = ;\nfunction (\n',
        'src/good.ts': 'export const good = 1;\n',
        'src/large.ts': `export const large = '${'x'.repeat(1024 * 1024)}';\n`,
      },
      gives: {
        semantic_index: {
          files_indexed: 2,
          files_in_repo: 3,
          coverage_pct: 66.6,
          indexer_errors: 0,
          indexer_warnings: 1,
          files_missing: ['src/large.ts'],
        },
      },
      warnings: ['scip_index.files_skipped'],
      confidence: 'medium',
    },
    {
      shows: 'without any tsconfig a project is made up of all files',
      files: {
        'a.ts': "import { b } from './lib/b';\nexport const a = b;\n",
        'lib/b.ts': 'export const b = 1;\n',
        'c.js': 'x',
      },
      gives: {
        semantic_index: {
          files_indexed: 2,
          files_in_repo: 2,
          projects: [{ path: '.', synthesised: true, documents: 2 }],
          exported_symbols: 2,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'what a configuration leaves out is missing, what exclude.txt names is not asked for',
      files: {
        '.codegenie/exclude.txt': 'legacy\n',
        'tsconfig.json': '{"include":["src"],"exclude":["src/**/*.test.ts"]}',
        'src/a.ts': 'export const a = 1;\n',
        'src/a.test.ts': 'export {};\n',
        'legacy/old.ts': 'export const old = 1;\n',
      },
      gives: {
        semantic_index: { files_indexed: 1, files_in_repo: 2, coverage_pct: 50, files_missing: ['src/a.test.ts'] },
      },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows: 'a base may have any name',
      files: {
        'tsconfig.json': '{"extends":"./config/base.json"}',
        'config/base.json': '{"extends":"./deeper.json","compilerOptions":{"strict":true}}',
        'config/deeper.json': '{"include":["../src"]}',
        'src/a.ts': 'export const a = 1;\n',
        'other/b.ts': 'export const b = 1;\n',
      },
      gives: { semantic_index: { files_indexed: 1, files_in_repo: 2, files_missing: ['other/b.ts'] } },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows: 'a broken configuration costs its own project',
      files: {
        'good/tsconfig.json': '{}',
        'good/a.ts': 'export const a = 1;\n',
        'bad/tsconfig.json': '{"include": [',
        'bad/b.ts': 'export const b = 1;\n',
      },
      gives: { semantic_index: { files_indexed: 1, files_in_repo: 2, indexer_errors: 0, files_missing: ['bad/b.ts'] } },
      warnings: ['scip_index.project_failed'],
      confidence: 'medium',
    },
    {
      shows: 'JavaScript alone has nothing to index',
      files: { 'a.js': 'export const a = 1;\n' },
      gives: {
        semantic_index: {
          scip_index_uri: null,
          files_indexed: 0,
          files_in_repo: 0,
          coverage_pct: 0,
          indexer_errors: 0,
          projects: [],
        },
      },
      warnings: [],
      confidence: 'low',
    },
    {
      shows: 'without a commit the index is not known to be of any',
      files: { '(no git)': '', 'a.ts': 'export const a = 1;\n' },
      gives: { semantic_index: { last_indexed_commit: 'unknown', files_indexed: 1 } },
      warnings: ['scip_index.head_unresolvable'],
      confidence: 'low',
    },
    { shows: 'another language', files: { 'a.py': 'x = 1\n' }, gives: {}, skipped: 'language_mismatch' },
  ],
});

/** Of the languages in question: another document more is no reason to index again. */
function selectCounts(slice: Slice): Json {
  const stack = slice['language_stack'];
  const counts = isJsonObject(stack) && isJsonObject(stack['counts']) ? stack['counts'] : {};
  return { typescript: counts['typescript'] ?? 0, javascript: counts['javascript'] ?? 0 };
}
