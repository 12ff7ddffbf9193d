/** Packages with native code: known by name, or given away by what their lock entry depends on. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { Lockfile, LockPackage } from '../../kernel/formats/lockfiles/lockfile.ts';
import type { NativeModulesCatalog } from '../catalogs/native-modules.ts';

export type NativeModule = {
  readonly name: string;
  readonly versions: readonly string[];
  readonly requires_node_gyp: boolean;
  readonly system_deps_required: readonly string[];
  readonly binary_artifacts: readonly string[];
  readonly catalog_entry_version: string;
};

/** What stands for the catalog version of a package that is not in the catalog. */
export const uncatalogued = 'uncatalogued';

/** Sorted by name. `declared` are the direct dependencies: all there is to go by where no lock could be read. */
export function findNativeModules(
  lock: Lockfile | null,
  declared: Iterable<string>,
  catalog: NativeModulesCatalog,
): readonly NativeModule[] {
  const versions = collectVersions(lock, declared);
  const known = catalog.entries
    .filter((entry) => versions.has(entry.name))
    .map(
      (entry): NativeModule => ({
        name: entry.name,
        versions: sorted(versions.get(entry.name)),
        requires_node_gyp: entry.requiresNodeGyp,
        system_deps_required: entry.systemDeps,
        binary_artifacts: entry.binaryArtifacts,
        catalog_entry_version: entry.since,
      }),
    );
  const names = new Set(catalog.entries.map((entry) => entry.name));
  const guessed = new Map<string, NativeModule>();
  for (const each of lock?.packages ?? []) {
    if (names.has(each.name) || guessed.has(each.name)) continue;
    const clue = findClue(each);
    if (clue === undefined) continue;
    guessed.set(each.name, {
      name: each.name,
      versions: sorted(versions.get(each.name)),
      requires_node_gyp: clue === 'gyp',
      system_deps_required: [],
      binary_artifacts: [],
      catalog_entry_version: uncatalogued,
    });
  }
  return [...known, ...guessed.values()].sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** Tools that fetch a prebuilt binary at install time and compile with node-gyp when there is none. */
const installTools: ReadonlySet<string> = new Set([
  'node-gyp',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'prebuild-install',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
]);
const napiPlatformPackage =
  /^@napi-rs\/.+-(linux|darwin|win32|android|freebsd)-(x64|arm64|arm|ia32|riscv64|s390x|ppc64)(-[a-z]+)?$/;

/** Formats that do not record install scripts leave the dependency alone to decide; a platform package is a binary in itself. */
function findClue(entry: LockPackage): 'gyp' | 'prebuilt' | undefined {
  const uses = (test: (name: string) => boolean) => entry.dependencies.some((each) => test(each.name));
  if (entry.hasInstallScript !== false && uses((name) => installTools.has(name))) return 'gyp';
  return uses((name) => napiPlatformPackage.test(name)) ? 'prebuilt' : undefined;
}

function collectVersions(lock: Lockfile | null, declared: Iterable<string>): ReadonlyMap<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const name of declared) versions.set(name, new Set());
  for (const each of lock?.packages ?? []) {
    const known = versions.get(each.name) ?? new Set();
    versions.set(each.name, known.add(each.version));
  }
  return versions;
}

function sorted(versions: ReadonlySet<string> | undefined): readonly string[] {
  return [...(versions ?? [])].sort(compareCodeUnits);
}
