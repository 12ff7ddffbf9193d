/** One shape for what a package manifest of any ecosystem declares. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';

export type ManifestFacts = {
  readonly name: string | null;
  readonly version: string | null;
  /** Names of direct dependencies, as the ecosystem compares them. */
  readonly runtime: ReadonlySet<string>;
  readonly dev: ReadonlySet<string>;
  readonly engines: readonly { readonly name: string; readonly range: string }[];
  /** What is required only by others, where the ecosystem writes it down beside. */
  readonly indirect?: ReadonlySet<string>;
  /** What is installed on demand: extras that are not for developers. */
  readonly optional?: ReadonlySet<string>;
  /** The part of `dev` that the build itself needs. */
  readonly build?: ReadonlySet<string>;
  /** False where dependencies stand elsewhere, or a program decides: counts are at most part of the truth. */
  readonly isComplete?: boolean;
  /** True where the file is the output of a compiler of requirements: a lock, not a manifest. */
  readonly isCompiled?: boolean;
  /** The lock that it is, is that of the project beside it. */
  readonly isCompiledFromProject?: boolean;
  /** What it is built with besides dependencies: the parent, an SDK, plugins. */
  readonly platforms?: readonly string[];
  readonly peer?: ReadonlySet<string>;
  /** The manifest of a package that others install: what it needs for development is not there at run time. */
  readonly isLibrary?: boolean;
  /** The manager that a table of its own names. */
  readonly manager?: { readonly name: string; readonly shows: string };
  /** The root of a workspace; null members: whatever lies below and is not left out. */
  readonly workspace?: { readonly members: readonly string[] | null; readonly exclude: readonly string[] };
  /** Values that the root of the workspace gives to its members, and whether this one takes the engine from there. */
  readonly shared?: readonly { readonly name: string; readonly range: string }[];
  readonly takesSharedEngine?: boolean;
};

export const noFacts: ManifestFacts = {
  name: null,
  version: null,
  runtime: new Set(),
  dev: new Set(),
  engines: [],
};

/** The names a map of dependencies declares; anything that is no map declares nothing. */
export function namesIn(map: Json | undefined): readonly string[] {
  return isJsonObject(map) ? Object.keys(map) : [];
}

/** The member if it is text, as one printable line of a length a reader can take. */
export function textMember(from: JsonObject, key: string): string | null {
  const value = from[key];
  return typeof value === 'string' ? shown(value) : null;
}

export function shown(text: string): string {
  return truncate(singleLine(text), 256);
}

// What a pyproject.toml says about a package: PEP 621, dependency groups (PEP 735), and poetry's and uv's own tables.

