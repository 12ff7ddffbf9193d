/**
 * Under which options a file's imports are resolved: which configuration governs it, and what that says about finding modules,
 * with the compiler's defaults worked out.
 */

import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { directoryOf } from '../resolving/root-paths.ts';
import {
  type ConfigFile,
  listStrings,
  type ReadConfigFile,
  readConfigPath,
  resolveConfigPath,
} from './read-tsconfig.ts';
import { createPatternTable, type PatternTable } from './star-patterns.ts';
import { type ConfigInputs, compileConfigInputs } from './tsconfig-files.ts';

/** `node16` is `node18`, `node20` and `nodenext` too. `classic`, which newer compilers no longer have, is read as `node10`. */
type ModuleResolution = 'node10' | 'node16' | 'bundler';

export type PathSubstitution = { readonly text: string; readonly directory: string };

export type ModuleOptions = {
  readonly resolution: ModuleResolution;
  /** Static imports are emitted as `require`, or kept as written (`preserve`). Says which conditions hold in bundler mode. */
  readonly emit: 'commonjs' | 'esm' | 'preserve';
  readonly allowJs: boolean;
  readonly useExports: boolean;
  readonly useImports: boolean;
  readonly customConditions: readonly string[];
  readonly baseUrl: string | undefined;
  readonly paths: PatternTable<readonly PathSubstitution[]> | undefined;
  readonly rootDirs: readonly string[];
  readonly moduleSuffixes: readonly string[];
  readonly typeRoots: readonly string[];
};

const entriesMax = 256;
const suffixesMax = 16;
const pathsMax = 20_000;

export const defaultModuleOptions: ModuleOptions = {
  resolution: 'bundler',
  emit: 'esm',
  allowJs: true,
  useExports: true,
  useImports: true,
  customConditions: [],
  baseUrl: undefined,
  paths: undefined,
  rootDirs: [],
  moduleSuffixes: [],
  typeRoots: [],
};

export function readModuleOptions(config: ConfigFile): ModuleOptions {
  const module = readModuleKind(config);
  const resolution = readResolution(config, module);
  const baseUrl = readConfigPath(config, 'baseUrl');
  return {
    resolution,
    emit: module === 'preserve' ? 'preserve' : module === 'commonjs' ? 'commonjs' : 'esm',
    allowJs: (optionOf(config, 'allowJs') ?? optionOf(config, 'checkJs')) === true,
    useExports: reads(config, resolution, 'resolvePackageJsonExports'),
    useImports: reads(config, resolution, 'resolvePackageJsonImports'),
    customConditions: listStrings(optionOf(config, 'customConditions'), entriesMax),
    baseUrl,
    paths: readPaths(config, baseUrl),
    rootDirs: listPaths(config, 'rootDirs'),
    moduleSuffixes: listStrings(optionOf(config, 'moduleSuffixes'), suffixesMax),
    typeRoots: listPaths(config, 'typeRoots'),
  };
}

function optionOf(config: ConfigFile, option: string): Json | undefined {
  return config.compilerOptions.get(option)?.value;
}

/** Only bundler mode can be told not to: Node's rules are not optional, and before them there were none. */
function reads(config: ConfigFile, resolution: ModuleResolution, option: string): boolean {
  return resolution === 'node16' || (resolution === 'bundler' && optionOf(config, option) !== false);
}

function readModuleKind(config: ConfigFile): string {
  const module = optionOf(config, 'module');
  if (typeof module === 'string') return module.toLowerCase();
  const target = optionOf(config, 'target');
  if (typeof target !== 'string') return 'commonjs';
  return ['es3', 'es5'].includes(target.toLowerCase()) ? 'commonjs' : 'es2015';
}

/** Unset beside ES modules means `classic` up to TypeScript 5 and `bundler` since: the latter is what such projects mean. */
function readResolution(config: ConfigFile, module: string): ModuleResolution {
  const said = optionOf(config, 'moduleResolution');
  if (typeof said === 'string') {
    const kind = said.toLowerCase();
    if (kind === 'node16' || kind === 'nodenext') return 'node16';
    return kind === 'bundler' ? 'bundler' : 'node10';
  }
  if (/^node(?:\d+|next)$/.test(module)) return 'node16';
  return ['commonjs', 'none', 'amd', 'umd', 'system'].includes(module) ? 'node10' : 'bundler';
}

