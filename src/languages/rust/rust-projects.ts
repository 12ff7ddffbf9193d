/**
 * Rust: one context per cargo workspace, and one per `Cargo.toml` that is in none (code-plane.md §5).
 *
 * Members are the files of the crates' module trees: the roots that cargo finds or a manifest names, all they reach through `mod`, `use`,
 * `#[path]` and `include!`, and what lies in a source directory by the language's own layout, because modules declared inside macros are
 * seen by the compiler alone. Files that only lie near a crate, such as inputs of its tests, are no members.
 *
 * `config`: `manifest` to run on, `crates` with `directory` and `name`.
 */

import type { JsonObject } from '../../kernel/base/json.ts';
import { objectAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import type { ContextSpec } from '../projects/context-spec.ts';
import { type DiscoveryWorld, filesIn, hashFiles, nearestFiles, sortDistinct } from '../projects/project-files.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import { ancestorsOf, below, directoryOf, isWithin, joinInRoot } from '../resolving/root-paths.ts';
import { moduleOf, type RustCrate, type RustCrates, readRustCrates } from './rust-crates.ts';

const toolchainFiles = ['rust-toolchain', 'rust-toolchain.toml'];

export default function discoverRust(world: DiscoveryWorld): readonly ContextSpec[] {
  const { resolve } = world;
  const manifests = new Map<string, JsonObject | null>();
  for (const path of resolve.configFilesNamed('Cargo.toml')) {
    manifests.set(directoryOf(path), readConfigWith(resolve, path, parseToml));
  }
  if (manifests.size === 0) return [];
  const crates = readRustCrates(resolve);
  const filesOf = createCrateFiles(world, crates);
  return groupByWorkspace(manifests, crates).flatMap(({ directory, members, problem }): readonly ContextSpec[] => {
    const files = sortDistinct(members.flatMap((member) => filesOf(member)));
    if (files.length === 0 && problem === null) return [];
    const configPath = below(directory, 'Cargo.toml');
    const named = members.flatMap((member) => crates.inDirectory(member) ?? []);
    const manifestPaths = [configPath, ...members.map((member) => below(member, 'Cargo.toml'))];
    return [
      {
        key: `rust:${configPath}`,
        family: 'rust',
        root: directory,
        configPath,
        indexer: 'rust-analyzer',
        members: files,
        config: {
          manifest: configPath,
          crates: named.map((crate) => ({ directory: crate.directory, name: crate.name })),
        },
        configInputs: {
          manifests: hashFiles(resolve, manifestPaths),
          lockfiles: hashFiles(resolve, nearestFiles(resolve, directory, ['Cargo.lock'])),
          toolchain: hashFiles(resolve, nearestFiles(resolve, directory, toolchainFiles)),
          cargo: hashFiles(resolve, filesIn(resolve, below(directory, '.cargo'), ['config.toml', 'config'])),
        },
        problem,
        enabled: true,
      },
    ];
  });
}

type Group = { readonly directory: string; readonly members: readonly string[]; readonly problem: string | null };

/** Directories of manifests by the workspace they belong to, as cargo decides it. */
function groupByWorkspace(manifests: ReadonlyMap<string, JsonObject | null>, crates: RustCrates): readonly Group[] {
  const groups: Group[] = [];
  const taken = new Set<string>();
  const isTaken = (directory: string): boolean => taken.has(directory);
  for (const [directory, manifest] of manifests) {
    if (manifest?.workspace === undefined) continue;
    const members = listWorkspaceMembers(directory, manifest, manifests, crates).filter((member) => !isTaken(member));
    for (const member of members) taken.add(member);
    groups.push({ directory, members, problem: null });
  }
  for (const [directory, manifest] of manifests) {
    if (isTaken(directory) || manifest?.workspace !== undefined) continue;
    const path = below(directory, 'Cargo.toml');
    if (manifest === null) groups.push({ directory, members: [directory], problem: `${path} cannot be read as TOML` });
    else if (crates.inDirectory(directory) !== null) {
      groups.push({ directory, members: [directory], problem: findStray(directory, manifests) });
    }
  }
  return groups;
}

/** Cargo refuses a package below a workspace that neither lists nor excludes it. */
function findStray(directory: string, manifests: ReadonlyMap<string, JsonObject | null>): string | null {
  for (const at of ancestorsOf(directoryOf(directory))) {
    const workspace = manifests.get(at)?.workspace;
    if (at === directory || workspace === undefined) continue;
    if (isExcluded(directory, at, objectAt(workspace))) return null;
    return `${below(directory, 'Cargo.toml')} is neither a member of the workspace ${below(at, 'Cargo.toml')} nor excluded from it`;
  }
  return null;
}

function isExcluded(directory: string, root: string, workspace: JsonObject): boolean {
  return textsAt(workspace, 'exclude').some((path) => {
    const excluded = joinInRoot(root, path);
    return excluded !== null && isWithin(directory, excluded);
  });
}

/** The root's own package, what `members` lists, what says that it belongs here, and what any of these depends on by path from below. */
function listWorkspaceMembers(
  root: string,
  manifest: JsonObject,
  manifests: ReadonlyMap<string, JsonObject | null>,
  crates: RustCrates,
): readonly string[] {
  const workspace = objectAt(manifest, 'workspace');
  const globs = textsAt(workspace, 'members').flatMap((glob) => joinInRoot(root, glob) ?? []);
  const isListed = compileGlobs(globs);
  const members = new Set<string>();
  for (const [directory, candidate] of manifests) {
    if (directory !== root && candidate?.workspace !== undefined) continue;
    const claimed = textAt(candidate ?? {}, 'package', 'workspace');
    const isMember =
      directory === root || isListed(directory) || (claimed !== null && joinInRoot(directory, claimed) === root);
    if (isMember && !isExcluded(directory, root, workspace)) members.add(directory);
  }
  // A set may grow while it is walked.
  for (const member of members) {
    for (const { directory } of crates.inDirectory(member)?.dependencies.values() ?? []) {
      if (directory === null || !manifests.has(directory) || !isWithin(directory, root)) continue;
      if (manifests.get(directory)?.workspace !== undefined || isExcluded(directory, root, workspace)) continue;
      members.add(directory);
    }
  }
  return [...members].filter((directory) => crates.inDirectory(directory) !== null || directory === root);
}

/** The files of one crate's module trees. */
function createCrateFiles({ resolve, languageOf, targetsOf }: DiscoveryWorld, crates: RustCrates) {
  const byCrate = new Map<string, string[]>();
  for (const path of resolve.allFiles()) {
    if (!path.endsWith('.rs') || languageOf(path) !== 'rust') continue;
    const directory = crates.crateOf(path)?.directory;
    if (directory === undefined) continue;
    const group = byCrate.get(directory);
    if (group === undefined) byCrate.set(directory, [path]);
    else group.push(path);
  }
  return (directory: string): readonly string[] => {
    const crate = crates.inDirectory(directory);
    if (crate === null) return [];
    const own = new Set(byCrate.get(directory) ?? []);
    const reached = new Set([...own].filter((path) => isRoot(path, crate) || isInSources(path, crate)));
    for (const path of reached) {
      for (const target of targetsOf(path)) if (own.has(target)) reached.add(target);
    }
    return [...reached];
  };
}

/** A file is the root of a module tree iff its crate begins with it. */
function isRoot(path: string, crate: RustCrate): boolean {
  const { crateRoots } = moduleOf(path, crate);
  return crateRoots.length === 1 && crateRoots[0] === path;
}

/** A library that begins in the crate's own directory does not make all that lies there its modules. */
function isInSources(path: string, { directory, libPath }: RustCrate): boolean {
  const library = directoryOf(libPath);
  return isWithin(path, below(directory, 'src')) || (library !== directory && isWithin(path, library));
}
