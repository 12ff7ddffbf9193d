/**
 * From built files back to their sources. What a configuration emits is known: a file below `outDir` or `declarationDir` comes from
 * the same place below `rootDir`. Where `rootDir` is not said, the places it can be are tried in turn instead of being worked out
 * from all inputs: so the answer follows from the candidates alone and creating a file elsewhere cannot change it.
 */

import { baseNameOf, directoryOf, isWithin } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import { type ConfigFile, type ReadConfigFile, readConfigPath } from './config-file.ts';
import { compileConfigInputs } from './config-inputs.ts';
import { extensionOf } from './search.ts';

export type OutputRoot = { readonly directory: string; readonly sourceRoots: readonly string[] };

export type BuildOutputs = {
  /** Where the sources of a built file may lie, in order. Empty for what no configuration builds, or for one built file asking for another. */
  sourcesOf(path: string, fromDirectory: string): readonly string[];
  /** The output directories that hold this directory. Equal answers are the same object. */
  rootsAt(directory: string): readonly OutputRoot[];
};

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
export function sourceNames(directory: string, built: string): string[] {
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
