/** Counts a listing by language, from names and sizes alone: one pass, no file is opened. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { isForeignManifest, isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
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

// Directories that are packages, by the marker file they hold.

export type PackageRoot = { readonly path: string; readonly kind: string };

export function listPackageRoots(paths: readonly string[]): readonly PackageRoot[] {
  const roots = new Map<string, PackageRoot>();
  for (const path of paths) {
    const slash = path.lastIndexOf('/');
    const kind = kindOf(path.slice(slash + 1));
    if (kind === undefined || isForeignManifest(path)) continue;
    const root = { path: slash < 0 ? '.' : singleLine(path.slice(0, slash)), kind };
    roots.set(`${root.path}\0${kind}`, root);
  }
  return [...roots.values()].sort((a, b) => compareCodeUnits(a.path, b.path) || compareCodeUnits(a.kind, b.kind));
}

function kindOf(name: string): string | undefined {
  return kindByName.get(name) ?? (/\.(cs|fs|vb)proj$/.test(name) ? 'dotnet' : undefined);
}

const kindByName: ReadonlyMap<string, string> = new Map([
  ['package.json', 'node'],
  ['pyproject.toml', 'python'],
  ['setup.py', 'python'],
  ['requirements.txt', 'python'],
  ['go.mod', 'go'],
  ['Cargo.toml', 'rust'],
  ['pom.xml', 'java'],
  ['build.gradle', 'java'],
  ['build.gradle.kts', 'java'],
  ['Gemfile', 'ruby'],
  ['composer.json', 'php'],
  ['mix.exs', 'elixir'],
  ['pubspec.yaml', 'dart'],
  ['Package.swift', 'swift'],
]);
