/** Manifests and lockfiles of every ecosystem but Node: names and counts only. One row per kind of file. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { type ParseLimits, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import { readCargoManifest } from './cargo-manifest.ts';
import { type ManifestFacts, namesIn, noFacts, shown, textMember } from './manifest-facts.ts';
import { manifestLimits } from './manifests.ts';
import { isDevelopmentName, pythonName, readPyproject } from './python-manifest.ts';
import { countGemfileLock, countGoSum, readGemfile } from './text-manifests.ts';

export const otherEcosystems = ['python', 'go', 'rust', 'java', 'ruby', 'php', 'dotnet'] as const;

export type ManifestKind = {
  readonly ecosystem: (typeof otherEcosystems)[number];
  /** Error ids of a file that cannot be read begin with it. */
  readonly family: string;
  readonly glob: string;
  readonly parser: () => Promise<(bytes: Uint8Array, path: string) => ParseOutcome<ManifestFacts>>;
};

export const manifestKinds: readonly ManifestKind[] = [
  {
    ecosystem: 'python',
    family: 'pyproject',
    glob: '**/pyproject.toml',
    async parser() {
      const { parseToml } = await import('../../kernel/formats/toml.ts');
      return (bytes) => mapParsed(parseToml(bytes, manifestLimits), readPyproject);
    },
  },
  {
    ecosystem: 'python',
    family: 'requirements',
    glob: '**/requirements*.txt',
    async parser() {
      const { parseRequirements } = await import('../../kernel/formats/requirements.ts');
      return (bytes, path) => {
        const slot = isDevelopmentName(path.slice(path.lastIndexOf('/') + 1)) ? 'dev' : 'runtime';
        return mapParsed(parseRequirements(bytes, textLimits), (lines) => ({
          ...noFacts,
          [slot]: new Set(lines.flatMap((line) => pythonName(line.name) ?? [])),
        }));
      };
    },
  },
  {
    ecosystem: 'go',
    family: 'go_mod',
    glob: '**/go.mod',
    async parser() {
      const { parseGoMod } = await import('../../kernel/formats/go-mod.ts');
      return (bytes) =>
        mapParsed(parseGoMod(bytes, textLimits), (module) => ({
          ...noFacts,
          name: module.module === null ? null : shown(module.module),
          runtime: new Set(module.requires.filter((each) => !each.indirect).map((each) => each.path)),
          engines: module.go === null ? [] : [{ name: 'go', range: shown(module.go) }],
        }));
    },
  },
  {
    ecosystem: 'rust',
    family: 'cargo_toml',
    glob: '**/Cargo.toml',
    async parser() {
      const { parseToml } = await import('../../kernel/formats/toml.ts');
      return (bytes) => mapParsed(parseToml(bytes, manifestLimits), readCargoManifest);
    },
  },
  {
    ecosystem: 'java',
    family: 'pom_xml',
    glob: '**/pom.xml',
    async parser() {
      const { parseXml } = await import('../../kernel/formats/xml.ts');
      const { readPom } = await import('./xml-manifests.ts');
      return (bytes) => mapParsed(parseXml(bytes, manifestLimits), readPom);
    },
  },
  {
    // A gradle build is a program: that it is there is all that is said about it.
    ecosystem: 'java',
    family: 'gradle',
    glob: '**/build.gradle{,.kts}',
    parser: async () => () => parsed(noFacts),
  },
  {
    ecosystem: 'dotnet',
    family: 'csproj',
    glob: '**/*.csproj',
    async parser() {
      const { parseXml } = await import('../../kernel/formats/xml.ts');
      const { readCsproj } = await import('./xml-manifests.ts');
      return (bytes) => mapParsed(parseXml(bytes, manifestLimits), readCsproj);
    },
  },
  {
    ecosystem: 'ruby',
    family: 'gemfile',
    glob: 'Gemfile',
    async parser() {
      const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
      return (bytes) => mapParsed(parseText(bytes, textLimits), readGemfile);
    },
  },
  {
    ecosystem: 'php',
    family: 'composer_json',
    glob: 'composer.json',
    async parser() {
      const { parseJsonObject } = await import('../../kernel/formats/parse-json.ts');
      return (bytes) => mapParsed(parseJsonObject(bytes, manifestLimits), readComposer);
    },
  },
];

