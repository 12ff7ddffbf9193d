/** Manifests and lockfiles of every ecosystem but Node: names and counts only. One row per kind of file. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { type ParseLimits, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import type { XmlElement } from '../../kernel/formats/xml.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import {
  isDevelopmentName,
  type ManifestFacts,
  namesIn,
  noFacts,
  pythonName,
  readCargoManifest,
  readPyproject,
  shown,
  textMember,
} from '../shared/manifest-facts.ts';
import { type Findings, manifestLimits, readParsed } from '../shared/probe-reading.ts';
import { type LockInfo, type ManifestRow, manifestRow, type otherEcosystems } from './node-manifest-section.ts';

type ManifestKind = {
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

type LockKind = {
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
          (document) => listAt(document, 'packages').length + listAt(document, 'packages-dev').length,
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

function mapParsed<T, U>(outcome: ParseOutcome<T>, map: (value: T) => U): ParseOutcome<U> {
  return outcome.ok ? parsed(map(outcome.value), outcome.notes) : outcome;
}

// Manifests of the other ecosystems as rows; a lockfile at the root belongs to the manifest beside it.

export async function listOtherManifests(repo: ProbeRepo, findings: Findings): Promise<readonly ManifestRow[]> {
  const rows: ManifestRow[] = [];
  for (const kind of manifestKinds) {
    for (const path of repo.inputs.list([kind.glob]).filter((id) => !isForeignManifest(id))) {
      const row = await readRow(repo, kind, path, findings);
      if (row !== null) rows.push(row);
    }
  }
  return rows;
}

async function readRow(
  repo: ProbeRepo,
  kind: ManifestKind,
  path: string,
  findings: Findings,
): Promise<ManifestRow | null> {
  const parse = await kind.parser();
  const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) => parse(bytes, path));
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.failed(kind.family, path, outcome.failure);
    return null;
  }
  return manifestRow(kind.ecosystem, path, outcome.value, await readLockOf(repo, path, findings));
}

async function readLockOf(repo: ProbeRepo, manifest: string, findings: Findings): Promise<LockInfo | null> {
  const kind = lockKinds.find((each) => each.manifest === manifest && repo.inputs.has(each.path));
  if (kind === undefined) return null;
  const count = await kind.counter();
  const outcome = await readParsed(repo, kind.path, limits.lockfileBytes, count);
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.failed(kind.family, kind.path, outcome.failure);
    return null;
  }
  return {
    path: kind.path,
    format: kind.format,
    total_packages_resolved: outcome.value,
    integrity_valid: null,
    covers_manifest: null,
  };
}

// Manifests that are programs or plain lines, read by line: Gemfile and its lock, go.sum. Counts only; nothing is evaluated.

const maxLineChars = 500;

/** `gem 'x'` lines; inside `group :development, :test do … end`, or with such a `group:` option, they count as development. */
function readGemfile(text: string): ManifestFacts {
  const runtime = new Set<string>();
  const dev = new Set<string>();
  const engines: { name: string; range: string }[] = [];
  const blocks: boolean[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.slice(0, maxLineChars).trim();
    const gem = /^gem\s*\(?\s*['"]([^'"]+)['"](.*)$/.exec(line);
    if (gem?.[1] !== undefined) {
      const isDev = blocks.includes(true) || /\bgroups?(:|\s*=>).*:(development|test)\b/.test(gem[2] ?? '');
      (isDev ? dev : runtime).add(gem[1]);
    }
    const ruby = /^ruby\s*\(?\s*['"]([^'"]+)['"]/.exec(line)?.[1];
    if (ruby !== undefined) engines.push({ name: 'ruby', range: shown(ruby) });
    if (/\bdo(\s*\|[^|]*\|)?$/.test(line)) blocks.push(/^group\b.*:(development|test)\b/.test(line));
    else if (line === 'end') blocks.pop();
  }
  return { ...noFacts, runtime, dev, engines };
}

/** Entries at the first level below `specs:`; what they depend on is indented further. */
function countGemfileLock(text: string): number {
  let inSpecs = false;
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^\S/.test(line)) inSpecs = false;
    else if (line === '  specs:') inSpecs = true;
    else if (inSpecs && /^ {4}\S/.test(line)) found.add(line.trim());
  }
  return found.size;
}

/** Modules whose content has a hash; `/go.mod` lines vouch for a requirement, not for a package. */
function countGoSum(text: string): number {
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const [module, version] = line.split(' ');
    if (module !== undefined && version !== undefined && !version.endsWith('/go.mod'))
      found.add(`${module} ${version}`);
  }
  return found.size;
}

// What a pom.xml or a .csproj says, as far as names and counts go. Properties and inherited values are not evaluated.

function readPom(project: XmlElement): ManifestFacts {
  const parent = childOf(project, 'parent');
  const dependencies = childrenOf(childOf(project, 'dependencies'), 'dependency').map((each) => ({
    name: `${textOf(each, 'groupId') ?? ''}:${textOf(each, 'artifactId') ?? ''}`,
    isTest: textOf(each, 'scope') === 'test',
  }));
  const release = textOf(childOf(project, 'properties'), 'maven.compiler.release');
  const java = release ?? textOf(childOf(project, 'properties'), 'java.version');
  return {
    name: textOf(project, 'artifactId'),
    version: textOf(project, 'version') ?? textOf(parent, 'version'),
    runtime: new Set(dependencies.filter((each) => !each.isTest).map((each) => each.name)),
    dev: new Set(dependencies.filter((each) => each.isTest).map((each) => each.name)),
    engines: java === null ? [] : [{ name: 'java', range: java }],
  };
}

/** SDK-style projects: one `PackageReference` per dependency, private assets count as development ones. */
function readCsproj(project: XmlElement): ManifestFacts {
  const groups = childrenOf(project, 'PropertyGroup');
  const property = (name: string) => groups.map((group) => textOf(group, name)).find((text) => text !== null) ?? null;
  const references = childrenOf(project, 'ItemGroup').flatMap((group) => childrenOf(group, 'PackageReference'));
  const isPrivate = (each: XmlElement) =>
    (each.attributes.get('PrivateAssets') ?? textOf(each, 'PrivateAssets'))?.toLowerCase() === 'all';
  const names = (items: readonly XmlElement[]) =>
    new Set(items.flatMap((each) => each.attributes.get('Include') ?? []));
  const framework = property('TargetFramework') ?? property('TargetFrameworks');
  return {
    ...noFacts,
    name: property('PackageId') ?? property('AssemblyName'),
    version: property('Version'),
    runtime: names(references.filter((each) => !isPrivate(each))),
    dev: names(references.filter(isPrivate)),
    engines: framework === null ? [] : [{ name: 'dotnet', range: framework }],
  };
}

function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

function textOf(element: XmlElement | undefined, name: string): string | null {
  const text = singleLine(childOf(element, name)?.text ?? '').trim();
  return text === '' ? null : shown(text);
}
