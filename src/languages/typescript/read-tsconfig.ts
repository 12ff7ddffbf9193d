/**
 * A `tsconfig.json` with everything it extends, as the compiler merges it: later bases win over earlier ones, the file itself over
 * all; each value remembers the directory of the file that said it, because its paths are relative to that. A base that is missing,
 * broken, outside the root, part of a circle or beyond the bounds adds nothing, and is named in `problems`.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseJsonc } from '../../kernel/formats/parse-json.ts';
import { type ParseFailure, parseText } from '../../kernel/formats/parse-outcome.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { baseNameOf, below, directoryOf, joinPath } from '../resolving/root-paths.ts';

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

/** Installed, or written by a framework (`.nuxt`, `.svelte-kit`): there for the compiler, though not committed. */
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

type ParsedConfig = { readonly value: JsonObject; readonly failure: ParseFailure | null };

const caps = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

/**
 * The text as the compiler takes it: JSON with comments; and where that is broken, what can still be made out, because the
 * compiler goes on with that too. Never fails and never loops: a file that means nothing is an empty object.
 */
function parseConfig(bytes: Uint8Array): ParsedConfig {
  const outcome = parseJsonc(bytes, caps);
  if (outcome.ok) return { value: outcome.value, failure: null };
  const text = parseText(bytes, caps);
  if (!text.ok || outcome.failure.kind !== 'malformed') return { value: {}, failure: outcome.failure };
  const { tokens, isBlank } = listTokens(text.value);
  // A file with nothing in it is a valid way to say "all defaults".
  return isBlank ? { value: {}, failure: null } : { value: recoverRoot(tokens), failure: outcome.failure };
}

type Token = { readonly kind: string; readonly text: string };

// One alternative per token and none that overlaps another's start, so scanning is linear. Of a conflict the first side counts.
const tokenPattern = new RegExp(
  [
    /\s+/,
    /^[<>]{7} [^\n\r]*/,
    /^[=|]{7}[\s\S]*?(?=^>{7} |(?![\s\S]))/,
    /\/\/[^\n\r\u2028\u2029]*/,
    /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/,
    /"[^"\\\n\r]*(?:\\[\s\S][^"\\\n\r]*)*"?/,
    /'[^'\\\n\r]*(?:\\[\s\S][^'\\\n\r]*)*'?/,
    /[{}[\],:;]/,
    /[^\s{}[\],:;"'/]+/,
    /\//,
  ]
    .map((alternative) => alternative.source)
    .join('|'),
  'gmu',
);

function listTokens(text: string): { readonly tokens: readonly Token[]; readonly isBlank: boolean } {
  const tokens: Token[] = [];
  let isBlank = true;
  for (const [token] of text.matchAll(tokenPattern)) {
    if (/^(?:\s|\/\/)/.test(token) || (token.startsWith('/*') && token.length > 3 && token.endsWith('*/'))) continue;
    isBlank = false;
    if (/^(?:\/\*|[<>]{7} |[=|]{7})/.test(token)) continue;
    if (token.startsWith('"') || token.startsWith("'")) tokens.push({ kind: 'string', text: unquote(token) });
    else tokens.push({ kind: /^[{}[\],:;]$/.test(token) ? token : 'word', text: token });
  }
  return { tokens, isBlank };
}

function unquote(token: string): string {
  const quote = token.slice(0, 1);
  const body = token.length > 1 && token.endsWith(quote) ? token.slice(1, -1) : token.slice(1);
  return body.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex: string | undefined, letter: string | undefined) =>
    hex === undefined ? (escapes[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Several values stand for an array of them, and of an array the first object is meant. */
function recoverRoot(tokens: readonly Token[]): JsonObject {
  const cursor: Cursor = { tokens, at: 0 };
  const opening = tokens[0]?.kind;
  if (opening === '{') return recoverObject(advance(cursor), 0);
  if (opening === '[') return firstObject(recoverArray(advance(cursor), 0));
  return tokens[1]?.kind === ':' ? recoverObject(cursor, 0) : firstObject(recoverArray(cursor, 0));
}

type Cursor = { readonly tokens: readonly Token[]; at: number };

function advance(cursor: Cursor): Cursor {
  cursor.at += 1;
  return cursor;
}

function firstObject(values: readonly Json[]): JsonObject {
  const found = values.find((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return (found as JsonObject | undefined) ?? {};
}

function recoverObject(cursor: Cursor, depth: number): JsonObject {
  const members: [string, Json][] = [];
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    cursor.at += 1;
    if (token.kind === '}') break;
    if (token.kind !== 'string' && token.kind !== 'word') continue;
    const hasColon = cursor.tokens[cursor.at]?.kind === ':';
    if (hasColon) cursor.at += 1;
    else if (token.kind === 'word') continue;
    const value = recoverValue(cursor, depth);
    if (value !== undefined) members.push([token.text, value]);
  }
  return Object.fromEntries(members);
}

function recoverArray(cursor: Cursor, depth: number): readonly Json[] {
  const values: Json[] = [];
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    // A brace closes the object around an array that was left open.
    if (token.kind === '}') break;
    if (token.kind === ']') {
      cursor.at += 1;
      break;
    }
    const value = recoverValue(cursor, depth);
    if (value === undefined) cursor.at += 1;
    else values.push(value);
  }
  return values;
}

/** `undefined`, and nothing consumed, where no value begins. */
function recoverValue(cursor: Cursor, depth: number): Json | undefined {
  const token = cursor.tokens[cursor.at];
  if (token === undefined || depth > limits.parseDepth) return undefined;
  if (token.kind === '{') return recoverObject(advance(cursor), depth + 1);
  if (token.kind === '[') return recoverArray(advance(cursor), depth + 1);
  if (token.kind !== 'string' && token.kind !== 'word') return undefined;
  cursor.at += 1;
  if (token.kind === 'string') return token.text;
  if (token.text === 'true' || token.text === 'false') return token.text === 'true';
  const number = Number(token.text);
  return Number.isFinite(number) ? number : null;
}

/**
 * An option that says `${configDir}` would mean another directory in a configuration that extends this one: an indexer gets such a
 * configuration as it is.
 */
export function usesConfigDir({ compilerOptions }: ConfigFile): boolean {
  return [...compilerOptions.values()].some(({ value }) => /"\$\{configDir\}/i.test(JSON.stringify(value)));
}
