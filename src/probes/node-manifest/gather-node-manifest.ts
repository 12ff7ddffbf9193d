/** The run of node_manifest: every manifest as a row, what its lockfile says about it, who installs it, and native modules. */

import { posix } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { Lockfile, LockPackage } from '../../kernel/formats/lockfiles/lockfile.ts';
import { isFixturePath } from '../../kernel/tree/file-roles.ts';
import { type ManifestFacts, namesIn, shown, textMember } from '../shared/manifest-facts.ts';
import { type NativeModulesCatalog, nativeModulesCatalog } from '../shared/native-modules.ts';
import { readNodeLock } from '../shared/node-lock.ts';
import {
  listPackageJson,
  type PackageManagerDecision,
  readPackageManager,
  readWorkspaceMembers,
} from '../shared/node-packages.ts';
import {
  createFindings,
  evidenceOf,
  type Findings,
  type ManifestContext,
  readOrReport,
} from '../shared/probe-reading.ts';
import { type LockInfo, type ManifestRow, manifestRow, type NativeModule } from './node-manifest-section.ts';
import { directoryOf, listOtherManifests, lockKinds } from './other-manifests.ts';
import { type InstallHints, nodeManagerOf, otherRow, readInstallHints } from './package-managers.ts';
import { readRuntimePins } from './runtime-pins.ts';

export async function gatherNodeManifest(repo: ProbeRepo, ctx: ProbeContext<never>): Promise<ProbeOutput> {
  const findings = createFindings();
  const manifests = await readPackageJsons(repo, ctx, findings);
  const world = await readNodeWorld(repo, ctx, manifests, ctx.upstream['node_build_system']?.value, findings);
  const nested = await readNestedWorlds(repo, ctx, manifests, world, findings);
  const hints = await readInstallHints(repo);
  const others = await listOtherManifests(repo, findings, new Set(hints.python.map(({ name }) => name)));
  const all = [
    ...(await listNodeManifests([world, ...nested], manifests, hints)),
    ...others.map((one) => otherRow(one, others, hints)),
  ].sort((a, b) => compareCodeUnits(a.ecosystem, b.ecosystem) || compareCodeUnits(a.path, b.path));
  const primary = all.find((each) => each.path === 'package.json');
  const root = world.rootManifest ?? {};
  const native = findNativeModules(world.lock, declaredNames(world), nativeModulesCatalog);
  return {
    kind: 'ran',
    slice: {
      manifests: {
        primary:
          primary === undefined
            ? null
            : {
                ...primary,
                native_modules: { detected: native.length > 0, packages: native },
                optional_dependencies: namesIn(root['optionalDependencies']).length,
                bundled_dependencies: bundledNames(root),
              },
        all,
        runtime_pins: await readRuntimePins(repo),
        catalog_version: nativeModulesCatalog.version,
      },
    },
    confidence: judge(findings),
    ...findings.report(),
    evidence: evidenceOf(repo, ['package.json', world.lockPath, ...lockKinds.map((kind) => kind.path)]),
  };
}

function judge(findings: Findings): Confidence {
  if (findings.hasErrors() || findings.warned('lockfile.multi_present')) return 'low';
  return findings.warned('lockfile.absent') || findings.warned('lockfile.binary_unsupported') ? 'medium' : 'high';
}

/** What one manifest alone does not tell: a directory with a lock of its own, and the workspace around it. */
type NodeWorld = {
  readonly root: string;
  readonly rootManifest: JsonObject | null;
  /** Readable manifests by directory, `.` for the root of the repository. */
  readonly manifests: ReadonlyMap<string, JsonObject>;
  /** Directories that the lockfile speaks for: the root and the members of its workspace. */
  readonly locked: ReadonlySet<string>;
  readonly manager: PackageManagerDecision;
  readonly lockPath: string | null;
  readonly lock: Lockfile | null;
};