export type LockKind = {
  /** The root manifest that it belongs to. */
  readonly manifest: string;
  readonly path: string;
  readonly family: string;
  readonly format: string;
  /** Packages the lock settled, the repository's own left out where the format tells them apart. */
  readonly counter: () => Promise<(bytes: Uint8Array) => ParseOutcome<number>>;
};

/** Where two locks serve one manifest the first that exists counts. */
export const lockKinds: readonly LockKind[] = [
  { manifest: 'pyproject.toml', path: 'uv.lock', family: 'uv_lock', format: 'uv', counter: () => countToml(isNotOwn) },
  {
    manifest: 'pyproject.toml',
    path: 'poetry.lock',
    family: 'poetry_lock',
    format: 'poetry',
    counter: () => countToml(() => true),
  },
  {
    manifest: 'Cargo.toml',
    path: 'Cargo.lock',
    family: 'cargo_lock',
    format: 'cargo',
    counter: () => countToml((each) => each['source'] !== undefined),
  },
  { manifest: 'go.mod', path: 'go.sum', family: 'go_sum', format: 'go-sum', counter: () => countText(countGoSum) },
  {
    manifest: 'Gemfile',
    path: 'Gemfile.lock',
    family: 'gemfile_lock',
    format: 'bundler',
    counter: () => countText(countGemfileLock),
  },
  {
    manifest: 'composer.json',
    path: 'composer.lock',
    family: 'composer_lock',
    format: 'composer',
    async counter() {
      const { parseJsonObject } = await import('../../kernel/formats/parse-json.ts');
      return (bytes) =>
        mapParsed(
          parseJsonObject(bytes, lockLimits),
          (document) => lengthOf(document['packages']) + lengthOf(document['packages-dev']),
        );
    },
  },
];

const textLimits: ParseLimits = { maxBytes: limits.textBytes, maxDepth: limits.parseDepth };
const lockLimits: ParseLimits = { maxBytes: limits.lockfileBytes, maxDepth: limits.parseDepth };

async function countToml(counts: (entry: JsonObject) => boolean): Promise<(bytes: Uint8Array) => ParseOutcome<number>> {
  const { parseToml } = await import('../../kernel/formats/toml.ts');
  return (bytes) =>
    mapParsed(parseToml(bytes, lockLimits), (document) => {
      const entries = Array.isArray(document['package']) ? (document['package'] as readonly Json[]) : [];
      return entries.filter((entry) => isJsonObject(entry) && counts(entry)).length;
    });
}

async function countText(count: (text: string) => number): Promise<(bytes: Uint8Array) => ParseOutcome<number>> {
  const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
  return (bytes) => mapParsed(parseText(bytes, lockLimits), count);
}

/** uv lists the project itself, as editable or virtual. */
function isNotOwn(entry: JsonObject): boolean {
  const source = entry['source'];
  return !(isJsonObject(source) && (Object.hasOwn(source, 'editable') || Object.hasOwn(source, 'virtual')));
}

/** `php` and extensions are demands on the platform, not packages. */
function readComposer(document: JsonObject): ManifestFacts {
  const packages = (map: Json | undefined) => new Set(namesIn(map).filter((name) => name.includes('/')));
  const require = document['require'];
  const php = isJsonObject(require) ? textMember(require, 'php') : null;
  return {
    name: textMember(document, 'name'),
    version: textMember(document, 'version'),
    runtime: packages(require),
    dev: packages(document['require-dev']),
    engines: php === null ? [] : [{ name: 'php', range: php }],
  };
}

function lengthOf(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

function mapParsed<T, U>(outcome: ParseOutcome<T>, map: (value: T) => U): ParseOutcome<U> {
  return outcome.ok ? parsed(map(outcome.value), outcome.notes) : outcome;
}
