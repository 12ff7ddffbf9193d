import { defineProbe, type ProbeExample } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listOwnConfigs, metaInputs, semanticIndexMetaSection } from './semantic-index-meta-section.ts';

export default defineProbe({
  name: 'semantic_index_meta',
  version: '0.1.0',
  layer: 'B',
  says: 'TypeScript configurations: options after their bases, referenced projects, and how many files they mean',
  heaviness: 'light',
  timeoutSeconds: 10,
  appliesToLanguages: ['javascript', 'typescript'],
  requires: [
    {
      probe: 'node_build_system',
      select: (slice) => (isJsonObject(slice['build_system']) ? (slice['build_system']['typescript'] ?? null) : null),
      optional: true,
    },
  ],
  declaredInputs: metaInputs,
  // Bases under names that no glob has, and what lies beside them.
  async deriveInputs(repo, ctx) {
    const { listWantedBases, withNeighbours } = await import('../shared/tsconfig.ts');
    return withNeighbours(await listWantedBases(repo, ctx, listOwnConfigs(repo)));
  },
  sections: { semantic_index_meta: semanticIndexMetaSection },
  warningIds: ['semantic_index_meta.no_tsconfig', 'semantic_index_meta.extends_unresolved'],
  errorIds: ['semantic_index_meta.tsconfig_unparseable'],
  confidenceRule:
    'high; medium without a configuration or with a base that cannot be used; low with one that is no JSON',
  async run(repo, ctx) {
    const { gatherSemanticIndexMeta } = await import('./gather-semantic-index-meta.ts');
    return gatherSemanticIndexMeta(repo, ctx);
  },
  examples: examples(),
});

function examples(): readonly ProbeExample[] {
  return [
    {
      shows: 'a solution whose projects share a base',
      files: {
        'tsconfig.json': json({ files: [], references: [{ path: './packages/app' }, { path: './packages/lib' }] }),
        'config/base.json': json({
          compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, outDir: `\${configDir}/dist` },
        }),
        'packages/app/tsconfig.json': json({
          extends: '../../config/base.json',
          compilerOptions: { jsx: 'react-jsx' },
          include: ['src/**/*'],
          references: [{ path: '../lib' }],
        }),
        'packages/app/src/main.tsx': 'export {};\n',
        'packages/app/src/util.ts': 'export {};\n',
        'packages/app/src/util.js': '',
        'packages/lib/tsconfig.json': '// the defaults\n{ "extends": "../../config/base.json" }',
        'packages/lib/index.ts': 'export {};\n',
        'packages/lib/dist/index.d.ts': 'export {};\n',
      },
      gives: {
        semantic_index_meta: {
          configs: [
            {
              tsconfig_path: 'packages/app/tsconfig.json',
              has_extends: true,
              target: 'es2022',
              module: 'nodenext',
              module_resolution: null,
              strict: true,
              jsx: 'react-jsx',
              references: ['packages/lib/tsconfig.json'],
              include_globs: ['packages/app/src/**/*'],
              exclude_globs: ['packages/app/dist/**/*'],
              files_count_estimate: 2,
            },
            {
              tsconfig_path: 'packages/lib/tsconfig.json',
              has_extends: true,
              target: 'es2022',
              module: 'nodenext',
              module_resolution: null,
              strict: true,
              jsx: null,
              references: [],
              include_globs: ['packages/lib/**/*'],
              exclude_globs: ['packages/lib/dist/**/*'],
              files_count_estimate: 1,
            },
            {
              tsconfig_path: 'tsconfig.json',
              has_extends: false,
              target: null,
              module: null,
              module_resolution: null,
              strict: null,
              jsx: null,
              references: ['packages/app/tsconfig.json', 'packages/lib/tsconfig.json'],
              include_globs: [],
              exclude_globs: [],
              files_count_estimate: 0,
            },
          ],
          root: 'packages/app/tsconfig.json',
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'sources without any configuration',
      files: { 'a.ts': 'export {};\n' },
      gives: { semantic_index_meta: { configs: [], root: null } },
      warnings: ['semantic_index_meta.no_tsconfig'],
      confidence: 'medium',
    },
    {
      shows: 'bases that are missing, outside of the repository or in a circle',
      files: {
        'a.ts': 'export {};\n',
        'tsconfig.json': json({ extends: ['./gone', '../../out.json', './tsconfig.b.json', 'not-installed/base'] }),
        'tsconfig.b.json': json({ extends: './tsconfig.json', compilerOptions: { strict: true } }),
      },
      gives: { semantic_index_meta: { root: 'tsconfig.json' } },
      warnings: ['semantic_index_meta.extends_unresolved'],
      confidence: 'medium',
    },
    {
      shows: 'a base of an installed package, and one of a package of the repository',
      files: {
        '.gitignore': 'node_modules\n',
        'package.json': json({ workspaces: ['config'] }),
        'config/package.json': json({ name: '@acme/config' }),
        'config/strict.json': json({ compilerOptions: { strict: true } }),
        'node_modules/@tsconfig/node22/tsconfig.json': json({ compilerOptions: { target: 'es2023' } }),
        'tsconfig.json': json({ extends: ['@tsconfig/node22/tsconfig.json', '@acme/config/strict.json'] }),
        'a.ts': 'export {};\n',
      },
      gives: {
        semantic_index_meta: {
          configs: [
            {
              tsconfig_path: 'tsconfig.json',
              has_extends: true,
              target: 'es2023',
              module: null,
              module_resolution: null,
              strict: true,
              jsx: null,
              references: [],
              include_globs: ['**/*'],
              exclude_globs: [],
              files_count_estimate: 1,
            },
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a configuration that is no JSON is read as far as the compiler reads it',
      files: {
        'tsconfig.json': '{ "include": ["src"], "compilerOptions": { "strict": true',
        'src/a.ts': '',
        'b.ts': '',
      },
      gives: { semantic_index_meta: { root: 'tsconfig.json' } },
      errors: ['semantic_index_meta.tsconfig_unparseable'],
      warnings: [],
      confidence: 'low',
    },
  ];
}

function json(value: Json): string {
  return JSON.stringify(value);
}
