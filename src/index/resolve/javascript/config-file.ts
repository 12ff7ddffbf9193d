/**
 * A `tsconfig.json` with everything it extends, as the compiler merges it: later bases win over earlier ones, the file itself over
 * all; each value remembers the directory of the file that said it, because its paths are relative to that. A base that is missing,
 * broken, outside the root, part of a circle or beyond the bounds adds nothing.
 */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonc } from '../../../kernel/parse/jsonc.ts';
import { baseNameOf, below, directoryOf } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import { joinPath } from './paths.ts';

export type ConfigValue = { readonly value: Json; readonly directory: string };

export type ConfigFile = {
  readonly path: string;
  readonly directory: string;
  readonly compilerOptions: ReadonlyMap<string, ConfigValue>;
  readonly files: ConfigValue | undefined;
  readonly include: ConfigValue | undefined;
  readonly exclude: ConfigValue | undefined;
  /** Paths of the configurations of referenced projects, in order. */
  readonly references: readonly string[];
};

/** Finds the configuration file a bare name in `extends` means, `undefined` where that package is not in scope. */
export type FindPackagedConfig = (directory: string, name: string) => string | undefined;

const basesMax = 256;
const depthMax = 32;
const referencesMax = 1_000;

/** `undefined`: there is no such file, or it is not JSONC. */
export type ReadConfigFile = (path: string) => ConfigFile | undefined;

export function createReadConfigFile(world: ResolveWorld, findPackaged: FindPackagedConfig): ReadConfigFile {
  const parsed = new Map<string, JsonObject | null>();
  const read = new Map<string, ConfigFile | null>();

  const parse = (path: string): JsonObject | null => {
    const known = parsed.get(path);
    if (known !== undefined) return known;
    const bytes = world.readConfig(path);
    const outcome = bytes && parseJsonc(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
    const value = outcome?.ok === true ? outcome.value : null;
    parsed.set(path, value);
    return value;
  };

  return (path) => {
    const known = read.get(path);
    if (known !== undefined) return known ?? undefined;
    const json = parse(path);
    const config = json === null ? null : mergeConfig(world, parse, findPackaged, path, json);
    read.set(path, config);
    return config ?? undefined;
  };
}

/** A path an option names: from the file that said it, or from the one that is read where it begins with `${configDir}`. */
export function resolveConfigPath(config: ConfigFile, text: string, directory: string): string | undefined {
  if (text.slice(0, configDir.length).toLowerCase() === configDir.toLowerCase()) {
    return joinPath(config.directory, `./${text.slice(configDir.length).replace(/^\/+/, '')}`);
  }
  return text.startsWith('/') ? undefined : joinPath(directory, text);
}

export function readConfigPath(config: ConfigFile, option: string): string | undefined {
  const said = config.compilerOptions.get(option);
  return typeof said?.value === 'string' && said.value !== ''
    ? resolveConfigPath(config, said.value, said.directory)
    : undefined;
}

export function listStrings(value: Json | undefined, max: number): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).slice(0, max).filter((entry) => typeof entry === 'string');
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the configuration file writes it.
const configDir = '${configDir}';

function mergeConfig(
  world: ResolveWorld,
  parse: (path: string) => JsonObject | null,
  findPackaged: FindPackagedConfig,
  root: string,
  rootJson: JsonObject,
): ConfigFile {
  const options = new Map<string, ConfigValue>();
  const lists: { files?: ConfigValue; include?: ConfigValue; exclude?: ConfigValue } = {};
  const open = new Set<string>();
  let bases = 0;

  // Bases first and the file itself last, so that simply setting what is said leaves the winner.
  const apply = (path: string, json: JsonObject): void => {
    open.add(path);
    const directory = directoryOf(path);
    const named = typeof json['extends'] === 'string' ? [json['extends']] : listStrings(json['extends'], basesMax);
    for (const name of named) {
      if (bases >= basesMax || open.size >= depthMax) break;
      bases += 1;
      const base = findBase(world, findPackaged, directory, name);
      if (base === undefined || open.has(base)) continue;
      const baseJson = parse(base);
      if (baseJson !== null) apply(base, baseJson);
    }
    open.delete(path);
    const said = json['compilerOptions'];
    if (isJsonObject(said)) {
      for (const [option, value] of Object.entries(said)) {
        if (value === null) options.delete(option);
        else options.set(option, { value, directory });
      }
    }
    for (const list of ['files', 'include', 'exclude'] as const) {
      const value = json[list];
      if (Array.isArray(value)) lists[list] = { value: value as readonly Json[], directory };
    }
  };

  if (baseNameOf(root) === 'jsconfig.json') options.set('allowJs', { value: true, directory: '' });
  apply(root, rootJson);
  return {
    path: root,
    directory: directoryOf(root),
    compilerOptions: options,
    files: lists.files,
    include: lists.include,
    exclude: lists.exclude,
    references: listReferences(directoryOf(root), rootJson['references']),
  };
}

function findBase(
  world: ResolveWorld,
  findPackaged: FindPackagedConfig,
  directory: string,
  name: string,
): string | undefined {
  if (!name.startsWith('./') && !name.startsWith('../') && name !== '..') return findPackaged(directory, name);
  const path = joinPath(directory, name);
  if (path === undefined) return undefined;
  return world.hasFile(path) || path.endsWith('.json') ? path : `${path}.json`;
}

function listReferences(directory: string, value: Json | undefined): readonly string[] {
  const found: string[] = [];
  for (const reference of Array.isArray(value) ? (value as readonly Json[]).slice(0, referencesMax) : []) {
    const named = isJsonObject(reference) ? reference['path'] : undefined;
    const path = typeof named === 'string' ? joinPath(directory, named) : undefined;
    if (path !== undefined) found.push(path.endsWith('.json') ? path : below(path, 'tsconfig.json'));
  }
  return found;
}