export function readPyproject(document: JsonObject): ManifestFacts {
  const project = objectAt(document, 'project');
  const poetry = objectAt(document, 'tool', 'poetry');
  const uv = objectAt(document, 'tool', 'uv');
  const groups = Object.values(objectAt(poetry, 'group')).map((group) => objectAt(group, 'dependencies'));
  const extras = Object.entries(objectAt(project, 'optional-dependencies'));
  const runtime = [...requirementNames(project['dependencies']), ...poetryNames(objectAt(poetry, 'dependencies'))];
  const dev = [
    ...Object.values(objectAt(document, 'dependency-groups')).flatMap(requirementNames),
    ...extras.filter(([extra]) => isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
    ...poetryNames(objectAt(poetry, 'dev-dependencies')),
    ...groups.flatMap(poetryNames),
    ...requirementNames(uv['dev-dependencies']),
    ...Object.values(objectAt(document, 'tool', 'pdm', 'dev-dependencies')).flatMap(requirementNames),
  ];
  const python = project['requires-python'] ?? objectAt(poetry, 'dependencies')['python'];
  const isPackage = Object.keys(project).length > 0 || Object.keys(poetry).length > 0;
  const workspace = member(uv, 'workspace');
  return {
    name: textMember(project, 'name') ?? textMember(poetry, 'name'),
    version: textMember(project, 'version') ?? textMember(poetry, 'version'),
    runtime: new Set(runtime),
    dev: new Set(dev),
    optional: new Set(
      extras.filter(([extra]) => !isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
    ),
    engines: typeof python === 'string' ? [{ name: 'python', range: shown(python) }] : [],
    // The root of a workspace that is no package itself declares what it declares.
    isComplete: (isPackage || isJsonObject(workspace)) && !listAt(project, 'dynamic').includes('dependencies'),
    ...managerOf(document),
    ...(isJsonObject(workspace)
      ? { workspace: { members: textsAt(workspace, 'members'), exclude: textsAt(workspace, 'exclude') } }
      : {}),
  };
}

/** The first table that only one manager reads; a build back end alone names none, but poetry's. */
function managerOf(document: JsonObject): Pick<ManifestFacts, 'manager'> {
  const tool = objectAt(document, 'tool');
  const backend = textAt(document, 'build-system', 'build-backend') ?? '';
  if (isJsonObject(tool['uv'])) return { manager: { name: 'uv', shows: 'tool.uv' } };
  if (isJsonObject(tool['poetry'])) return { manager: { name: 'poetry', shows: 'tool.poetry' } };
  if (isJsonObject(tool['pdm'])) return { manager: { name: 'pdm', shows: 'tool.pdm' } };
  if (isJsonObject(member(tool, 'hatch', 'envs'))) return { manager: { name: 'hatch', shows: 'tool.hatch.envs' } };
  if (backend.startsWith('poetry.')) return { manager: { name: 'poetry', shows: 'build-backend' } };
  return {};
}

/** `Django[argon2]>=4 ; python_version > "3"` → `django`; the comparison form of PEP 503. */
export function pythonName(requirement: string): string | null {
  const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(requirement)?.[1];
  return name === undefined ? null : name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Extras, groups and requirement files that only a developer installs. */
export function isDevelopmentName(name: string): boolean {
  return /(^|[-_.])(dev|develop|development|test|tests|testing|lint|docs|doc|typing|ci)([-_.]|$)/i.test(name);
}

function requirementNames(list: Json | undefined): string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((item) => (typeof item === 'string' ? (pythonName(item) ?? []) : []));
}

function poetryNames(table: JsonObject): string[] {
  return Object.keys(table).flatMap((name) => (name === 'python' ? [] : (pythonName(name) ?? [])));
}

// What a Cargo.toml says: dependencies of every target; build dependencies count as development ones.

export function readCargoManifest(document: JsonObject): ManifestFacts {
  const tables = [document, ...Object.values(objectAt(document, 'target')).map((table) => objectAt(table))];
  const pkg = objectAt(document, 'package');
  const takesShared = member(pkg, 'rust-version', 'workspace') === true;
  const sharedRust = textMember(objectAt(document, 'workspace', 'package'), 'rust-version');
  const rust =
    textMember(pkg, 'rust-version') ?? (takesShared || !isJsonObject(document['package']) ? sharedRust : null);
  const dev = tables.flatMap((table) => namesIn(table['dev-dependencies']));
  const build = tables.flatMap((table) => namesIn(table['build-dependencies']));
  return {
    name: textMember(pkg, 'name'),
    version: textMember(pkg, 'version'),
    runtime: new Set([
      ...tables.flatMap((table) => namesIn(table['dependencies'])),
      // A root without a package of its own declares versions for its members.
      ...(isJsonObject(document['package']) ? [] : namesIn(member(document, 'workspace', 'dependencies'))),
    ]),
    dev: new Set([...dev, ...build]),
    build: new Set(build.filter((name) => !dev.includes(name))),
    engines: rust === null ? [] : [{ name: 'rust', range: rust }],
    isComplete: isJsonObject(document['package']),
    takesSharedEngine: takesShared,
    shared: sharedRust === null ? [] : [{ name: 'rust', range: sharedRust }],
    ...(isCargoWorkspace(document)
      ? { workspace: { members: null, exclude: textsAt(document, 'workspace', 'exclude') } }
      : {}),
  };
}

export function isCargoWorkspace(document: JsonObject): boolean {
  return isJsonObject(document['workspace']);
}
