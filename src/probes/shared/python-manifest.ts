/** What a pyproject.toml says about a package: PEP 621, dependency groups (PEP 735), and poetry's and uv's own tables. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { type ManifestFacts, shown, textMember } from './manifest-facts.ts';

export function readPyproject(document: JsonObject): ManifestFacts {
  const project = tableAt(document, 'project');
  const poetry = tableAt(document, 'tool', 'poetry');
  const groups = Object.values(tableAt(poetry, 'group')).map((group) =>
    isJsonObject(group) ? tableAt(group, 'dependencies') : {},
  );
  const extras = Object.entries(tableAt(project, 'optional-dependencies'));
  const runtime = [
    ...requirementNames(project['dependencies']),
    ...poetryNames(tableAt(poetry, 'dependencies')),
    ...extras.filter(([extra]) => !isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
  ];
  const dev = [
    ...Object.values(tableAt(document, 'dependency-groups')).flatMap(requirementNames),
    ...extras.filter(([extra]) => isDevelopmentName(extra)).flatMap(([, list]) => requirementNames(list)),
    ...poetryNames(tableAt(poetry, 'dev-dependencies')),
    ...groups.flatMap(poetryNames),
    ...requirementNames(tableAt(document, 'tool', 'uv')['dev-dependencies']),
  ];
  const python = project['requires-python'] ?? tableAt(poetry, 'dependencies')['python'];
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

function tableAt(from: JsonObject, ...keys: readonly string[]): JsonObject {
  let table = from;
  for (const key of keys) {
    const next = Object.hasOwn(table, key) ? table[key] : undefined;
    table = isJsonObject(next) ? next : {};
  }
  return table;
}
