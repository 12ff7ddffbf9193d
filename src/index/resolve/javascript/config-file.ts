/**
 * A `tsconfig.json` with everything it extends, as the compiler merges it: later bases win over earlier ones, the file itself over
 * all; each value remembers the directory of the file that said it, because its paths are relative to that. A base that is missing,
 * broken, outside the root, part of a circle or beyond the bounds adds nothing, and is named in `problems`.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import type { ParseFailure } from '../../../kernel/formats/parse-outcome.ts';
import { baseNameOf, below, directoryOf } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import { parseConfig } from './parse-config.ts';
import { joinPath } from './paths.ts';

export type ConfigValue = { readonly value: Json; readonly directory: string };

export type ConfigFile = {
  readonly path: string;
  readonly directory: string;
  readonly compilerOptions: ReadonlyMap<string, ConfigValue>;
  readonly files: ConfigValue | undefined;
  readonly include: ConfigValue | undefined;
  readonly exclude: ConfigValue | undefined;
  readonly hasExtends: boolean;
  /** It says itself, and no base for it, what it consists of. */
  readonly hasOwnInputs: boolean;
  /** Paths of the configurations of referenced projects, in order. */
  readonly references: readonly string[];
  /** What was merged, in that order: the file itself is last. A hash tells what a file says, whatever its comments and spaces. */
  readonly layers: readonly { readonly path: string; readonly hash: string }[];
  readonly problems: readonly ConfigProblem[];
  /** Names in `extends` that are not in scope and need not be: packages, and files in directories that tools generate. */
  readonly unseen: readonly string[];
};

export type ConfigProblem =
  /** `path` cannot be read as JSON. The file itself is then taken for what can be made out of it, a base for nothing. */
  | { readonly kind: 'malformed'; readonly path: string; readonly failure: ParseFailure }
  /** `path` extends `base`, and that cannot be. */
  | {
      readonly kind: 'extends_missing' | 'extends_outside' | 'extends_cycle' | 'extends_too_many';
      readonly path: string;
      readonly base: string;
    };

/** Finds the configuration file a bare name in `extends` means, `undefined` where that package is not in scope. */
export type FindPackagedConfig = (directory: string, name: string) => string | undefined;

const basesMax = 256;
const depthMax = 32;
const problemsMax = 64;
const referencesMax = 1_000;

/** `undefined`: there is no such file. */
export type ReadConfigFile = (path: string) => ConfigFile | undefined;

type Layer = { readonly value: JsonObject; readonly hash: string; readonly failure: ParseFailure | null };
type FindLayer = (path: string) => Layer | null;

export function createReadConfigFile(world: ResolveWorld, findPackaged: FindPackagedConfig): ReadConfigFile {
  const layers = new Map<string, Layer | null>();
  const read = new Map<string, ConfigFile | null>();

  const findLayer: FindLayer = (path) => {
    const known = layers.get(path);
    if (known !== undefined) return known;
    const bytes = world.readConfig(path);
    const parsed = bytes && parseConfig(bytes);
    const layer =
      parsed === undefined
        ? null
        : { ...parsed, hash: blake3Hex(parsed.failure === null ? canonicalJson(parsed.value) : (bytes ?? '')) };
    layers.set(path, layer);
    return layer;
  };

  return (path) => {
    const known = read.get(path);
    if (known !== undefined) return known ?? undefined;
    const layer = findLayer(path);
    const config = layer === null ? null : mergeConfig(world, findLayer, findPackaged, path, layer);
    read.set(path, config);
    return config ?? undefined;
  };
}

/** A path an option names: from the file that said it, or from the one that is read where it begins with `${configDir}`. */
export function resolveConfigPath(
  config: Pick<ConfigFile, 'directory'>,
  text: string,
  directory: string,
): string | undefined {
  const path = text.replaceAll('\\', '/');
  if (path.slice(0, configDir.length).toLowerCase() === configDir.toLowerCase()) {
    return joinPath(config.directory, `./${path.slice(configDir.length).replace(/^\/+/, '')}`);
  }
  return path.startsWith('/') ? undefined : joinPath(directory, path);
}

export function readConfigPath(config: ConfigFile, option: string): string | undefined {
  const said = config.compilerOptions.get(option);
  return typeof said?.value === 'string' ? resolveConfigPath(config, said.value, said.directory) : undefined;
}

