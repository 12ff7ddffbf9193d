/** Which files are looked at for tests, and what of them. */

import { isForeignManifest, isTestFile } from '../../kernel/tree/file-roles.ts';
import { dataLanguages, languageOf } from '../../languages/file-language.ts';
import { findGrammar } from '../../languages/parsing/grammar-pins.ts';
import { smokeFileGlobs } from '../shared/shell-commands.ts';

const js = '{js,mjs,cjs,jsx,ts,mts,cts,tsx}';

/** Files that may hold cases; those that `isTestFile` does not know by name count only if they do. */
export const testSourceGlobs: readonly string[] = [
  `**/*.{test,spec}.${js}`,
  `**/__tests__/**/*.${js}`,
  `**/{test,tests}/**/*.${js}`,
  '**/test_*.py',
  '**/*_test.py',
  '**/{test,tests}/**/*.py',
  '**/*_test.go',
  '**/*{Test,Tests,IT}.java',
  '**/*.rs',
];

/** Languages without a grammar here: their test files are counted by name. */
const others = '{rb,kt,kts,scala,cs,fs,php,ex,exs,erl,dart,swift,lua,jl,sh,bash,c,cc,cpp,vue,svelte}';
export const testNameGlobs: readonly string[] = [`**/*.{test,spec}.${others}`, `**/__tests__/**/*.${others}`];

/** Configuration whose mere presence decides. Full names: they are looked up, not searched for. */
export const configNameGlobs: readonly string[] = [
  '**/{vitest,jest,ava,playwright,cypress}.config.{ts,mts,cts,js,mjs,cjs,json}',
  '**/vitest.workspace.{ts,mts,js,mjs,json}',
  '**/.mocharc.{js,cjs,mjs,json,jsonc,yaml,yml}',
  '**/{.mocharc,.taprc,pytest.ini,.pytest.ini,conftest.py,cypress.json}',
];

export const manifestGlobs: readonly string[] = [
  '**/package.json',
  '**/pyproject.toml',
  '**/requirements*.txt',
  '**/pom.xml',
  '**/build.gradle*',
  'tox.ini',
  'setup.cfg',
];

export const testInventoryInputs: readonly string[] = [
  ...testSourceGlobs,
  ...manifestGlobs,
  'config:coverage.paths',
  ...[...testNameGlobs, ...configNameGlobs, ...smokeFileGlobs].map((glob) => `names:${glob}`),
];

/** A test file by its name: code, not a snapshot or a fixture in JSON. */
export function isNamedTestFile(path: string): boolean {
  const language = languageOf(path);
  return isTestFile(path) && language !== null && !dataLanguages.has(language);
}

/** In a test directory, or Rust: a test file if it holds a case. What lies among fixtures is input of tests, not a test. */
export function mayHoldCases(path: string): boolean {
  if (findGrammar(path) === undefined) return false;
  return isNamedTestFile(path) || !isForeignManifest(path);
}
