/**
 * TypeScript and JavaScript imports (code-plane.md §3.4). Where the compiler resolves, the answer is the compiler's, under the options
 * of the configuration that governs the importing file; built files stand for their sources. Where it does not, what a bundler or
 * Node would find is better than no edge. Answers are remembered by what they depend on: a relative import by the path it names, a
 * bare one by the package that asks.
 */

import type { ImportKind } from '../facts.ts';
import { type CreateResolve, maxCandidates, type Resolution, resolvedTo, unresolved } from '../resolving/resolution.ts';
import { below, directoryOf, isRelativeName, joinPath } from '../resolving/root-paths.ts';
import { createBuildOutputs, isDeclaration, tryMappedSource } from './js-built-files.ts';
import { type BuildOutputs, createTrail, kinds, type OutputRoot, type Search } from './js-files.ts';
import {
  type BareAnswer,
  type LookupOrder,
  loadBare,
  loadReferencedPath,
  loadReferencedTypes,
  loadRelative,
  looksLikePath,
} from './js-lookup.ts';
import {
  createFindGoverningConfig,
  defaultModuleOptions,
  type FindGoverningConfig,
  type ModuleOptions,
  readModuleOptions,
} from './js-options.ts';
import {
  createFindPackagedConfig,
  createFindRepositoryPackage,
  createPackages,
  type DirectoryScope,
  type Packages,
  parsePackageRequest,
  typesPackageOf,
} from './js-packages.ts';
import { type ConfigFile, createReadConfigFile } from './tsconfig.ts';

const specifierLengthMax = 4_096;

export const createJavaScriptResolve: CreateResolve = (world) => {
  const packages = createPackages(world);
  const findPackage = createFindRepositoryPackage(world, packages);
  const readConfig = createReadConfigFile(world, createFindPackagedConfig(world, packages, findPackage));
  const outputs = createBuildOutputs(world, readConfig);
  const findLane = createFindLanes(packages, outputs, createFindGoverningConfig(world, readConfig));

  const startSearch = (lane: Lane): Search => ({ ...lane.search, world, packages, outputs, trail: createTrail() });

  const resolveRelative = (lane: Lane, directory: string, specifier: string): Resolution => {
    const path = joinPath(directory, specifier);
    if (path === undefined) return unresolved('outside_root');
    const directoryOnly = /(?:^|\/)\.{0,2}$/.test(specifier);
    const key = directoryOnly ? `${path}/` : path;
    const known = lane.relative.get(key);
    if (known !== undefined) return known;
    const search = startSearch(lane);
    const hit = loadRelative(search, lane.order, path, directoryOnly);
    const resolution = hit === undefined ? unresolved('not_found', candidatesOf(search)) : found(lane, search, hit);
    lane.relative.set(key, resolution);
    return resolution;
  };

  const resolveBare = (lane: Lane, specifier: string): Resolution => {
    const known = lane.bare.get(specifier);
    if (known !== undefined) return known;
    const search = startSearch(lane);
    const answer = loadBare(search, findPackage, lane.scope, specifier);
    const resolution = describe(lane, search, answer, specifier);
    lane.bare.set(specifier, resolution);
    return resolution;
  };

  const describe = (lane: Lane, search: Search, answer: BareAnswer, specifier: string): Resolution => {
    if (answer.kind === 'hit') return found(lane, search, answer.path);
    const candidates = candidatesOf(search);
    if (answer.kind === 'ambiguous') {
      const claims = answer.directories.map((directory) => below(directory, 'package.json'));
      return unresolved('ambiguous', [...new Set([...candidates, ...claims])].slice(0, maxCandidates));
    }
    if (specifier.startsWith('/')) return unresolved('outside_root', candidates);
    return answer.kind === 'external'
      ? unresolved('external', candidates, answer.name)
      : unresolved('not_found', candidates);
  };

  /** A declaration that says where it comes from stands for its source, unless another declaration asks. */
  const found = (lane: Lane, search: Search, hit: string): Resolution => {
    const mapped = isDeclaration(hit) && !lane.fromDeclaration ? tryMappedSource(search, hit) : undefined;
    return resolvedTo([mapped ?? hit], candidatesOf(search, mapped ?? hit));
  };

  const resolveReference = (lane: Lane, directory: string, specifier: string): Resolution => {
    const search = startSearch(lane);
    const isPath = looksLikePath(specifier);
    const path = isPath && !specifier.startsWith('/') ? joinPath(directory, specifier) : undefined;
    if (isPath && path === undefined) return unresolved('outside_root');
    const hit = path === undefined ? undefined : loadReferencedPath(search, path);
    if (hit !== undefined) return found(lane, search, hit);
    if (isRelativeName(specifier)) return unresolved('not_found', candidatesOf(search));
    const answer = loadReferencedTypes(search, specifier, (types) =>
      loadBare(types, findPackage, lane.scope, specifier),
    );
    if (isPath && answer.kind !== 'hit') return unresolved('not_found', candidatesOf(search));
    const types = typesPackageOf(parsePackageRequest(specifier)?.name ?? specifier);
    const isTyped = answer.kind === 'external' && lane.scope.package?.dependencies.has(types) === true;
    return describe(lane, search, isTyped ? { kind: 'external', name: types } : answer, specifier);
  };

  const resolve = (lane: Lane, from: string, specifier: string): Resolution =>
    isRelativeName(specifier) ? resolveRelative(lane, directoryOf(from), specifier) : resolveBare(lane, specifier);

  return (from, { specifier, kind, literal }) => {
    if (!literal) return unresolved('dynamic');
    if (specifier === '' || specifier.length > specifierLengthMax) return unresolved('not_found');
    const lane = findLane(from, kind);
    if (kind === 'reference') return resolveReference(lane, directoryOf(from), specifier);
    const resolution = resolve(lane, from, specifier);
    if (resolution.reason === null || !loaderSyntax.test(specifier)) return resolution;
    const plain = resolve(lane, from, specifier.replace(/^.*!/, '').replace(/\?.*$/, ''));
    return plain.reason === null ? plain : resolution;
  };
};

