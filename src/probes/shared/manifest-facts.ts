/** One shape for what a package manifest of any ecosystem declares. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt } from '../../kernel/base/json-access.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';

export type ManifestFacts = {
  readonly name: string | null;
  readonly version: string | null;
  /** Names of direct dependencies, as the ecosystem compares them. */
  readonly runtime: ReadonlySet<string>;
  readonly dev: ReadonlySet<string>;
  readonly engines: readonly { readonly name: string; readonly range: string }[];
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
  const groups = Object.values(objectAt(poetry, 'group')).map((group) => objectAt(group, 'dependencies'));
  const extras = Object.entries(objectAt(project, 'optional-dependencies'));
  const runtime = [
    ...requirementNames(project['dependencies']),
    ...poetryNames(objectAt(poetry, 'dependencies')),
    ...extras.filter(([extra]) => !isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
  ];
  const dev = [
    ...Object.values(objectAt(document, 'dependency-groups')).flatMap(requirementNames),
    ...extras.filter(([extra]) => isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
    ...poetryNames(objectAt(poetry, 'dev-dependencies')),
    ...groups.flatMap(poetryNames),
    ...requirementNames(objectAt(document, 'tool', 'uv')['dev-dependencies']),
  ];
  const python = project['requires-python'] ?? objectAt(poetry, 'dependencies')['python'];
  return {
    name: textMember(project, 'name') ?? textMember(poetry, 'name'),
    version: textMember(project, 'version') ?? textMember(poetry, 'version'),
    runtime: new Set(runtime),
    dev: new Set(dev),
    engines: typeof python === 'string' ? [{ name: 'python', range: shown(python) }] : [],
  };
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
  const rust = textMember(pkg, 'rust-version');
  return {
    name: textMember(pkg, 'name'),
    version: textMember(pkg, 'version'),
    runtime: new Set([
      ...tables.flatMap((table) => namesIn(table['dependencies'])),
      ...namesIn(member(document, 'workspace', 'dependencies')),
    ]),
    dev: new Set(
      tables.flatMap((table) => [...namesIn(table['dev-dependencies']), ...namesIn(table['build-dependencies'])]),
    ),
    engines: rust === null ? [] : [{ name: 'rust', range: rust }],
  };
}

export function isCargoWorkspace(document: JsonObject): boolean {
  return isJsonObject(document['workspace']);
}