async function readPackageJsons(
  repo: ProbeRepo,
  ctx: ManifestContext,
  findings: Findings,
): Promise<ReadonlyMap<string, JsonObject>> {
  const manifests = new Map<string, JsonObject>();
  for (const id of listPackageJson(repo).filter((path) => !isFixturePath(path))) {
    const manifest = await readOrReport(repo, ctx, id, 'package_json', findings);
    if (manifest !== null) manifests.set(directoryOf(id), manifest);
  }
  return manifests;
}

/** `workspaces` is node_build_system's list, or undefined where that probe delivered nothing. */
async function readNodeWorld(
  repo: ProbeRepo,
  ctx: ManifestContext,
  manifests: ReadonlyMap<string, JsonObject>,
  workspaces: Json | undefined,
  findings: Findings,
): Promise<NodeWorld> {
  const rootManifest = manifests.get('.') ?? null;
  const manager = await readPackageManager(repo, rootManifest?.['packageManager']);
  if (manager.notes.includes('multi_lockfile')) {
    findings.warn('lockfile.multi_present', { detail: [manager.lockfile, ...manager.additionalLockfiles].join(', ') });
  }
  if (rootManifest !== null && manager.lockfile === null) findings.warn('lockfile.absent');
  if (manager.lockfileKind === 'bun-binary') findings.warn('lockfile.binary_unsupported', { path: 'bun.lockb' });
  return createWorld(repo, ctx, '.', manifests, manager, memberPaths(workspaces), findings);
}

async function createWorld(
  repo: ProbeRepo,
  ctx: ManifestContext,
  root: string,
  manifests: ReadonlyMap<string, JsonObject>,
  manager: PackageManagerDecision,
  known: readonly string[] | undefined,
  findings: Findings,
): Promise<NodeWorld> {
  const rootManifest = manifests.get(root) ?? null;
  const members =
    known ??
    (await readWorkspaceMembers(repo, ctx, rootManifest, manager.manager, findings, root)).map(
      (each) => each.directory,
    );
  const { lockfile, lockfileKind } = manager;
  const lockPath = lockfile === null || root === '.' ? lockfile : `${root}/${lockfile}`;
  return {
    root,
    rootManifest,
    manifests,
    locked: new Set([root, ...members]),
    manager,
    lockPath,
    lock:
      lockPath === null || lockfileKind === null || lockfileKind === 'bun-binary'
        ? null
        : await readNodeLock(repo, lockPath, lockfileKind, findings),
  };
}

/** Packages below the root that say themselves how they are installed: by a lock of their own, or by the field. */
async function readNestedWorlds(
  repo: ProbeRepo,
  ctx: ManifestContext,
  manifests: ReadonlyMap<string, JsonObject>,
  around: NodeWorld,
  findings: Findings,
): Promise<readonly NodeWorld[]> {
  const worlds: NodeWorld[] = [];
  for (const [directory, manifest] of manifests) {
    if (directory === '.') continue;
    const manager = await readPackageManager(repo, manifest['packageManager'], directory);
    const saysField = manager.manager !== null && !around.locked.has(directory);
    if (manager.lockfile === null && !saysField) continue;
    worlds.push(await createWorld(repo, ctx, directory, manifests, manager, undefined, findings));
  }
  return worlds;
}

async function listNodeManifests(
  worlds: readonly NodeWorld[],
  manifests: ReadonlyMap<string, JsonObject>,
  hints: InstallHints,
): Promise<readonly ManifestRow[]> {
  const describers = new Map<NodeWorld, Awaited<ReturnType<typeof createLockDescriber>>>();
  for (const world of worlds) describers.set(world, await createLockDescriber(world));
  return [...manifests].map(([directory, manifest]) => {
    // The deepest that speaks for it: a lock beside the manifest comes before the workspace's.
    const world = worlds
      .filter(({ locked }) => locked.has(directory))
      .reduce<NodeWorld | undefined>(
        (best, one) => (best && best.root.length > one.root.length ? best : one),
        undefined,
      );
    const path = directory === '.' ? 'package.json' : `${directory}/package.json`;
    return {
      ...manifestRow('node', path, readPackageJson(manifest), {
        lock: (world && describers.get(world)?.(directory, manifest)) ?? null,
        lockPath: world?.lockPath ?? null,
      }),
      manager: nodeManagerOf(path, manifest, world, hints),
    };
  });
}

