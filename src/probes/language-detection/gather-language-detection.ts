/** The run of language_detection: languages counted from names and sizes in one pass; only manifests are opened. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { findSecretKey } from '../../gather/run/validate-output.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { isForeignManifest, isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import type { ScopeFile } from '../../kernel/tree/file-scope.ts';
import { linkStaysInside } from '../../kernel/tree/links.ts';
import { createLanguageResolver, dataLanguages, readExtraExtensions } from '../../languages/file-language.ts';
import { workspaceGlobsOf } from '../shared/node-packages.ts';
import { createFindings, readManifest } from '../shared/probe-reading.ts';
import {
  type ManifestFailure,
  nodeDependencyNames,
  nodeFrameworks,
  readFrameworkManifests,
} from './framework-hints.ts';

export async function gatherLanguageDetection(
  repo: ProbeRepo,
  ctx: ProbeContext<'languages.extra_extensions'>,
): Promise<ProbeOutput> {
  const inScope = listInScope(repo);
  const paths = inScope.map((file) => file.path);
  const extra = extraExtensions(ctx.config['languages.extra_extensions']);
  const counted = countable(repo, inScope);
  const languages = countLanguages(counted, extra);
  const failures: ManifestFailure[] = [];
  const frameworks: { readonly framework: string; readonly path: string; readonly dependency: string }[] = [];

  let rootManifest: JsonObject | null = null;
  for (const id of paths.filter((path) => /(^|\/)package\.json$/.test(path) && !isForeignManifest(path))) {
    const manifest = await readManifest(repo, ctx, id);
    if (manifest.kind === 'failed') failures.push({ family: 'package_json', path: id, failure: manifest.failure });
    if (manifest.kind !== 'read') continue;
    if (id === 'package.json') rootManifest = manifest.value;
    for (const found of nodeFrameworks(nodeDependencyNames(manifest.value))) frameworks.push({ ...found, path: id });
  }
  const other = await readFrameworkManifests(repo);
  frameworks.push(...other.frameworks);
  failures.push(...other.failures);

  const markers = monorepoMarkers(repo, rootManifest, other.cargoWorkspace);
  const findings = createFindings();
  for (const { family, path, failure } of failures) {
    if (family === 'package_json') findings.failed(family, path, failure);
    else findings.warn('language_detection.manifest_unreadable', { path, detail: failure.kind });
  }
  if (extra.size < Object.keys(ctx.config['languages.extra_extensions']).length) {
    findings.warn('language_detection.extra_language_refused');
  }
  const gaps = repo.scope.gaps;
  for (const gap of gaps) {
    findings.fail('language_detection.walk_incomplete', {
      path: gap.path === '' ? '.' : gap.path,
      detail: gap.reason,
    });
  }
  return {
    kind: 'ran',
    slice: {
      language_stack: {
        counts: toRecord(languages.counts),
        bytes: toRecord(languages.bytes),
        primary: languages.ranked[0] ?? null,
        secondary: languages.ranked.slice(1),
        test_files: languages.testFiles,
        generated_or_vendored: languages.generatedOrVendored,
        framework_hints: [...new Set(frameworks.map(({ framework }) => framework))].sort(compareCodeUnits),
        framework_evidence: frameworks.map(({ framework, path, dependency }) => ({
          framework,
          path: singleLine(path),
          dependency: singleLine(dependency),
        })),
        monorepo:
          markers[0] === undefined ? null : { tool: markers[0].tool, markers: markers.map((each) => each.marker) },
        roots: listPackageRoots(counted.map((file) => file.path)),
      },
    },
    confidence: judge(failures, gaps.length > 0),
    ...findings.report(),
  };
}

/** The repository's own configuration may name languages, and a language becomes a key: none that looks like a secret's name. */
function extraExtensions(configured: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const extra = readExtraExtensions(configured);
  return new Map([...extra].filter(([, language]) => findSecretKey({ [language]: 0 }) === undefined));
}

/** The declared names; a literal input may also be a file that git ignores, and that one is not counted. */
function listInScope(repo: ProbeRepo): readonly ScopeFile[] {
  return repo.inputs.list().flatMap((id) => repo.scope.find(id) ?? []);
}

/** A link counts by its name, without bytes of its own, when it leads to a file of this repository. */
function countable(repo: ProbeRepo, files: readonly ScopeFile[]): readonly NamedFile[] {
  return files.flatMap((file) => {
    if (file.kind === 'file') return [{ path: file.path, bytes: file.size }];
    return linkStaysInside(repo.root, file.path) ? [{ path: file.path, bytes: 0 }] : [];
  });
}

function monorepoMarkers(
  repo: ProbeRepo,
  rootManifest: JsonObject | null,
  cargoWorkspace: boolean,
): readonly { readonly tool: string; readonly marker: string }[] {
  const candidates: readonly (readonly [marker: string, tool: string, there: boolean])[] = [
    ['pnpm-workspace.yaml', 'pnpm-workspaces', repo.inputs.has('pnpm-workspace.yaml')],
    ['turbo.json', 'turbo', repo.inputs.has('turbo.json')],
    ['nx.json', 'nx', repo.inputs.has('nx.json')],
    ['lerna.json', 'lerna', repo.inputs.has('lerna.json')],
    ['package.json#workspaces', 'workspaces', (workspaceGlobsOf(rootManifest)?.length ?? 0) > 0],
    ['go.work', 'go-work', repo.inputs.has('go.work')],
    ['Cargo.toml#workspace', 'cargo-workspace', cargoWorkspace],
  ];
  return candidates.flatMap(([marker, tool, there]) => (there ? [{ tool, marker }] : []));
}

function judge(failures: readonly ManifestFailure[], incomplete: boolean): Confidence {
  if (incomplete || failures.some((each) => each.failure.kind === 'symlink_refused')) return 'low';
  return failures.length > 0 ? 'medium' : 'high';
}

function toRecord(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => compareCodeUnits(a, b)));
}

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
