/**
 * Built files stand for their sources. Which sources a built file has is known in four ways, tried in this order: its declaration
 * map names them; a configuration emits it (a file below `outDir` or `declarationDir` comes from the same place below `rootDir`);
 * the layout that bundlers have is guessed; else it stands for itself.
 *
 * Where `rootDir` is not said, the places it can be are tried in turn instead of being worked out from all inputs: so the answer
 * follows from the candidates alone, and creating a file elsewhere cannot change it.
 */

import { limits } from '../../kernel/base/limits.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { baseNameOf, directoryOf, isWithin, joinPath } from '../resolving/root-paths.ts';
import {
  type BuildOutputs,
  extensionOf,
  kinds,
  type Lookup,
  loadExplicitFile,
  look,
  type OutputRoot,
} from './js-files.ts';
import { type ConfigFile, listStrings, type ReadConfigFile, readConfigPath } from './read-tsconfig.ts';
import { compileConfigInputs } from './tsconfig-files.ts';

const configsMax = 5_000;
const rootsPerDirectoryMax = 16;
const none: readonly OutputRoot[] = [];

export function createBuildOutputs(world: ResolveWorld, read: ReadConfigFile): BuildOutputs {
  let byDirectory: ReadonlyMap<string, readonly OutputRoot[]> | undefined;
  const rootsByDirectory = new Map<string, readonly OutputRoot[]>();

  const rootsAt = (directory: string): readonly OutputRoot[] => {
    const known = rootsByDirectory.get(directory);
    if (known !== undefined) return known;
    byDirectory ??= listOutputRoots(world, read);
    const own = byDirectory.get(directory) ?? none;
    const above = directory === '' ? none : rootsAt(directoryOf(directory));
    const roots = own.length === 0 ? above : [...own, ...above];
    rootsByDirectory.set(directory, roots);
    return roots;
  };

  return {
    rootsAt,
    sourcesOf: (path, fromDirectory) => {
      const roots = rootsAt(directoryOf(path));
      if (roots.length === 0) return [];
      const found: string[] = [];
      for (const root of roots) {
        if (isWithin(fromDirectory, root.directory)) continue;
        const rest = root.directory === '' ? path : path.slice(root.directory.length + 1);
        for (const sourceRoot of root.sourceRoots) found.push(...sourceNames(sourceRoot, rest));
      }
      return found;
    },
  };
}

/** The names of the files a built file of this name can come from. */
function sourceNames(directory: string, built: string): string[] {
  const path = directory === '' ? built : `${directory}/${built}`;
  const extension = path.endsWith('.d.json.ts') ? '.d.json.ts' : extensionOf(path);
  const origins = originsOf[extension];
  const stem = path.slice(0, path.length - extension.length);
  return origins === undefined ? [] : origins.map((origin) => stem + origin);
}

const scripts = ['.tsx', '.ts', '.jsx', '.js'];
const originsOf: Readonly<Record<string, readonly string[]>> = {
  '': scripts,
  '.js': scripts,
  '.jsx': scripts,
  '.d.ts': scripts,
  '.mjs': ['.mts', '.mjs'],
  '.d.mts': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
  '.d.cts': ['.cts', '.cjs'],
  '.json': ['.json'],
  '.d.json.ts': ['.json'],
};

function listOutputRoots(world: ResolveWorld, read: ReadConfigFile): ReadonlyMap<string, readonly OutputRoot[]> {
  const byDirectory = new Map<string, OutputRoot[]>();
  const paths = world.allFiles().filter((path) => configName.test(baseNameOf(path)));
  for (const path of paths.slice(0, configsMax)) {
    const config = read(path);
    if (config === undefined) continue;
    const directories = new Set([readConfigPath(config, 'declarationDir'), readConfigPath(config, 'outDir')]);
    for (const directory of directories) {
      if (directory === undefined) continue;
      const known = byDirectory.get(directory);
      const root = { directory, sourceRoots: listSourceRoots(config) };
      if (known === undefined) byDirectory.set(directory, [root]);
      else if (known.length < rootsPerDirectoryMax) known.push(root);
    }
  }
  return byDirectory;
}