export function listStrings(value: Json | undefined, max: number): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).slice(0, max).filter((entry) => typeof entry === 'string');
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the configuration file writes it.
const configDir = '${configDir}';

function mergeConfig(
  world: ResolveWorld,
  findLayer: FindLayer,
  findPackaged: FindPackagedConfig,
  root: string,
  rootLayer: Layer,
): ConfigFile {
  const options = new Map<string, ConfigValue>();
  const lists: { files?: ConfigValue; include?: ConfigValue; exclude?: ConfigValue } = {};
  const layers = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  const unseen = new Set<string>();
  const open = new Set<string>();
  let bases = 0;

  /** The base that `name` means, if it can be used. */
  const findUsable = (path: string, name: string): { readonly path: string; readonly layer: Layer } | undefined => {
    const report = (kind: 'extends_missing' | 'extends_outside' | 'extends_cycle' | 'extends_too_many') => {
      if (problems.length < problemsMax) problems.push({ kind, path, base: name });
      return undefined;
    };
    const found = findBase(world, findPackaged, directoryOf(path), name);
    if (found.kind === 'outside') return report('extends_outside');
    if (found.kind === 'missing') return report('extends_missing');
    if (found.kind === 'unseen') {
      unseen.add(name);
      return undefined;
    }
    if (open.has(found.path)) return report('extends_cycle');
    if (bases >= basesMax || open.size >= depthMax) return report('extends_too_many');
    bases += 1;
    const layer = findLayer(found.path);
    if (layer === null) {
      if (!isElsewhere(found.path)) return report('extends_missing');
      unseen.add(name);
      return undefined;
    }
    if (layer.failure === null) return { path: found.path, layer };
    layers.set(found.path, layer.hash);
    problems.push({ kind: 'malformed', path: found.path, failure: layer.failure });
    return undefined;
  };

  // Bases first and the file itself last, so that simply setting what is said leaves the winner.
  const apply = (path: string, { value: json, hash }: Layer): void => {
    open.add(path);
    const directory = directoryOf(path);
    for (const name of listBases(json['extends'])) {
      const base = findUsable(path, name);
      if (base !== undefined) apply(base.path, base.layer);
    }
    open.delete(path);
    layers.delete(path);
    layers.set(path, hash);
    if (baseNameOf(path) === 'jsconfig.json') options.set('allowJs', { value: true, directory });
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
      else if (value) {
        // No list, and yet it hides the one of a base.
        if (path === root && list !== 'exclude') delete lists[list];
        else lists[list] = { value: [], directory };
      }
    }
  };

  if (rootLayer.failure !== null) problems.push({ kind: 'malformed', path: root, failure: rootLayer.failure });
  apply(root, rootLayer);
  return {
    path: root,
    directory: directoryOf(root),
    compilerOptions: options,
    files: lists.files,
    include: lists.include,
    exclude: lists.exclude,
    hasExtends: listBases(rootLayer.value['extends']).length > 0,
    hasOwnInputs: Array.isArray(rootLayer.value['files']) || Array.isArray(rootLayer.value['include']),
    references: listReferences(directoryOf(root), rootLayer.value['references']),
    layers: [...layers].map(([path, hash]) => ({ path, hash })),
    problems,
    unseen: [...unseen],
  };
}

function listBases(value: Json | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : listStrings(value, basesMax);
}

type FoundBase =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'missing' };

function findBase(world: ResolveWorld, findPackaged: FindPackagedConfig, directory: string, given: string): FoundBase {
  const name = given.replaceAll('\\', '/');
  if (name === '') return { kind: 'missing' };
  if (name.startsWith('/') || /^[A-Za-z]:\//.test(name)) return { kind: 'outside' };
  if (!name.startsWith('./') && !name.startsWith('../')) {
    const packaged = findPackaged(directory, name);
    if (packaged !== undefined) return { kind: 'path', path: packaged };
    return { kind: name === '.' || name === '..' ? 'missing' : 'unseen' };
  }
  const path = joinPath(directory, name);
  if (path === undefined) return { kind: 'outside' };
  return { kind: 'path', path: world.hasFile(path) || path.endsWith('.json') ? path : `${path}.json` };
}

/** Installed, or written by a framework (`.nuxt`, `.svelte-kit`): there for the compiler, though nobody commits it. */
function isElsewhere(path: string): boolean {
  return /(?:^|\/)(?:\.[^/]+|node_modules)\//.test(path);
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
