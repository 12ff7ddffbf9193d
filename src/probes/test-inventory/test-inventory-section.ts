/** Which files are looked at for tests, the frameworks that are known, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { smokeFileGlobs } from '../shared/shell-commands.ts';
import { linedTestGlobs, testSourceGlobs } from '../shared/source-globs.ts';

/** Languages without a grammar here: their test files are counted by name. */
const others = '{rb,kt,kts,scala,cs,fs,php,ex,exs,erl,dart,swift,lua,jl,sh,bash,c,cc,cpp,vue,svelte}';
const testNameGlobs: readonly string[] = [
  `**/*.{test,spec}.${others}`,
  '**/*_{test,spec}.{rb,exs,dart,c,cc,cpp,cxx,lua,cr}',
  '**/*_unittest.{cc,cpp}',
  '**/*{Test,Tests,Spec,Suite}.{kt,scala,groovy,cs,fs,vb,swift,php,hs}',
];

/** Configuration whose mere presence decides. Full names: they are looked up, not searched for. */
export const configNameGlobs: readonly string[] = [
  '**/{vitest,jest,ava,playwright,cypress}.config.{ts,mts,cts,js,mjs,cjs,json}',
  '**/vitest.workspace.{ts,mts,js,mjs,json}',
  '**/.mocharc.{js,cjs,mjs,json,jsonc,yaml,yml}',
  '**/{.mocharc,.taprc,pytest.ini,.pytest.ini,conftest.py,cypress.json,.rspec,phpunit.xml,phpunit.xml.dist}',
];

const manifestGlobs: readonly string[] = [
  '**/package.json',
  '**/pyproject.toml',
  '**/requirements*.txt',
  '**/pom.xml',
  '**/build.gradle*',
  '**/Cargo.toml',
  '**/{Gemfile,composer.json}',
  '**/*.{gemspec,csproj,fsproj,vbproj}',
  'tox.ini',
  'setup.cfg',
];

export const testInventoryInputs: readonly string[] = [
  ...testSourceGlobs,
  ...testNameGlobs,
  ...linedTestGlobs,
  ...manifestGlobs,
  'config:coverage.paths',
  'names:**/manage.py',
  ...[...configNameGlobs, ...smokeFileGlobs].map((glob) => `names:${glob}`),
];

export const testFrameworks = [
  'vitest',
  'jest',
  'mocha',
  'tap',
  'ava',
  'node_test',
  'pytest',
  'django_test',
  'unittest',
  'go_test',
  'cargo_test',
  'trybuild',
  'junit',
  'rspec',
  'minitest',
  'phpunit',
  'pest',
  'xunit',
  'nunit',
  'mstest',
  'exunit',
] as const;
export type TestFramework = (typeof testFrameworks)[number];

export const e2eFrameworks = ['playwright', 'cypress'] as const;
export type E2eFramework = (typeof e2eFrameworks)[number];

const ratio = z.strictObject({ covered: z.int(), total: z.int() });
export type Ratio = Readonly<z.output<typeof ratio>>;

const totals = z.strictObject({ lines: ratio, functions: ratio, branches: ratio });
export type CoverageTotals = Readonly<z.output<typeof totals>>;

const coverageData = z.strictObject({
  present: z.boolean(),
  path: z.string().nullable(),
  parse_error: z.boolean(),
  totals: totals.nullable(),
  line_coverage_pct: z.number().nullable(),
});
export type CoverageData = Readonly<z.output<typeof coverageData>>;

export const testInventorySection = z.strictObject({
  framework: z.enum(testFrameworks).nullable(),
  frameworks: z.array(z.enum(testFrameworks)),
  e2e_framework: z.enum(e2eFrameworks).nullable(),
  /** What shows a framework: the first file for each of the directories it is shown in. */
  framework_evidence: z.array(
    z.strictObject({
      framework: z.enum([...testFrameworks, ...e2eFrameworks]),
      path: namedOnly(z.string()),
      /** What the line holds; null: that the file is there. */
      shows: z.string().nullable(),
    }),
  ),
  unit_test_file_count: z.int(),
  /** Directories that hold test files themselves, how many, the first of them, and their cases. */
  directories: z.array(
    z.strictObject({
      path: namedOnly(z.string()),
      files: z.int(),
      /** Of them, files of code that keep their tests inside. */
      inline: z.int(),
      sample: namedOnly(z.string()),
      cases: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
    }),
  ),
  test_case_count: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
  commands: z.array(z.strictObject({ name: z.string(), command: namedOnly(z.string()) })),
  smoke_test_path: z.string().nullable(),
  coverage_data: coverageData,
});
