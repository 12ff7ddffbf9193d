/** Manifests and lockfiles of every ecosystem but Node: names and counts only. One row per kind of file. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isWithin } from '../../gather/facts/fact.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { type ParseLimits, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import type { XmlElement } from '../../kernel/formats/xml.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
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
import type { LockInfo, otherEcosystems } from './node-manifest-section.ts';

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
    glob: '**/{requirements*,requirements/*}.{txt,in}',
    async parser() {
      const { parseRequirements } = await import('../../kernel/formats/requirements.ts');
      return (bytes, path) => {
        const slot = isDevelopmentName(path.slice(path.lastIndexOf('/') + 1)) ? 'dev' : 'runtime';
        const outcome = parseRequirements(bytes, textLimits);
        // A nested file is another file's entries; a path or URL without a name is an entry that cannot be named.
        // One that installs the project itself is for its developers, whatever its name says.
        const isComplete =
          outcome.ok &&
          !outcome.notes.some(({ id, detail }) => id === 'unnamed_requirement' || /^(?:-e|--editable)$/.test(detail));
        const head = decodeLenient(bytes.subarray(0, 1000));
        return mapParsed(outcome, (lines) => ({
          ...noFacts,
          [slot]: new Set(lines.flatMap((line) => pythonName(line.name) ?? [])),
          isComplete,
          isCompiled: isCompiledHead(head),
          isCompiledFromProject: isCompiledHead(head) && /^#.*\bpyproject\.toml\b/m.test(head),
        }));
      };
    },
  },
  {
    ecosystem: 'python',
    family: 'pipfile',
    glob: '**/Pipfile',
    async parser() {
      const { parseToml } = await import('../../kernel/formats/toml.ts');
      return (bytes) => mapParsed(parseToml(bytes, manifestLimits), readPipfile);
    },
  },
  {
    ecosystem: 'python',
    family: 'setup_cfg',
    glob: '**/setup.cfg',
    async parser() {
      const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
      return (bytes) => mapParsed(parseText(bytes, textLimits), readSetupCfg);
    },
  },
  {
    // A program: what it says in plain arguments is read, what it requires is not counted.
    ecosystem: 'python',
    family: 'setup_py',
    glob: '**/setup.py',
    async parser() {
      const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
      return (bytes) => mapParsed(parseText(bytes, textLimits), readSetupPy);
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
          indirect: new Set(module.requires.filter((each) => each.indirect).map((each) => each.path)),
          engines: [
            ...(module.go === null ? [] : [{ name: 'go', range: shown(module.go) }]),
            ...(module.toolchain === null ? [] : [{ name: 'toolchain', range: shown(module.toolchain) }]),
          ],
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
    ecosystem: 'java',
    family: 'gradle',
    glob: '**/build.gradle{,.kts}',
    async parser() {
      const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
      const { readGradleBuild } = await import('./gradle-build.ts');
      return (bytes) => mapParsed(parseText(bytes, textLimits), readGradleBuild);
    },
  },
  {
    ecosystem: 'dotnet',
    family: 'csproj',
    glob: '**/*.{cs,fs,vb}proj',
    async parser() {
      const { parseXml } = await import('../../kernel/formats/xml.ts');
      return (bytes) => mapParsed(parseXml(bytes, manifestLimits), readCsproj);
    },
  },
  {
    ecosystem: 'ruby',
    family: 'gemfile',
    glob: '**/Gemfile',
    async parser() {
      const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
      return (bytes) => mapParsed(parseText(bytes, textLimits), readGemfile);
    },
  },
  {
    ecosystem: 'php',
    family: 'composer_json',
    glob: '**/composer.json',
    async parser() {
      const { parseJsonObject } = await import('../../kernel/formats/parse-json.ts');
      return (bytes) => mapParsed(parseJsonObject(bytes, manifestLimits), readComposer);
    },
  },
];

type LockKind = {
  /** Families of manifests that it belongs to. */
  readonly of: readonly string[];
  /** Its name; it lies beside the manifest, or at the root of the manifest's workspace. */
  readonly path: string;
  readonly family: string;
  readonly format: string;
  /** The manager that alone writes it, where several could be used. */
  readonly manager?: string;
  /** Packages the lock settled, the repository's own left out where the format tells them apart. */
  readonly counter: () => Promise<(bytes: Uint8Array) => ParseOutcome<number>>;
};

