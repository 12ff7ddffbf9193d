/**
 * How a Node repository is built: package manager and lockfile, workspaces, scripts, bundler, TypeScript options after their
 * `extends` chain, and the Node version it asks for. Nothing of the repository is executed; only `node --version` is asked.
 */

import { defineProbe, namedOnly, type ProbeExample } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { packageManagerInputs, packageManagers, workspaceFamilies, workspaceInputs } from '../shared/node-packages.ts';
import { familyIds } from '../shared/probe-reading.ts';
import { nodeVersionInputs } from './node-version.ts';

const path = namedOnly(z.string());
const version = namedOnly(z.string()).nullable();

const buildSystemSection = z.strictObject({
  package_manager: z.enum(packageManagers).nullable(),
  package_manager_version: version,
  lockfile: z.string().nullable(),
  additional_lockfiles: z.array(z.string()),
  workspaces: z.array(z.strictObject({ name: namedOnly(z.string()).nullable(), path })),
  commands: z.array(z.strictObject({ name: namedOnly(z.string()), command: namedOnly(z.string()) })),
  bundler: z.string().nullable(),
  bundlers: z.array(z.string()),
  typescript: z
    .strictObject({
      compiler_options_path: path,
      resolved_compiler_options: namedOnly(z.record(z.string(), z.json())).describe(
        'options of the compiler by name, paths root-relative; `paths` as a list of {pattern, targets}',
      ),
      extends_chain: z.array(path).describe('the configuration first, then every file it extends'),
    })
    .nullable(),
  node_version_pinned: version,
  node_version_constraint: version,
  node_version_resolved_locally: version,
  output_artifacts: z.array(path).describe('directories end in a slash'),
});

export default defineProbe({
  name: 'node_build_system',
  version: '0.1.0',
  layer: 'A',
  says: 'package manager, lockfile, workspaces, scripts, bundler, TypeScript options and Node version',
  heaviness: 'light',
  timeoutSeconds: 30,
  appliesToLanguages: ['javascript', 'typescript'],
  requires: [
    {
      probe: 'language_detection',
      select: (slice) => (isJsonObject(slice['language_stack']) ? (slice['language_stack']['monorepo'] ?? null) : null),
    },
  ],
  tools: ['node'],
  declaredInputs: [...packageManagerInputs, ...workspaceInputs, ...nodeVersionInputs, '**/tsconfig*.json'],
  deriveInputs: async (repo, ctx) => {
    const { resolvePrimaryTsconfig, withNeighbours } = await import('../shared/tsconfig.ts');
    const resolved = await resolvePrimaryTsconfig(repo, ctx);
    return withNeighbours(resolved?.wanted ?? []);
  },
  sections: { build_system: buildSystemSection },
  warningIds: [
    'package_manager.multi_lockfile',
    'package_manager.declaration_lockfile_disagree',
    'tsconfig.extends_cycle',
    'tsconfig.extends_depth_exceeded',
    'tsconfig.extends_unresolved',
    'tsconfig.options_unknown',
    'node.version_unparseable',
    'node.version_declared_resolved_disagree',
    'node_build_system.yarn_variant_inferred',
    'node_build_system.package_manager_field_unparseable',
  ],
  errorIds: [...workspaceFamilies, 'tsconfig'].flatMap(familyIds),
  confidenceRule:
    'high; medium when the declared manager and the lockfile disagree; low with lockfiles of several managers or an unreadable file',
  examples: examples(),
  async run(repo, ctx) {
    const { gatherNodeBuildSystem } = await import('./gather-node-build-system.ts');
    return gatherNodeBuildSystem(repo, ctx);
  },
});

