/** Which files are sources and tests, by name: light, because sections are loaded at every start. */

export const sourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go,rs,java}'];

const js = '{js,mjs,cjs,jsx,ts,mts,cts,tsx}';

/** Files that may hold cases; those that `isTestFile` does not know by name count only if they do. */
export const testSourceGlobs: readonly string[] = [
  `**/*.{test,spec}.${js}`,
  `**/*.cy.${js}`,
  `**/__tests__/**/*.${js}`,
  `**/{test,tests}/**/*.${js}`,
  '**/test_*.py',
  '**/*_test.py',
  '**/tests.py',
  '**/{test,tests}/**/*.py',
  '**/*_test.go',
  '**/*{Test,Tests,IT}.java',
  '**/*.rs',
];

/** In languages that are not parsed: sources of test projects and directories, whatever their names; those with cases count. */
export const linedTestGlobs: readonly string[] = [
  '**/{test,tests,Test,Tests,*.Tests,*.Test,*Tests,*.Specs}/**/*.{cs,fs,vb}',
  '**/{test,tests,*Test}/**/*.{kt,scala,groovy}',
  '**/{test,tests,Tests}/**/*.{php,swift}',
];

/** A test by its name, as the runners of its language look for it; `__tests__` and the like hold helpers as well. */
export function hasTestName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return testNames.some((pattern) => pattern.test(name));
}

const testNames: readonly RegExp[] = [
  /\.(?:test|spec)\.[^./]+$/,
  /\.cy\.[cm]?[jt]sx?$/,
  /^test_[^/]*\.py$/,
  /^tests\.py$/,
  /_test\.(?:go|rb|exs|dart|c|cc|cpp|cxx|lua)$/,
  /_spec\.(?:rb|lua|cr)$/,
  /_unittest\.(?:cc|cpp)$/,
  /Test\.java$/,
  /Tests?\.(?:kt|scala|groovy|cs|fs|vb|swift|php)$/,
  /(?:Spec|Suite)\.(?:kt|scala|groovy|hs)$/,
];
