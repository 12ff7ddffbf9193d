/** Counts a listing by language, from names and sizes alone: one pass, no file is opened. */

import { isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { createLanguageResolver, dataLanguages } from '../../languages/file-language.ts';

export type NamedFile = { readonly path: string; readonly bytes: number };

export type LanguageCounts = {
  readonly counts: ReadonlyMap<string, number>;
  readonly bytes: ReadonlyMap<string, number>;
  readonly testFiles: number;
  readonly generatedOrVendored: number;
  /** Programming languages by files, then bytes, then name; the first is the primary one. */
  readonly ranked: readonly string[];
};

export function countLanguages(files: readonly NamedFile[], extra: ReadonlyMap<string, string>): LanguageCounts {
  const own = files.filter((file) => !isVendoredPath(file.path) && !isGeneratedName(file.path));
  const languageOf = createLanguageResolver(
    own.map((file) => file.path),
    extra,
  );
  const counts = new Map<string, number>();
  const bytes = new Map<string, number>();
  let testFiles = 0;
  for (const file of own) {
    if (isTestFile(file.path)) testFiles += 1;
    const language = languageOf(file.path);
    if (language === null) continue;
    counts.set(language, (counts.get(language) ?? 0) + 1);
    bytes.set(language, (bytes.get(language) ?? 0) + file.bytes);
  }
  const weight = (map: ReadonlyMap<string, number>, name: string) => map.get(name) ?? 0;
  const ranked = [...counts.keys()]
    .filter((language) => !dataLanguages.has(language))
    .sort(
      (a, b) =>
        weight(counts, b) - weight(counts, a) || weight(bytes, b) - weight(bytes, a) || (a < b ? -1 : a > b ? 1 : 0),
    );
  return { counts, bytes, testFiles, generatedOrVendored: files.length - own.length, ranked };
}
