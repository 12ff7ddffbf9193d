/** Directories that are packages, by the marker file they hold. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';

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
