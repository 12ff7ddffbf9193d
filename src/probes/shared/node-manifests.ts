/** Every package.json of a repository as rows, with what the one lockfile at the root says about each. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { Lockfile } from '../../kernel/formats/lockfiles/lockfile.ts';
import { isFixturePath } from '../../kernel/tree/file-roles.ts';
import type { Findings } from './findings.ts';
import { hasValidIntegrity } from './lock-integrity.ts';
import { type ManifestFacts, namesIn, shown, textMember } from './manifest-facts.ts';
import { type LockInfo, type ManifestRow, manifestRow } from './manifest-rows.ts';
import { type ManifestContext, readOrReport } from './manifests.ts';
import { readNodeLock } from './node-lock.ts';
import { overriddenNames } from './overrides.ts';
import { readPackageManager } from './package-manager.ts';
import { listPackageJson, readWorkspaceMembers } from './workspace-members.ts';

/** What one manifest alone does not tell. */
export type NodeWorld = {
  readonly rootManifest: JsonObject | null;
  /** Readable manifests by directory, `.` for the root. */
  readonly manifests: ReadonlyMap<string, JsonObject>;
  /** Directories that the root's lockfile speaks for: the root and the members of its workspace. */
  readonly locked: ReadonlySet<string>;
  readonly lockPath: string | null;
  readonly lock: Lockfile | null;
};

/** `workspaces` is node_build_system's list, or undefined where that probe delivered nothing. */
export async function readNodeWorld(
  repo: ProbeRepo,
  ctx: ManifestContext,
  workspaces: Json | undefined,
  findings: Findings,
): Promise<NodeWorld> {
  const manifests = new Map<string, JsonObject>();
  for (const id of listPackageJson(repo).filter((path) => !isFixturePath(path))) {
    const manifest = await readOrReport(repo, ctx, id, 'package_json', findings);
    if (manifest !== null) manifests.set(directoryOf(id), manifest);
  }
  const rootManifest = manifests.get('.') ?? null;
  const manager = await readPackageManager(repo, rootManifest?.['packageManager']);
  if (manager.notes.includes('multi_lockfile')) {
    findings.warn('lockfile.multi_present', { detail: [manager.lockfile, ...manager.additionalLockfiles].join(', ') });
  }
  if (rootManifest !== null && manager.lockfile === null) findings.warn('lockfile.absent');
  if (manager.lockfileKind === 'bun-binary') findings.warn('lockfile.binary_unsupported', { path: 'bun.lockb' });
  const members =
    memberPaths(workspaces) ??
    (await readWorkspaceMembers(repo, ctx, rootManifest, manager.manager, findings)).map((each) => each.directory);
  const { lockfile, lockfileKind } = manager;
  return {
    rootManifest,
    manifests,
    locked: new Set(['.', ...members]),
    lockPath: lockfile,
    lock:
      lockfile === null || lockfileKind === null || lockfileKind === 'bun-binary'
        ? null
        : await readNodeLock(repo, lockfile, lockfileKind, findings),
  };
}

export async function listNodeManifests(world: NodeWorld): Promise<readonly ManifestRow[]> {
  const describeLock = await createLockDescriber(world);
  return [...world.manifests].map(([directory, manifest]) =>
    manifestRow(
      'node',
      directory === '.' ? 'package.json' : `${directory}/package.json`,
      readPackageJson(manifest),
      world.locked.has(directory) ? describeLock(directory, manifest) : null,
    ),
  );
}

/** Names that the root and its members depend on directly. */
export function declaredNames(world: NodeWorld): ReadonlySet<string> {
  const names = [...world.manifests]
    .filter(([directory]) => world.locked.has(directory))
    .flatMap(([, manifest]) =>
      ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) => namesIn(manifest[key])),
    );
  return new Set(names);
}

/** `bundledDependencies` in both spellings; `true` means all of them. */
export function bundledNames(manifest: JsonObject): readonly string[] {
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
  const { coversManifest } = await import('./lock-coverage.ts');
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
  return (directory, manifest) => ({
    ...shared,
    covers_manifest: coversManifest(manifest, { lock, importer: directory, workspaceNames, overridden }),
  });
}

function memberPaths(workspaces: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(workspaces)) return undefined;
  return (workspaces as readonly Json[]).flatMap((each) =>
    isJsonObject(each) && typeof each['path'] === 'string' ? [each['path']] : [],
  );
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}