function examples(): readonly ProbeExample[] {
  return [
    {
      shows: 'manager, scripts, bundler, outputs and the compiler options after their chain',
      files: {
        'package.json': json({
          name: 'shop',
          packageManager: 'npm@10.2.4+sha256.0123456789abcdef',
          main: 'dist/index.js',
          bin: { shop: './dist/cli.js' },
          files: ['dist', 'README.md'],
          scripts: { test: 'vitest run', build: 'vite build && tsc -p .' },
          devDependencies: { vite: '^5.0.0', esbuild: '^0.20.0', typescript: '^5.4.0' },
          engines: { node: '>=18' },
        }),
        'package-lock.json': json({ lockfileVersion: 3, packages: {} }),
        '.nvmrc': '# the version in production\nlts/iron\n',
        'tsconfig.json': `{
          // comments /* of both */ kinds, // and trailing commas
          "extends": "./config/tsconfig.base",
          /* "target": "es3" */
          "compilerOptions": { "outDir": "./dist", "strict": true, "paths": { "~/*": ["./src/*"] }, },
        }`,
        'config/tsconfig.base.json': json({
          compilerOptions: { strict: false, target: 'es2022', declarationDir: '../types', rootDir: '../src' },
        }),
        'src/index.ts': 'export {};\n',
      },
      gives: {
        build_system: {
          package_manager: 'npm',
          package_manager_version: '10.2.4',
          lockfile: 'package-lock.json',
          additional_lockfiles: [],
          workspaces: [],
          commands: [
            { name: 'build', command: 'vite build && tsc -p .' },
            { name: 'test', command: 'vitest run' },
          ],
          bundler: 'vite',
          bundlers: ['esbuild', 'vite'],
          typescript: {
            compiler_options_path: 'tsconfig.json',
            resolved_compiler_options: {
              declarationDir: 'types',
              outDir: 'dist',
              paths: [{ pattern: '~/*', targets: ['src/*'] }],
              rootDir: 'src',
              strict: true,
              target: 'es2022',
            },
            extends_chain: ['tsconfig.json', 'config/tsconfig.base.json'],
          },
          node_version_pinned: 'lts/iron',
          node_version_constraint: '>=18',
          output_artifacts: ['dist/', 'dist/cli.js', 'dist/index.js', 'types/'],
        },
      },
      warnings: [],
      errors: [],
      confidence: 'high',
    },
    {
      shows: 'a pnpm workspace: globs with a negation, members by name, no member below node_modules',
      files: {
        'package.json': json({ name: 'root', private: true, packageManager: 'pnpm@9.1.0', workspaces: ['ignored/*'] }),
        'pnpm-workspace.yaml': "packages:\n  - './packages/*'\n  - apps/**\n  - '!**/fixtures/**'\n",
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
        'packages/a/package.json': json({ name: '@acme/a' }),
        'packages/b/package.json': json({}),
        'packages/b/fixtures/x/package.json': json({ name: 'x' }),
        'packages/no-manifest/index.js': '',
        'apps/web/package.json': json({ name: 'web', devDependencies: { webpack: '5' } }),
        'apps/web/fixtures/y/package.json': json({ name: 'y' }),
        'ignored/z/package.json': json({ name: 'z' }),
      },
      gives: {
        build_system: {
          package_manager: 'pnpm',
          package_manager_version: '9.1.0',
          lockfile: 'pnpm-lock.yaml',
          workspaces: [
            { name: null, path: 'packages/b' },
            { name: '@acme/a', path: 'packages/a' },
            { name: 'web', path: 'apps/web' },
          ],
          bundler: 'webpack',
          typescript: null,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'yarn berry by the text of its lock',
      files: {
        'package.json': json({ workspaces: { packages: ['libs/*'] } }),
        'libs/one/package.json': json({ name: 'one' }),
        'yarn.lock': '# This file is generated by running "yarn install".\n\n__metadata:\n  version: 8\n',
      },
      gives: {
        build_system: {
          package_manager: 'yarn-berry',
          package_manager_version: null,
          lockfile: 'yarn.lock',
          workspaces: [{ name: 'one', path: 'libs/one' }],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'yarn classic by the header of its lock',
      files: { 'package.json': json({}), 'yarn.lock': '# yarn lockfile v1\n\n' },
      gives: { build_system: { package_manager: 'yarn-classic', lockfile: 'yarn.lock' } },
      warnings: [],
    },
    {
      shows: 'a yarn lock that does not say what it is: what lies beside it decides, and that is said',
      files: { 'package.json': json({}), 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: pnp\n' },
      gives: { build_system: { package_manager: 'yarn-berry' } },
      warnings: ['node_build_system.yarn_variant_inferred'],
    },
    {
      shows: 'bun by its lock, text before binary',
      files: { 'package.json': json({}), 'bun.lock': '{}', 'bun.lockb': new Uint8Array([0, 1, 2]) },
      gives: { build_system: { package_manager: 'bun', lockfile: 'bun.lock', additional_lockfiles: ['bun.lockb'] } },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'lockfiles of two managers: the precedence decides and confidence is low',
      files: { 'package.json': json({}), 'package-lock.json': '{}', 'yarn.lock': '# yarn lockfile v1\n' },
      gives: {
        build_system: {
          package_manager: 'yarn-classic',
          lockfile: 'yarn.lock',
          additional_lockfiles: ['package-lock.json'],
        },
      },
      warnings: ['package_manager.multi_lockfile'],
      confidence: 'low',
    },
    {
      shows: 'the field names the manager, the lockfile that is there is the one to parse',
      files: { 'package.json': json({ packageManager: 'pnpm@8.15.0' }), 'package-lock.json': '{}' },
      gives: {
        build_system: { package_manager: 'pnpm', package_manager_version: '8.15.0', lockfile: 'package-lock.json' },
      },
      warnings: ['package_manager.declaration_lockfile_disagree'],
      confidence: 'medium',
    },
    {
      shows: 'no lockfile and no field: nothing is guessed',
      files: { 'package.json': json({ name: 'x', scripts: { start: 'node .' } }) },
      gives: {
        build_system: { package_manager: null, lockfile: null, commands: [{ name: 'start', command: 'node .' }] },
      },
      warnings: [],
    },
    {
      shows: 'a field without an exact version still names the manager',
      files: { 'package.json': json({ packageManager: 'yarn@stable' }), 'yarn.lock': '__metadata:\n  version: 8\n' },
      gives: { build_system: { package_manager: 'yarn-berry', package_manager_version: null } },
      warnings: ['node_build_system.package_manager_field_unparseable'],
    },
    {
      shows: 'a malformed package.json is an error; the lockfile still tells the manager',
      files: { 'package.json': '{"name": "x",', 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
      gives: { build_system: { package_manager: 'pnpm', commands: [], workspaces: [] } },
      errors: ['package_json.malformed'],
      confidence: 'low',
    },
    {
      shows: 'a cycle of extends ends',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({ extends: './tsconfig.a.json', compilerOptions: { target: 'es2020' } }),
        'tsconfig.a.json': json({ extends: './tsconfig.json', compilerOptions: { strict: true } }),
      },
      gives: {
        build_system: {
          typescript: {
            compiler_options_path: 'tsconfig.json',
            resolved_compiler_options: { strict: true, target: 'es2020' },
            extends_chain: ['tsconfig.json', 'tsconfig.a.json'],
          },
        },
      },
      warnings: ['tsconfig.extends_cycle'],
    },
    {
      shows: 'a chain of 40 extends is followed for 32',
      files: { 'package.json': json({}), ...extendsChain(40) },
      gives: { build_system: { typescript: { resolved_compiler_options: { strict: true, target: 'es2022' } } } },
      warnings: ['tsconfig.extends_depth_exceeded'],
    },
    {
      shows: 'extends as a list: the later entry wins over the earlier one, the file itself over both',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({ extends: ['./one.json', './two.json'], compilerOptions: { noEmit: true } }),
        'one.json': json({ compilerOptions: { target: 'es2018', strict: true, noEmit: false } }),
        'two.json': json({ compilerOptions: { target: 'es2021', jsx: null } }),
      },
      gives: {
        build_system: {
          typescript: {
            resolved_compiler_options: { noEmit: true, strict: true, target: 'es2021' },
            extends_chain: ['tsconfig.json', 'one.json', 'two.json'],
          },
        },
      },
      warnings: [],
    },
    {
      shows: 'extends by package name: installed below node_modules, or a member of the workspace',
      files: {
        '.gitignore': 'node_modules\n',
        'package.json': json({ workspaces: ['packages/*'] }),
        'tsconfig.json': json({ extends: ['@tsconfig/node20', '@acme/config/react'] }),
        'node_modules/@tsconfig/node20/tsconfig.json': json({ compilerOptions: { target: 'es2022', strict: true } }),
        'packages/config/package.json': json({ name: '@acme/config' }),
        'packages/config/react.json': json({ extends: './base.json', compilerOptions: { jsx: 'react-jsx' } }),
        'packages/config/base.json': json({ compilerOptions: { outDir: `\${configDir}/lib` } }),
      },
      gives: {
        build_system: {
          typescript: {
            resolved_compiler_options: { jsx: 'react-jsx', outDir: 'lib', strict: true, target: 'es2022' },
            extends_chain: [
              'tsconfig.json',
              'node_modules/@tsconfig/node20/tsconfig.json',
              'packages/config/react.json',
              'packages/config/base.json',
            ],
          },
        },
      },
      warnings: [],
    },
    {
      shows: 'extends never leaves the repository, and cannot name inputs of another kind',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({
          extends: ['../../etc/passwd', '/etc/passwd', './user:skills/x', './**/*', 'missing-package', 7],
          compilerOptions: { strict: true },
        }),
      },
      gives: {
        build_system: { typescript: { resolved_compiler_options: { strict: true }, extends_chain: ['tsconfig.json'] } },
      },
      warnings: ['tsconfig.extends_unresolved'],
    },
    {
      shows: 'a tsconfig that cannot be parsed is an error; so is a base',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({ extends: './tsconfig.base.json', compilerOptions: { strict: true } }),
        'tsconfig.base.json': '{ "compilerOptions": { "target": "es2020 } }',
      },
      gives: { build_system: { typescript: { resolved_compiler_options: { strict: true } } } },
      errors: ['tsconfig.malformed'],
      confidence: 'low',
    },
    {
      shows: 'options that the compiler does not know are no keys of ours',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({
          compilerOptions: { my_api_key: 'x', strict: true, plugins: [{ name: 'next', secret: 1 }] },
        }),
      },
      gives: { build_system: { typescript: { resolved_compiler_options: { plugins: ['next'], strict: true } } } },
      warnings: ['tsconfig.options_unknown'],
      confidence: 'high',
    },
    {
      shows: 'a file that only lists projects lets the first of them speak',
      files: {
        'package.json': json({}),
        'tsconfig.json': json({ files: [], references: [{ path: './gone' }, { path: './tsconfig.app.json' }] }),
        'tsconfig.app.json': json({ compilerOptions: { module: 'esnext' } }),
      },
      gives: {
        build_system: {
          typescript: { compiler_options_path: 'tsconfig.app.json', resolved_compiler_options: { module: 'esnext' } },
        },
      },
    },
    {
      shows: 'a pinned version that is not the installed one',
      files: {
        'package.json': json({ engines: { node: '^6.0.0' } }),
        '.tool-versions': 'python 3.12\nnodejs 6.17.1\n',
      },
      gives: { build_system: { node_version_pinned: '6.17.1', node_version_constraint: '^6.0.0' } },
      warnings: ['node.version_declared_resolved_disagree'],
      confidence: 'high',
    },
    {
      shows: 'a version file that is no version file',
      files: { 'package.json': json({}), '.nvmrc': 'x'.repeat(2000), 'mise.toml': '[tools]\nnode = "lts"\n' },
      gives: { build_system: { node_version_pinned: 'lts' } },
      warnings: ['node.version_unparseable'],
    },
  ];
}

function json(value: Json): string {
  return JSON.stringify(value);
}

/** tsconfig.json extends tsconfig.1.json and so on; every level says `strict`, the last reachable one the target. */
function extendsChain(levels: number): Record<string, string> {
  const nameOf = (level: number) => (level === 0 ? 'tsconfig.json' : `tsconfig.${level}.json`);
  const configOf = (level: number): JsonObject => ({
    ...(level < levels ? { extends: `./${nameOf(level + 1)}` } : {}),
    compilerOptions:
      level === 32 ? { target: 'es2022' } : level > 32 ? { target: 'es5', strict: false } : { strict: true },
  });
  return Object.fromEntries(Array.from({ length: levels + 1 }, (_, level) => [nameOf(level), json(configOf(level))]));
}