const ofPackages = ['pyproject', 'setup_py', 'setup_cfg'];

/** Where two locks serve one manifest the first that exists counts. */
export const lockKinds: readonly LockKind[] = [
  {
    of: ofPackages,
    path: 'uv.lock',
    family: 'uv_lock',
    format: 'uv',
    manager: 'uv',
    counter: () => countToml(isNotOwn),
  },
  {
    of: ofPackages,
    path: 'poetry.lock',
    family: 'poetry_lock',
    format: 'poetry',
    manager: 'poetry',
    counter: () => countToml(() => true),
  },
  {
    of: ofPackages,
    path: 'pdm.lock',
    family: 'pdm_lock',
    format: 'pdm',
    manager: 'pdm',
    counter: () => countToml(() => true),
  },
  {
    of: ['pipfile'],
    path: 'Pipfile.lock',
    family: 'pipfile_lock',
    format: 'pipenv',
    manager: 'pipenv',
    counter: () => countJson((document) => namesIn(document['default']).length + namesIn(document['develop']).length),
  },
  {
    of: ['cargo_toml'],
    path: 'Cargo.lock',
    family: 'cargo_lock',
    format: 'cargo',
    counter: () => countToml((each) => each['source'] !== undefined),
  },
  { of: ['go_mod'], path: 'go.sum', family: 'go_sum', format: 'go-sum', counter: () => countText(countGoSum) },
  {
    of: ['gradle'],
    path: 'gradle.lockfile',
    family: 'gradle_lock',
    format: 'gradle',
    counter: () => countText((text) => (text.match(/^[^#\s=]+:[^=\n]+=/gm) ?? []).length),
  },
  {
    of: ['csproj'],
    path: 'packages.lock.json',
    family: 'nuget_lock',
    format: 'nuget',
    counter: () =>
      countJson((document) => new Set(Object.values(objectAt(document, 'dependencies')).flatMap(namesIn)).size),
  },
  {
    of: ['gemfile'],
    path: 'Gemfile.lock',
    family: 'gemfile_lock',
    format: 'bundler',
    counter: () => countText(countGemfileLock),
  },
  {
    of: ['composer_json'],
    path: 'composer.lock',
    family: 'composer_lock',
    format: 'composer',
    counter: () =>
      countJson((document) => listAt(document, 'packages').length + listAt(document, 'packages-dev').length),
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

async function countJson(
  count: (document: JsonObject) => number,
): Promise<(bytes: Uint8Array) => ParseOutcome<number>> {
  const { parseJsonObject } = await import('../../kernel/formats/parse-json.ts');
  return (bytes) => mapParsed(parseJsonObject(bytes, lockLimits), count);
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

// Manifests of the other ecosystems, each with the lock that settles it: beside it, or at the root of the workspace it is a member of.

export type OtherManifest = {
  readonly path: string;
  readonly family: string;
  readonly ecosystem: ManifestKind['ecosystem'];
  readonly facts: ManifestFacts;
  /** Also where it could not be read: then `lock` is null. */
  readonly lockPath: string | null;
  readonly lock: LockInfo | null;
  /** The manager that wrote the lock, where only one does. */
  readonly lockManager: string | null;
  /** Another manager's lock lies beside it. */
  readonly hasRivalLock: boolean;
  /** Where the workspace's root gives the engine. */
  readonly sharedEngine: { readonly from: string; readonly engines: ManifestFacts['engines'] } | null;
};

/** `used`: managers that CI runs, which tell whose lock is meant where several lie side by side. */
export async function listOtherManifests(
  repo: ProbeRepo,
  findings: Findings,
  used: ReadonlySet<string>,
): Promise<readonly OtherManifest[]> {
  const read: Pick<OtherManifest, 'path' | 'family' | 'ecosystem' | 'facts'>[] = [];
  for (const { family, ecosystem, glob, parser } of manifestKinds) {
    const parse = await parser();
    for (const path of repo.inputs.list([glob]).filter((id) => !isForeignManifest(id))) {
      const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) => parse(bytes, path));
      if ('absent' in outcome) continue;
      if (outcome.ok) read.push({ path, family, ecosystem, facts: outcome.value });
      else findings.failed(family, path, outcome.failure);
    }
  }
  const locks = new Map<string, LockInfo | null>();
  const paths = new Set(read.map(({ path }) => path));
  const manifests: OtherManifest[] = [];
  for (const one of read) {
    const root = workspaceAround(one, read);
    const ofProject =
      one.family === 'pyproject' &&
      read.find(
        ({ path, facts }) => facts.isCompiledFromProject === true && directoryOf(path) === directoryOf(one.path),
      );
    const compiled = ofProject ? ofProject.path : one.path.replace(/\.in$/, '.txt');
    const found =
      findLock(repo, one.family, directoryOf(one.path), used) ??
      (root === undefined ? undefined : findLock(repo, one.family, root, used));
    const lockPath = found?.path ?? (compiled !== one.path && paths.has(compiled) ? compiled : null);
    if (found && !locks.has(found.path)) locks.set(found.path, await readLock(repo, found.path, found.kind, findings));
    const shared =
      root === undefined
        ? undefined
        : read.find(({ path, family }) => family === one.family && directoryOf(path) === root);
    manifests.push({
      ...one,
      facts: {
        ...one.facts,
        ...(paths.has(one.path.replace(/\.txt$/, '.in')) && one.path.endsWith('.txt') ? { isCompiled: true } : {}),
      },
      lockPath,
      lock: found ? (locks.get(found.path) ?? null) : null,
      lockManager: found?.kind.manager ?? null,
      hasRivalLock: found?.hasRival ?? false,
      sharedEngine:
        one.facts.takesSharedEngine === true && one.facts.engines.length === 0 && shared?.facts.shared?.length
          ? { from: shared.path, engines: shared.facts.shared }
          : null,
    });
  }
  return manifests;
}

/** The directory of the nearest workspace around a manifest that it is a member of; none for one that is a root itself. */
function workspaceAround(
  one: Pick<OtherManifest, 'path' | 'family' | 'facts'>,
  all: readonly Pick<OtherManifest, 'path' | 'family' | 'facts'>[],
): string | undefined {
  if (one.facts.workspace !== undefined) return undefined;
  const dir = directoryOf(one.path);
  return all
    .filter(({ family, facts }) => family === one.family && facts.workspace !== undefined)
    .map(({ path, facts }) => ({ root: directoryOf(path), workspace: facts.workspace }))
    .filter(({ root }) => root !== dir && isWithin(dir, root))
    .sort((a, b) => b.root.length - a.root.length)
    .find(({ root, workspace }) => {
      const below = root === '.' ? dir : dir.slice(root.length + 1);
      const globs = (patterns: readonly string[]) =>
        compileGlobs(patterns.map((each) => each.replace(/^\.\//, '').replace(/\/+$/, '')));
      const isOut =
        (workspace?.exclude ?? []).length > 0 &&
        globs((workspace?.exclude ?? []).flatMap((each) => [each, `${each}/**`]))(below);
      return !isOut && (workspace?.members === null || globs(workspace?.members ?? [])(below));
    })?.root;
}

function findLock(
  repo: ProbeRepo,
  family: string,
  dir: string,
  used: ReadonlySet<string>,
): { readonly path: string; readonly kind: LockKind; readonly hasRival: boolean } | undefined {
  const there = lockKinds.flatMap((kind) => {
    const path = dir === '.' ? kind.path : `${dir}/${kind.path}`;
    return kind.of.includes(family) && repo.inputs.has(path) ? [{ path, kind }] : [];
  });
  const found = there.find(({ kind }) => used.has(kind.manager ?? '')) ?? there[0];
  return found && { ...found, hasRival: there.length > 1 };
}

async function readLock(repo: ProbeRepo, path: string, kind: LockKind, findings: Findings): Promise<LockInfo | null> {
  const outcome = await readParsed(repo, path, limits.lockfileBytes, await kind.counter());
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.failed(kind.family, path, outcome.failure);
    return null;
  }
  return {
    path,
    format: kind.format,
    total_packages_resolved: outcome.value,
    integrity_valid: null,
    covers_manifest: null,
  };
}

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

function isCompiledHead(head: string): boolean {
  return /^#.*\b(autogenerated|generated) by\b.*\b(pip-compile|uv|pip-tools|poetry|pdm)\b|^#\s+(pip-compile|uv pip compile|uv export)\b/im.test(
    head,
  );
}

function readPipfile(document: JsonObject): ManifestFacts {
  const python = textAt(document, 'requires', 'python_full_version') ?? textAt(document, 'requires', 'python_version');
  return {
    ...noFacts,
    runtime: new Set(namesIn(document['packages'])),
    dev: new Set(namesIn(document['dev-packages'])),
    engines: python === null ? [] : [{ name: 'python', range: shown(python) }],
    manager: { name: 'pipenv', shows: 'packages' },
  };
}

/** Sections of `key = value`, where an indented line goes on with the value before it. */
function readSetupCfg(text: string): ManifestFacts {
  const values = new Map<string, string[]>();
  let section = '';
  let held: string[] | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/^\s*[#;].*$/, '');
    const [, name] = /^\[([^\]]+)\]/.exec(line) ?? [];
    const [, key, value = ''] = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) [section, held] = [name.trim(), undefined];
    else if (key !== undefined) {
      held = value === '' ? [] : [value];
      values.set(`${section}.${key}`, held);
    } else if (/^\s+\S/.test(line)) held?.push(line.trim());
  }
  const [python] = values.get('options.python_requires') ?? [];
  const requires = values.get('options.install_requires');
  return {
    ...noFacts,
    name: values.get('metadata.name')?.[0] ?? null,
    runtime: new Set((requires ?? []).flatMap((each) => pythonName(each) ?? [])),
    engines: python === undefined ? [] : [{ name: 'python', range: shown(python) }],
    isComplete: requires !== undefined && !requires.some((each) => each.startsWith('file:')),
  };
}

function readSetupPy(text: string): ManifestFacts {
  const python = /\bpython_requires\s*=\s*['"]([^'"\n]+)['"]/.exec(text)?.[1];
  return {
    ...noFacts,
    isComplete: false,
    engines: python === undefined ? [] : [{ name: 'python', range: shown(python) }],
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
    if (/\bdo(\s*\|[^|]*\|)?$/.test(line)) blocks.push(isDevelopmentGroup(line));
    else if (/^(if|unless|case|begin|def|while|until)\b(?!.*\bend$)/.test(line)) blocks.push(false);
    else if (/^end\b/.test(line)) blocks.pop();
  }
  return { ...noFacts, runtime, dev, engines };
}

/** A group that is also loaded in production is none. */
function isDevelopmentGroup(line: string): boolean {
  return /^group\b.*(:|['"])(development|test)\b/.test(line) && !/\b(production|default)\b/.test(line);
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
  const java = javaOf(childOf(project, 'properties'));
  return {
    name: textOf(project, 'artifactId'),
    version: textOf(project, 'version') ?? textOf(parent, 'version'),
    runtime: new Set(dependencies.filter((each) => !each.isTest).map((each) => each.name)),
    dev: new Set(dependencies.filter((each) => each.isTest).map((each) => each.name)),
    engines: java === null ? [] : [{ name: 'java', range: java }],
    platforms: parent === undefined ? [] : [`${textOf(parent, 'groupId') ?? ''}:${textOf(parent, 'artifactId') ?? ''}`],
  };
}

/** A property may name another one. */
function javaOf(properties: XmlElement | undefined): string | null {
  const names = [
    'maven.compiler.release',
    'java.version',
    'maven.compiler.source',
    'maven.compiler.target',
    'jdk.version',
  ];
  const text = names.map((name) => textOf(properties, name)).find((each) => each !== null) ?? null;
  const named = text === null ? undefined : /^\$\{([^}]+)\}$/.exec(text)?.[1];
  const java = named === undefined ? text : textOf(properties, named);
  return java === null || java.includes('${') ? null : java;
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
    platforms: [
      ...(project.attributes.get('Sdk')?.split(';') ?? []),
      ...childrenOf(project, 'ItemGroup')
        .flatMap((group) => childrenOf(group, 'FrameworkReference'))
        .flatMap((each) => each.attributes.get('Include') ?? []),
    ],
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