function listPaths(config: ConfigFile, option: string): readonly string[] {
  const said = config.compilerOptions.get(option);
  return listStrings(said?.value, entriesMax).flatMap(
    (text) => resolveConfigPath(config, text, said?.directory ?? '') ?? [],
  );
}

/** Substitutions are relative to `baseUrl`, else to the file that lists them. */
function readPaths(config: ConfigFile, baseUrl: string | undefined): ModuleOptions['paths'] {
  const said = config.compilerOptions.get('paths');
  if (said === undefined || !isJsonObject(said.value)) return undefined;
  const directory = baseUrl ?? said.directory;
  const entries: [string, readonly PathSubstitution[]][] = [];
  for (const [pattern, list] of Object.entries(said.value).slice(0, pathsMax)) {
    const substitutions = listStrings(list, entriesMax).map((text) => readSubstitution(config, text, directory));
    entries.push([pattern, substitutions]);
  }
  return createPatternTable(entries, 'paths');
}

function readSubstitution(config: ConfigFile, text: string, directory: string): PathSubstitution {
  const isTemplate = /^\$\{configdir\}\/?/i.exec(text);
  return isTemplate === null
    ? { text, directory }
    : { text: text.slice(isTemplate[0].length), directory: config.directory };
}

type GoverningConfig = { readonly config: ConfigFile | undefined; readonly covers: boolean };
export type FindGoverningConfig = (path: string) => GoverningConfig;

const projectsMax = 1_000;
const projectsPerDirectoryMax = 128;

type Project = { readonly config: ConfigFile; readonly inputs: ConfigInputs };

/**
 * The configuration a file is compiled under: the nearest `tsconfig.json` (else `jsconfig.json`) upwards that covers it, itself or
 * through the projects it references; where none does, the nearest one.
 */
export function createFindGoverningConfig(world: ResolveWorld, read: ReadConfigFile): FindGoverningConfig {
  const projects = new Map<string, Project | null>();
  const chains = new Map<string, readonly Project[]>();
  const referenced = new Map<string, readonly Project[]>();
  const relevant = new Map<string, readonly Project[]>();

  const project = (path: string): Project | null => {
    const known = projects.get(path);
    if (known !== undefined) return known;
    const config = read(path);
    const made = config === undefined ? null : { config, inputs: compileConfigInputs(config) };
    projects.set(path, made);
    return made;
  };

  /** The configurations from this directory upwards, nearest first. */
  const chainAt = (directory: string): readonly Project[] => {
    const known = chains.get(directory);
    if (known !== undefined) return known;
    const above = directory === '' ? [] : chainAt(directoryOf(directory));
    const prefix = directory === '' ? '' : `${directory}/`;
    const name = ['tsconfig.json', 'jsconfig.json'].find((candidate) => world.hasFile(prefix + candidate));
    const own = name === undefined ? null : project(prefix + name);
    const chain = own === null ? above : [own, ...above];
    chains.set(directory, chain);
    return chain;
  };

  /** All projects reachable by references, nearest first; circles end where they began. */
  const referencedBy = (start: Project): readonly Project[] => {
    const known = referenced.get(start.config.path);
    if (known !== undefined) return known;
    const found = new Map<string, Project>();
    const pending = [...start.config.references];
    for (let at = 0; at < pending.length && found.size < projectsMax; at += 1) {
      const path = pending[at] as string;
      const next = found.has(path) || path === start.config.path ? null : project(path);
      if (next === null) continue;
      found.set(path, next);
      pending.push(...next.config.references);
    }
    const list = [...found.values()];
    referenced.set(start.config.path, list);
    return list;
  };

  /** The projects worth asking for files of one directory: per directory, so that a solution of hundreds costs a file nothing. */
  const relevantAt = (directory: string): readonly Project[] => {
    const known = relevant.get(directory);
    if (known !== undefined) return known;
    const reachable = chainAt(directory).flatMap((own) => [own, ...referencedBy(own)]);
    const list = [...new Set(reachable)]
      .filter(({ inputs }) => inputs.mayCover(directory))
      .slice(0, projectsPerDirectoryMax);
    relevant.set(directory, list);
    return list;
  };

  return (path) => {
    const directory = directoryOf(path);
    for (const { config, inputs } of relevantAt(directory)) if (inputs.covers(path)) return { config, covers: true };
    return { config: chainAt(directory)[0]?.config, covers: false };
  };
}
