/** `package.json` files as resolution sees them, each read once; and of every directory, which package it belongs to. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { directoryOf } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import { joinPath } from './paths.ts';
import { createPatternTable, type PatternTable } from './pattern-table.ts';
import { readTypesVersions, type TypesVersions } from './types-versions.ts';

export type PackageInfo = {
  readonly directory: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly isModule: boolean;
  /** The target of `.`, and the table of subpaths where the keys are subpaths. `undefined`: the package has no `exports`. */
  readonly exports: { readonly main: Json | undefined; readonly subpaths: PatternTable<Json> } | undefined;
  readonly imports: PatternTable<Json> | undefined;
  readonly typesVersions: TypesVersions | undefined;
  readonly typings: string | undefined;
  readonly main: string | undefined;
  /** Entry points that only bundlers read. */
  readonly module: string | undefined;
  readonly source: string | undefined;
  readonly tsconfig: string | undefined;
  /** Ranges of everything it declares to depend on. */
  readonly dependencies: ReadonlyMap<string, string>;
};

/** What all files of a directory have in common when they ask for packages. Equal scopes are the same object. */
export type DirectoryScope = {
  /** Of the nearest `package.json`; the root where there is none. */
  readonly directory: string;
  readonly package: PackageInfo | undefined;
  /** The `node_modules` directories in scope from here upwards. */
  readonly nodeModules: readonly string[];
};

export type Packages = {
  at(directory: string): PackageInfo | undefined;
  scopeOf(directory: string): DirectoryScope;
};

export function createPackages(world: ResolveWorld): Packages {
  const packages = new Map<string, PackageInfo | null>();
  const scopes = new Map<string, DirectoryScope>();

  const at = (directory: string): PackageInfo | undefined => {
    const known = packages.get(directory);
    if (known !== undefined) return known ?? undefined;
    const bytes = world.readConfig(directory === '' ? 'package.json' : `${directory}/package.json`);
    const info = bytes === undefined ? null : readPackage(directory, bytes);
    packages.set(directory, info);
    return info ?? undefined;
  };

  const scopeOf = (directory: string): DirectoryScope => {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const above: DirectoryScope =
      directory === '' ? { directory: '', package: undefined, nodeModules: [] } : scopeOf(directoryOf(directory));
    const own = at(directory);
    const folder = directory === '' ? 'node_modules' : `${directory}/node_modules`;
    const hasFolder = world.hasDirectory(folder);
    const scope =
      own === undefined && !hasFolder
        ? above
        : {
            directory: own === undefined ? above.directory : directory,
            package: own ?? above.package,
            nodeModules: hasFolder ? [folder, ...above.nodeModules] : above.nodeModules,
          };
    scopes.set(directory, scope);
    return scope;
  };

  return { at, scopeOf };
}

const dependencyFields = ['optionalDependencies', 'peerDependencies', 'devDependencies', 'dependencies'];

function readPackage(directory: string, bytes: Uint8Array): PackageInfo {
  const parsed = parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  const json: JsonObject = parsed.ok ? parsed.value : {};
  const file = (field: string): string | undefined => {
    const said = textOf(json[field]);
    return said === undefined || said === '' ? undefined : joinPath(directory, said);
  };
  const dependencies = new Map<string, string>();
  for (const field of dependencyFields) {
    const listed = json[field];
    for (const [name, range] of isJsonObject(listed) ? Object.entries(listed) : []) {
      if (typeof range === 'string') dependencies.set(name, range);
    }
  }
  return {
    directory,
    name: textOf(json['name']),
    version: textOf(json['version']),
    isModule: json['type'] === 'module',
    exports: readExports(json['exports']),
    imports: isJsonObject(json['imports']) ? createPatternTable(Object.entries(json['imports']), 'exports') : undefined,
    typesVersions: readTypesVersions(json['typesVersions']),
    typings: file('typings') ?? file('types'),
    main: file('main'),
    module: file('module'),
    source: file('source'),
    tsconfig: file('tsconfig'),
    dependencies,
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Keys that begin with `.` are subpaths; without any the whole is the target of `.`; a mixture has neither. */
function readExports(value: Json | undefined): PackageInfo['exports'] {
  if (value === undefined || value === null || value === false || value === '') return undefined;
  if (!isJsonObject(value)) return { main: value, subpaths: createPatternTable([], 'exports') };
  const keys = Object.keys(value);
  const dotted = keys.filter((key) => key.startsWith('.')).length;
  if (dotted === 0) return { main: keys.length === 0 ? undefined : value, subpaths: createPatternTable([], 'exports') };
  const subpaths = dotted === keys.length ? Object.entries(value) : [];
  return { main: value['.'], subpaths: createPatternTable(subpaths, 'exports') };
}
