/** Which languages the indexers of a family understand. A file of any other language is `unsupported`, whatever context lists it (T8). */

import type { Family } from '../semantic/types.ts';

const languages: Readonly<Record<Family, readonly string[]>> = {
  typescript: ['typescript', 'javascript'],
  python: ['python'],
  go: ['go'],
  rust: ['rust'],
  java: ['java', 'kotlin', 'scala'],
  csharp: ['csharp'],
  c: ['c', 'cpp'],
};

const everyLanguage: ReadonlySet<string> = new Set(Object.values(languages).flat());

export function hasIndexer(language: string | null): boolean {
  return language !== null && everyLanguage.has(language);
}

export function isIndexedBy(family: Family, language: string | null): boolean {
  return language !== null && languages[family].includes(language);
}