/** `./icon.svg?react`, `!!raw-loader!./text.md`: how bundlers are told what to do with a file. */
const loaderSyntax = /[?!]/;

/** Each path once, in order; a hit that would fall off the end takes the last place. */
function candidatesOf({ trail }: Search, hit?: string): readonly string[] {
  const unique = [...new Set(trail.paths)];
  if (hit === undefined) return unique.slice(0, maxCandidates);
  if (unique.indexOf(hit) < maxCandidates && unique.at(-1) === hit) return unique;
  return [...unique.filter((path) => path !== hit).slice(0, maxCandidates - 1), hit];
}

// A lane is everything an import's answer depends on besides the import itself: the governing options, the package and output
// directories around the importing file, its module format. Files that agree in these share one lane and so its answers.

export type Lane = {
  readonly search: Omit<Search, 'world' | 'packages' | 'outputs' | 'trail'>;
  readonly order: LookupOrder;
  readonly scope: DirectoryScope;
  readonly fromDeclaration: boolean;
  readonly relative: Map<string, Resolution>;
  readonly bare: Map<string, Resolution>;
};

type Mode = 'import' | 'require';

/** Of one file: its two lanes, made when they are asked for. */
type FileLanes = {
  readonly options: ModuleOptions;
  readonly order: LookupOrder;
  readonly scope: DirectoryScope;
  readonly roots: readonly OutputRoot[];
  readonly static: Mode;
  readonly dynamic: Mode;
  import: Lane | undefined;
  require: Lane | undefined;
};

export function createFindLanes(
  packages: Packages,
  outputs: BuildOutputs,
  findConfig: FindGoverningConfig,
): (from: string, kind: ImportKind) => Lane {
  const files = new Map<string, FileLanes>();
  const lanes = new Map<string, Lane>();
  const optionsOf = new Map<ConfigFile, ModuleOptions>();
  const numbers = new Map<object, number>();

  const numberOf = (thing: object): number => {
    const known = numbers.get(thing) ?? numbers.size;
    numbers.set(thing, known);
    return known;
  };

  const readOptions = (config: ConfigFile | undefined): ModuleOptions => {
    if (config === undefined) return defaultModuleOptions;
    const options = optionsOf.get(config) ?? readModuleOptions(config);
    optionsOf.set(config, options);
    return options;
  };

  const describeFile = (from: string): FileLanes => {
    const directory = directoryOf(from);
    const { config, covers } = findConfig(from);
    const options = readOptions(config);
    const scope = packages.scopeOf(directory);
    const order = !covers && javascript.test(from) ? 'node' : 'compiler';
    const roots = outputs.rootsAt(directory);
    return {
      options,
      order,
      scope,
      roots,
      ...modesOf(from, options, scope, order),
      import: undefined,
      require: undefined,
    };
  };

  const laneOf = (from: string, file: FileLanes, mode: Mode): Lane => {
    const fromDeclaration = isDeclaration(from);
    const parts = [numberOf(file.options), numberOf(file.scope), numberOf(file.roots)];
    const key = `${parts.join(':')}:${file.order}:${mode}:${fromDeclaration}`;
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const { options, order, scope } = file;
    const made: Lane = {
      search: {
        options,
        // All files of a lane lie in the same output directories, so any of them can answer for the others.
        fromDirectory: directoryOf(from),
        kinds: kinds.all,
        explicitOnly: options.resolution === 'node16' && mode === 'import' && order === 'compiler',
        useExports: options.useExports,
        conditions: conditionsOf(options, order, mode),
        anyCondition: false,
      },
      order,
      scope,
      fromDeclaration,
      relative: new Map(),
      bare: new Map(),
    };
    lanes.set(key, made);
    return made;
  };

  return (from, kind) => {
    let file = files.get(from);
    if (file === undefined) {
      file = describeFile(from);
      files.set(from, file);
    }
    const mode = kind === 'require' ? 'require' : kind === 'dynamic' ? file.dynamic : file.static;
    const lane = file[mode] ?? laneOf(from, file, mode);
    file[mode] = lane;
    return lane;
  };
}

const javascript = /\.[cm]?jsx?$/;

/** Which conditions an `import` statement and an `import()` of this file are resolved under. */
function modesOf(
  from: string,
  options: ModuleOptions,
  scope: DirectoryScope,
  order: LookupOrder,
): { readonly static: Mode; readonly dynamic: Mode } {
  const byName = /\.m[jt]s$/.test(from) ? 'import' : /\.c[jt]s$/.test(from) ? 'require' : undefined;
  if (options.resolution === 'node16' || order === 'node') {
    return { static: byName ?? (scope.package?.isModule === true ? 'import' : 'require'), dynamic: 'import' };
  }
  const mode = byName ?? (options.emit === 'commonjs' ? 'require' : 'import');
  return { static: mode, dynamic: options.emit === 'preserve' ? 'import' : mode };
}

function conditionsOf(options: ModuleOptions, order: LookupOrder, mode: Mode): ReadonlySet<string> {
  if (options.resolution === 'node10') return new Set();
  const node = options.resolution === 'node16' || order === 'node' ? ['node'] : [];
  return new Set([mode, 'types', ...node, ...options.customConditions]);
}
