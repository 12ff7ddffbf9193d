/** What the visitors of one file add to. */

export type TestCaseTally = { cases: number; exact: boolean; readonly modules: Set<string> };

export const testLibraryModules: ReadonlySet<string> = new Set([
  'node:test',
  'vitest',
  '@jest/globals',
  'mocha',
  'ava',
  'tap',
  '@playwright/test',
  'cypress',
  'pytest',
  'org.junit',
]);
