/** Configuration: defaults < user file < repository file < command line (gather.md §11). Every problem names file, key and remedy. */

import { isJsonObject, type Json, type JsonObject } from '../kernel/base/json.ts';
import { limits } from '../kernel/base/limits.ts';
import { z } from '../kernel/base/schema.ts';
import { findNearest } from '../kernel/base/text.ts';
import { findTool, toolNames } from '../kernel/exec/tools.ts';
import { createDirectoryGuard, readRegular } from '../kernel/tree/safe-read.ts';
import { type ConfigKey, type ConfigValues, configKeys } from './config-keys.ts';

export type ConfigProblem = { readonly file: string; readonly key: string | null; readonly message: string };
export type ConfigWarning = { readonly id: 'config.user_only_key'; readonly detail: string };
export type ConfigOutcome =
  | { readonly kind: 'loaded'; readonly values: ConfigValues; readonly warnings: readonly ConfigWarning[] }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] };

type Origin = { readonly label: string; readonly trusted: boolean };

export async function loadConfig(world: {
  readonly root: string;
  readonly home: string;
  readonly overrides: Partial<ConfigValues>;
}): Promise<ConfigOutcome> {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigWarning[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(configKeys))
    values[name] = expandHome(definition.default, world.home);

  const origins: [base: string, path: string, origin: Origin][] = [
    [world.home, '.codegenie/config.yaml', { label: '~/.codegenie/config.yaml', trusted: true }],
    [world.root, '.codegenie/config.yaml', { label: '.codegenie/config.yaml', trusted: false }],
  ];
  for (const [base, path, origin] of origins) {
    // A repository that is the home directory has one file for both roles, and the user's role is the one it was written in.
    if (base === world.root && world.root === world.home) continue;
    const document = await readConfigFile(base, path, origin, problems);
    if (document === undefined) continue;
    for (const { name, value } of flatten(document, origin, problems)) {
      if (configKeys[name].userOnly && !origin.trusted) {
        const remedy = `${name} is only honoured in ~/.codegenie/config.yaml or on the command line; ignored in ${origin.label}`;
        warnings.push({ id: 'config.user_only_key', detail: remedy });
        continue;
      }
      const checked = configKeys[name].schema.safeParse(value);
      if (checked.success) values[name] = origin.trusted ? expandHome(checked.data, world.home) : checked.data;
      else problems.push({ file: origin.label, key: name, message: `${name}: ${z.prettifyError(checked.error)}` });
    }
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'loaded', values: { ...values, ...world.overrides } as ConfigValues, warnings };
}

/** Every probe that the configuration names: who knows the probes refuses the ones that do not exist. */
export function probeNamesIn(values: ConfigValues): readonly string[] {
  return [...values['probes.disabled'], ...Object.keys(values['probes.timeouts'])];
}

/** The keys as a person writes them. */
const writtenKeys = Object.keys(configKeys).flatMap((name) =>
  name === 'tools.paths' ? toolNames.map((tool) => `tools.${tool}.path`) : [name],
);

function flatten(document: JsonObject, origin: Origin, problems: ConfigProblem[]): { name: ConfigKey; value: Json }[] {
  const found: { name: ConfigKey; value: Json }[] = [];
  const toolPaths: Record<string, string> = {};
  const visit = (value: Json, path: string): void => {
    if (path === 'tools' || path.startsWith('tools.')) {
      if (!found.some((other) => other.name === 'tools.paths')) found.push({ name: 'tools.paths', value: toolPaths });
      visitTool(value, path, toolPaths, (key, message) => problems.push({ file: origin.label, key, message }));
    } else if (Object.hasOwn(configKeys, path)) {
      // Nested or with dots: two ways to write one key, and the second would silently win.
      if (found.some((other) => other.name === path))
        problems.push({ file: origin.label, key: path, message: `${path} is written twice` });
      found.push({ name: path as ConfigKey, value });
    } else if (isJsonObject(value) && isPrefix(path)) {
      for (const [name, member] of Object.entries(value)) visit(member, path === '' ? name : `${path}.${name}`);
    } else {
      problems.push({ file: origin.label, key: path, message: `unknown key ${path}${hint(path, writtenKeys)}` });
    }
  };
  visit(document, '');
  return found;
}

/** `tools: {<name>: {path: …}}`, also with dots at any step; anything else below `tools` is a problem. */
function visitTool(
  value: Json,
  key: string,
  paths: Record<string, string>,
  tell: (key: string, message: string) => void,
): void {
  const [, tool, member, ...deeper] = key.split('.');
  if (tool !== undefined && findTool(tool) === undefined) {
    tell(
      key,
      `${key}: unknown tool ${tool}${hint(tool, toolNames)}; expected tools: {<name>: {path: <absolute path>}}`,
    );
  } else if (tool === undefined || member === undefined) {
    const members = isJsonObject(value) ? Object.entries(value) : [];
    if (!isJsonObject(value) || (tool !== undefined && members.length === 0))
      tell(
        key,
        `${key}: expected ${tool === undefined ? '{<name>: {path: <absolute path>}}' : '{path: <absolute path>}'}`,
      );
    for (const [name, below] of members) visitTool(below, `${key}.${name}`, paths, tell);
  } else if (member !== 'path' || deeper.length > 0) {
    tell(key, `unknown key ${key}; write tools: {${tool}: {path: <absolute path>}}`);
  } else if (typeof value !== 'string') tell(key, `${key}: expected an absolute path`);
  else if (Object.hasOwn(paths, tool)) tell(key, `${key} is written twice`);
  else paths[tool] = value;
}

function hint(given: string, known: readonly string[]): string {
  const nearest = findNearest(given, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

function isPrefix(path: string): boolean {
  return path === '' || Object.keys(configKeys).some((name) => name.startsWith(`${path}.`));
}

async function readConfigFile(
  base: string,
  path: string,
  origin: Origin,
  problems: ConfigProblem[],
): Promise<JsonObject | undefined> {
  const outcome = readRegular(base, path, limits.yamlSmallBytes, createDirectoryGuard(base));
  if (outcome.kind === 'absent') return undefined;
  if (outcome.kind === 'failed') {
    problems.push({ file: origin.label, key: null, message: `cannot be read (${outcome.failure.kind})` });
    return undefined;
  }
  const { parseYaml } = await import('../kernel/formats/yaml.ts');
  const parsed = parseYaml(outcome.bytes, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!parsed.ok) {
    const { failure } = parsed;
    const where =
      failure.kind === 'malformed'
        ? `${failure.line === undefined ? '' : `line ${failure.line}: `}${failure.detail}`
        : failure.kind;
    problems.push({ file: origin.label, key: null, message: `is not valid YAML: ${where}` });
    return undefined;
  }
  if (parsed.value === null) return {};
  if (isJsonObject(parsed.value)) return parsed.value;
  problems.push({ file: origin.label, key: null, message: 'must hold a mapping of keys' });
  return undefined;
}

/** `~/` at the start of any string of a trusted value is the home directory; there is no other expansion. */
function expandHome(value: unknown, home: string): unknown {
  if (typeof value === 'string') return value.startsWith('~/') ? `${home}/${value.slice(2)}` : value;
  if (Array.isArray(value)) return value.map((item) => expandHome(item, home));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expandHome(member, home)]));
  }
  return value;
}