/** Names that the root and its members depend on directly. */
function declaredNames(world: NodeWorld): ReadonlySet<string> {
  const names = [...world.manifests]
    .filter(([directory]) => world.locked.has(directory))
    .flatMap(([, manifest]) =>
      ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) => namesIn(manifest[key])),
    );
  return new Set(names);
}

/** `bundledDependencies` in both spellings; `true` means all of them. */
function bundledNames(manifest: JsonObject): readonly string[] {
  const field = manifest['bundledDependencies'] ?? manifest['bundleDependencies'];
  const names =
    field === true ? namesIn(manifest['dependencies']) : Array.isArray(field) ? (field as readonly Json[]) : [];
  return names.flatMap((name) => (typeof name === 'string' ? shown(name) : [])).sort(compareCodeUnits);
}

function readPackageJson(manifest: JsonObject): ManifestFacts {
  const engines = isJsonObject(manifest['engines']) ? manifest['engines'] : {};
  return {
    name: textMember(manifest, 'name'),
    version: textMember(manifest, 'version'),
    runtime: new Set(namesIn(manifest['dependencies'])),
    dev: new Set(namesIn(manifest['devDependencies'])),
    peer: new Set(namesIn(manifest['peerDependencies'])),
    isLibrary:
      manifest['private'] !== true && ['main', 'module', 'exports', 'types'].some((key) => manifest[key] !== undefined),
    engines: Object.entries(engines)
      .flatMap(([name, range]) => (typeof range === 'string' ? [{ name: shown(name), range: shown(range) }] : []))
      .sort((a, b) => compareCodeUnits(a.name, b.name)),
  };
}

async function createLockDescriber(
  world: NodeWorld,
): Promise<(directory: string, manifest: JsonObject) => LockInfo | null> {
  const { lock, lockPath } = world;
  if (lock === null || lockPath === null) return () => null;
  const { coversManifest, hasValidIntegrity, overriddenNames } = await import('./lock-coverage.ts');
  const shared = {
    path: lockPath,
    format: lock.format,
    total_packages_resolved: new Set(lock.packages.map((each) => `${each.name}@${each.version}`)).size,
    integrity_valid: hasValidIntegrity(lock),
  };
  const overridden = overriddenNames(world.rootManifest);
  const workspaceNames = new Set(
    [...world.locked].flatMap((directory) => {
      const name = world.manifests.get(directory)?.['name'];
      return typeof name === 'string' ? [name] : [];
    }),
  );
  return (directory, manifest) => {
    const importer = world.root === '.' ? directory : posix.relative(world.root, directory) || '.';
    return { ...shared, covers_manifest: coversManifest(manifest, { lock, importer, workspaceNames, overridden }) };
  };
}

function memberPaths(workspaces: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(workspaces)) return undefined;
  return (workspaces as readonly Json[]).flatMap((each) =>
    isJsonObject(each) && typeof each['path'] === 'string' ? [each['path']] : [],
  );
}

// Packages with native code: known by name, or given away by what their lock entry depends on.

/** What stands for the catalog version of a package that is not in the catalog. */
const uncatalogued = 'uncatalogued';

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
        system_deps_required: [...entry.systemDeps],
        binary_artifacts: [...entry.binaryArtifacts],
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

function sorted(versions: ReadonlySet<string> | undefined): string[] {
  return [...(versions ?? [])].sort(compareCodeUnits);
}