const configName = /(?:^|[.-])tsconfig.*\.json$/;

function listSourceRoots(config: ConfigFile): readonly string[] {
  const rootDir = readConfigPath(config, 'rootDir');
  if (rootDir !== undefined) return [rootDir];
  if (config.compilerOptions.get('composite')?.value === true) return [config.directory];
  const source = config.directory === '' ? 'src' : `${config.directory}/src`;
  return [...new Set([compileConfigInputs(config).base, source, config.directory])];
}

/** Wherever a built file would be looked up, the files it is made from are looked up first. */
export function trySources(lookup: Lookup, path: string): string | undefined {
  const sources = lookup.outputs.sourcesOf(path, lookup.fromDirectory);
  if (sources.length === 0) return undefined;
  if (extensionOf(path) !== '') lookup.trail.paths.push(path);
  const mapped = tryMappedSource(lookup, declarationBeside(path));
  if (mapped !== undefined) return mapped;
  for (const source of sources) {
    const hit = (lookup.kinds & kindOf(source)) === 0 ? undefined : look(lookup, source);
    // A source in JavaScript may have a declaration of its own beside it, which the compiler prefers as everywhere.
    if (hit !== undefined) return loadExplicitFile(lookup, hit) ?? hit;
  }
  return undefined;
}

function kindOf(source: string): number {
  if (source.endsWith('.json')) return kinds.json;
  return /tsx?$/.test(source) ? kinds.typescript : kinds.javascript;
}

function declarationBeside(path: string): string {
  const extension = extensionOf(path);
  if (extension.startsWith('.d.')) return path;
  const stem = path.slice(0, path.length - extension.length);
  return `${stem}.d.${extension === '.mjs' ? 'mts' : extension === '.cjs' ? 'cts' : 'ts'}`;
}

const formats = new Set([
  'cjs',
  'esm',
  'es',
  'es6',
  'es2015',
  'mjs',
  'umd',
  'types',
  'node',
  'browser',
  'commonjs',
  'module',
]);
const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const builtExtension = /(?:\.d)?\.[cm]?[jt]sx?$/;

/**
 * Where the sources of a built file probably lie when no configuration says so, because a bundler builds the package: below `src/`
 * or the package itself, without the output directory and without a directory that only names a format.
 */
export function guessSources(packageDirectory: string, built: string): readonly string[] {
  const prefix = packageDirectory === '' ? '' : `${packageDirectory}/`;
  if (!built.startsWith(prefix) || !builtExtension.test(built)) return [];
  const segments = built.slice(prefix.length).replace(builtExtension, '').split('/');
  if (segments.length < 2) return [];
  const behindOutput = segments.slice(1);
  const rests = [behindOutput.join('/')];
  if (behindOutput.length > 1 && formats.has(behindOutput[0] as string)) rests.push(behindOutput.slice(1).join('/'));
  return rests
    .flatMap((rest) => [`${prefix}src/${rest}`, prefix + rest])
    .flatMap((stem) => sourceExtensions.map((extension) => stem + extension));
}

export function isDeclaration(path: string): boolean {
  return path.endsWith('ts') && extensionOf(path).startsWith('.d.');
}

/**
 * A declaration whose map is in scope says which source it was made from; the map of a bundle of several sources says nothing. The
 * source becomes a candidate, and is the answer if it is in scope. A map is a configuration file, which needs no candidate.
 */
export function tryMappedSource(lookup: Lookup, declaration: string): string | undefined {
  const map = `${declaration}.map`;
  const bytes = lookup.world.hasFile(map) ? lookup.world.readConfig(map) : undefined;
  if (bytes === undefined) return undefined;
  const parsed = parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  if (!parsed.ok) return undefined;
  const [source, another] = listStrings(parsed.value['sources'], 2);
  if (source === undefined || another !== undefined || source.includes(':')) return undefined;
  const sourceRoot = parsed.value['sourceRoot'];
  const path = joinPath(directoryOf(declaration), typeof sourceRoot === 'string' ? `${sourceRoot}/${source}` : source);
  return path === undefined ? undefined : look(lookup, path);
}
