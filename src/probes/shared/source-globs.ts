/** Which files are sources and tests, by name: light, because sections are loaded at every start. */

export const sourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go,rs,java}'];

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
