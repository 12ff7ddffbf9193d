/** One tsconfig as a layer over another, the way the compiler merges them; paths become root-relative where they are declared. */

import { posix } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';

export type ConfigLayer = {
  readonly options: JsonObject;
  /** Directory of the file that declared `paths`: what its targets are relative to when there is no `baseUrl`. */
  readonly pathsFrom: string;
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
};

export const emptyLayer: ConfigLayer = { options: {}, pathsFrom: '.', files: null, include: null, exclude: null };

/** Stands for the leaf's directory until the leaf is known. */
const configDir = `\${configDir}`;
const pathOptions: ReadonlySet<string> = new Set(
  'outDir outFile rootDir baseUrl declarationDir tsBuildInfoFile generateCpuProfile generateTrace'.split(' '),
);
const pathListOptions: ReadonlySet<string> = new Set(['rootDirs', 'typeRoots']);

export function layerOf(config: JsonObject, directory: string): ConfigLayer {
  const declared = config['compilerOptions'];
  const own = isJsonObject(declared) ? declared : {};
  return {
    options: Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, rebaseOption(name, value, directory)]),
    ),
    pathsFrom: directory,
    files: rebaseList(config['files'], directory),
    include: rebaseList(config['include'], directory),
    exclude: rebaseList(config['exclude'], directory),
  };
}

/** The upper layer wins option by option and list by list. */
export function mergeLayers(lower: ConfigLayer, upper: ConfigLayer): ConfigLayer {
  return {
    options: { ...lower.options, ...upper.options },
    pathsFrom: Object.hasOwn(upper.options, 'paths') ? upper.pathsFrom : lower.pathsFrom,
    files: upper.files ?? lower.files,
    include: upper.include ?? lower.include,
    exclude: upper.exclude ?? lower.exclude,
  };
}

/** What holds once the leaf is known: `${configDir}` is its directory, an option set to null is unset, `paths` has its base. */
export function finishLayer(layer: ConfigLayer, leafDirectory: string): Omit<ConfigLayer, 'pathsFrom'> {
  const fill = (value: Json): Json => (typeof value === 'string' ? fillConfigDir(value, leafDirectory) : value);
  const options = Object.fromEntries(
    Object.entries(layer.options)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? (value as readonly Json[]).map(fill) : fill(value)]),
  );
  if (isJsonObject(options['paths'])) {
    const base = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : layer.pathsFrom;
    options['paths'] = Object.fromEntries(
      Object.entries(options['paths']).map(([pattern, targets]) => [
        pattern,
        (rebaseList(targets, base) ?? []).map((target) => fillConfigDir(target, leafDirectory)),
      ]),
    );
  }
  const fillList = (list: readonly string[] | null) => list?.map((item) => fillConfigDir(item, leafDirectory)) ?? null;
  return {
    options,
    files: fillList(layer.files),
    include: fillList(layer.include),
    exclude: fillList(layer.exclude),
  };
}

function rebaseOption(name: string, value: Json, directory: string): Json {
  if (pathOptions.has(name) && typeof value === 'string') return rebase(value, directory);
  if (pathListOptions.has(name)) return rebaseList(value, directory) ?? value;
  return value;
}

function rebaseList(value: Json | undefined, directory: string): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly Json[])
    .filter((item): item is string => typeof item === 'string')
    .map((item) => rebase(item, directory));
}

/** Absolute paths and `${configDir}` say where they are themselves. */
function rebase(path: string, directory: string): string {
  if (path.startsWith(configDir) || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return posix.join(directory, path.replaceAll('\\', '/'));
}

function fillConfigDir(text: string, leafDirectory: string): string {
  return text.startsWith(configDir) ? posix.join(leafDirectory, `./${text.slice(configDir.length)}`) : text;
}
