/**
 * A lane is everything an import's answer depends on besides the import itself: the governing options, the package and output
 * directories around the importing file, its module format. Files that agree in these share one lane and so its answers.
 */

import type { ImportKind } from '../../../languages/facts.ts';
import { directoryOf } from '../shared/root-paths.ts';
import type { Resolution } from '../types.ts';
import type { BuildOutputs, OutputRoot } from './build-outputs.ts';
import type { ConfigFile } from './config-file.ts';
import { isDeclaration } from './declaration-map.ts';
import type { FindGoverningConfig } from './governing-config.ts';
import type { LookupOrder } from './load-relative.ts';
import { defaultModuleOptions, type ModuleOptions, readModuleOptions } from './module-options.ts';
import type { DirectoryScope, Packages } from './package-info.ts';
import { kinds, type Search } from './search.ts';

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
