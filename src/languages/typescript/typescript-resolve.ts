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
import { type BuildOutputs, createTrail, kinds, type Lookup, type OutputRoot } from './js-files.ts';
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
import { type ConfigFile, createReadConfigFile } from './read-tsconfig.ts';

const specifierLengthMax = 4_096;

const createJavaScriptResolve: CreateResolve = (world) => {
  const packages = createPackages(world);
  const findPackage = createFindRepositoryPackage(world, packages);
  const readConfig = createReadConfigFile(world, createFindPackagedConfig(world, packages, findPackage));
  const outputs = createBuildOutputs(world, readConfig);
  const findMode = createFindModes(packages, outputs, createFindGoverningConfig(world, readConfig));

  const startLookup = (mode: ResolutionMode): Lookup => ({
    ...mode.lookup,
    world,
    packages,
    outputs,
    trail: createTrail(),
  });

  const resolveRelative = (mode: ResolutionMode, directory: string, specifier: string): Resolution => {
    const path = joinPath(directory, specifier);
    if (path === undefined) return unresolved('outside_root');
    const directoryOnly = /(?:^|\/)\.{0,2}$/.test(specifier);
    const key = directoryOnly ? `${path}/` : path;
    const known = mode.relative.get(key);
    if (known !== undefined) return known;
    const lookup = startLookup(mode);
    const hit = loadRelative(lookup, mode.order, path, directoryOnly);
    const resolution = hit === undefined ? unresolved('not_found', candidatesOf(lookup)) : found(mode, lookup, hit);
    mode.relative.set(key, resolution);
    return resolution;
  };

  const resolveBare = (mode: ResolutionMode, specifier: string): Resolution => {
    const known = mode.bare.get(specifier);
    if (known !== undefined) return known;
    const lookup = startLookup(mode);
    const answer = loadBare(lookup, findPackage, mode.scope, specifier);
    const resolution = describe(mode, lookup, answer, specifier);
    mode.bare.set(specifier, resolution);
    return resolution;
  };

  const describe = (mode: ResolutionMode, lookup: Lookup, answer: BareAnswer, specifier: string): Resolution => {
    if (answer.kind === 'hit') return found(mode, lookup, answer.path);
    const candidates = candidatesOf(lookup);
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
  const found = (mode: ResolutionMode, lookup: Lookup, hit: string): Resolution => {
    const mapped = isDeclaration(hit) && !mode.fromDeclaration ? tryMappedSource(lookup, hit) : undefined;
    return resolvedTo([mapped ?? hit], candidatesOf(lookup, mapped ?? hit));
  };

  const resolveReference = (mode: ResolutionMode, directory: string, specifier: string): Resolution => {
    const lookup = startLookup(mode);
    const isPath = looksLikePath(specifier);
    const path = isPath && !specifier.startsWith('/') ? joinPath(directory, specifier) : undefined;
    if (isPath && path === undefined) return unresolved('outside_root');
    const hit = path === undefined ? undefined : loadReferencedPath(lookup, path);
    if (hit !== undefined) return found(mode, lookup, hit);
    if (isRelativeName(specifier)) return unresolved('not_found', candidatesOf(lookup));
    const answer = loadReferencedTypes(lookup, specifier, (types) =>
      loadBare(types, findPackage, mode.scope, specifier),
    );
    if (isPath && answer.kind !== 'hit') return unresolved('not_found', candidatesOf(lookup));
    const types = typesPackageOf(parsePackageRequest(specifier)?.name ?? specifier);
    const isTyped = answer.kind === 'external' && mode.scope.package?.dependencies.has(types) === true;
    return describe(mode, lookup, isTyped ? { kind: 'external', name: types } : answer, specifier);
  };

  const resolve = (mode: ResolutionMode, from: string, specifier: string): Resolution =>
    isRelativeName(specifier) ? resolveRelative(mode, directoryOf(from), specifier) : resolveBare(mode, specifier);

  return (from, { specifier, kind, literal }) => {
    if (!literal) return unresolved('dynamic');
    if (specifier === '' || specifier.length > specifierLengthMax) return unresolved('not_found');
    const mode = findMode(from, kind);
    if (kind === 'reference') return resolveReference(mode, directoryOf(from), specifier);
    const resolution = resolve(mode, from, specifier);
    if (resolution.reason === null || !loaderSyntax.test(specifier)) return resolution;
    const plain = resolve(mode, from, specifier.replace(/^.*!/, '').replace(/\?.*$/, ''));
    return plain.reason === null ? plain : resolution;
  };
};

export default createJavaScriptResolve;

/** `./icon.svg?react`, `!!raw-loader!./text.md`: how bundlers are told what to do with a file. */
const loaderSyntax = /[?!]/;

/** Each path once, in order; a hit that would fall off the end takes the last place. */
function candidatesOf({ trail }: Lookup, hit?: string): readonly string[] {
  const unique = [...new Set(trail.paths)];
  if (hit === undefined) return unique.slice(0, maxCandidates);
  if (unique.indexOf(hit) < maxCandidates && unique.at(-1) === hit) return unique;
  return [...unique.filter((path) => path !== hit).slice(0, maxCandidates - 1), hit];
}

/**
 * Everything an import's answer depends on besides the import itself: the governing options, the package and output directories
 * around the importing file, its module format. Files that agree in these share one mode and so its answers.
 */
type ResolutionMode = {
  readonly lookup: Omit<Lookup, 'world' | 'packages' | 'outputs' | 'trail'>;
  readonly order: LookupOrder;
  readonly scope: DirectoryScope;
  readonly fromDeclaration: boolean;
  readonly relative: Map<string, Resolution>;
  readonly bare: Map<string, Resolution>;
};

type ImportForm = 'import' | 'require';

/** Of one file: its two modes, made when they are asked for. */
type FileModes = {
  readonly options: ModuleOptions;
  readonly order: LookupOrder;
  readonly scope: DirectoryScope;
  readonly roots: readonly OutputRoot[];
  readonly static: ImportForm;
  readonly dynamic: ImportForm;
  import: ResolutionMode | undefined;
  require: ResolutionMode | undefined;
};

function createFindModes(
  packages: Packages,
  outputs: BuildOutputs,
  findConfig: FindGoverningConfig,
): (from: string, kind: ImportKind) => ResolutionMode {
  const files = new Map<string, FileModes>();
  const modes = new Map<string, ResolutionMode>();
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

  const describeFile = (from: string): FileModes => {
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
      ...formsOf(from, options, scope, order),
      import: undefined,
      require: undefined,
    };
  };

  const modeOf = (from: string, file: FileModes, form: ImportForm): ResolutionMode => {
    const fromDeclaration = isDeclaration(from);
    const parts = [numberOf(file.options), numberOf(file.scope), numberOf(file.roots)];
    const key = `${parts.join(':')}:${file.order}:${form}:${fromDeclaration}`;
    const known = modes.get(key);
    if (known !== undefined) return known;
    const { options, order, scope } = file;
    const made: ResolutionMode = {
      lookup: {
        options,
        // All files of a mode lie in the same output directories, so any of them can answer for the others.
        fromDirectory: directoryOf(from),
        kinds: kinds.all,
        explicitOnly: options.resolution === 'node16' && form === 'import' && order === 'compiler',
        useExports: options.useExports,
        conditions: conditionsOf(options, order, form),
        anyCondition: false,
      },
      order,
      scope,
      fromDeclaration,
      relative: new Map(),
      bare: new Map(),
    };
    modes.set(key, made);
    return made;
  };

  return (from, kind) => {
    let file = files.get(from);
    if (file === undefined) {
      file = describeFile(from);
      files.set(from, file);
    }
    const form = kind === 'require' ? 'require' : kind === 'dynamic' ? file.dynamic : file.static;
    const mode = file[form] ?? modeOf(from, file, form);
    file[form] = mode;
    return mode;
  };
}

const javascript = /\.[cm]?jsx?$/;

/** Which conditions an `import` statement and an `import()` of this file are resolved under. */
function formsOf(
  from: string,
  options: ModuleOptions,
  scope: DirectoryScope,
  order: LookupOrder,
): { readonly static: ImportForm; readonly dynamic: ImportForm } {
  const byName = /\.m[jt]s$/.test(from) ? 'import' : /\.c[jt]s$/.test(from) ? 'require' : undefined;
  if (options.resolution === 'node16' || order === 'node') {
    return { static: byName ?? (scope.package?.isModule === true ? 'import' : 'require'), dynamic: 'import' };
  }
  const form = byName ?? (options.emit === 'commonjs' ? 'require' : 'import');
  return { static: form, dynamic: options.emit === 'preserve' ? 'import' : form };
}

function conditionsOf(options: ModuleOptions, order: LookupOrder, form: ImportForm): ReadonlySet<string> {
  if (options.resolution === 'node10') return new Set();
  const node = options.resolution === 'node16' || order === 'node' ? ['node'] : [];
  return new Set([form, 'types', ...node, ...options.customConditions]);
}
