/**
 * Rust: a path names a module by the files that could hold it, longest prefix first: for `crate::a::b::C` these are `a/b/C.rs`,
 * `a/b/C/mod.rs`, `a/b.rs`, `a/b/mod.rs`, `a.rs`, `a/mod.rs` and the crate's root (code-plane.md §3.4). What is no module of its own
 * is thus found in the file that holds it, whether it is an item or an inline module.
 *
 * The first name of other paths is, in this order: a dependency of the manifest, the crate's own library, a child module, any crate
 * of this repository; else external. `mod x;` is `x.rs` or `x/mod.rs` among the file's children, and beside the file for files
 * that were themselves named by `#[path]`.
 */

import {
  type CreateResolve,
  createSearch,
  type FileSearch,
  type Resolution,
  remembering,
  unresolved,
} from '../resolving/resolution.ts';
import { below, directoryOf, joinInRoot } from '../resolving/root-paths.ts';
import { moduleOf, type RustCrate, type RustCrates, type RustModule, readRustCrates } from './rust-crates.ts';

const sysroot: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

const createRustResolve: CreateResolve = (world) => {
  let crates: RustCrates | null = null;
  return remembering(
    (from) => from,
    (from, request) => {
      crates ??= readRustCrates(world);
      const crate = crates.crateOf(from);
      const importer: Importer = { from, crate, crates, module: moduleOf(from, crate) };
      const search = createSearch(world);
      const filePath = request.kind === 'include' ? request.specifier : /^path:(.*)$/s.exec(request.specifier)?.[1];
      if (filePath !== undefined) return resolvePath(search, from, filePath);
      if (request.kind === 'mod') return resolveMod(search, importer, segmentsOf(request.specifier));
      return resolveUse(search, importer, request.specifier);
    },
  );
};

export default createRustResolve;

type Importer = {
  readonly from: string;
  readonly crate: RustCrate | null;
  readonly crates: RustCrates;
  readonly module: RustModule;
};

function resolvePath(search: FileSearch, from: string, path: string): Resolution {
  const target = joinInRoot(directoryOf(from), path.replaceAll('\\', '/'));
  if (target === null) return unresolved('outside_root');
  const hit = search.file(target);
  return hit === null ? search.missed('not_found') : search.found([hit]);
}

/** Several segments where the declaration stands in an inline module: `mod a { mod b; }` is `a::b`. */
function resolveMod(search: FileSearch, { from, module }: Importer, segments: readonly string[]): Resolution {
  const path = segments.join('/');
  const hit = search.firstFile([...formsOf(below(module.children, path)), ...formsOf(below(directoryOf(from), path))]);
  return hit === null ? search.missed('not_found') : search.found([hit]);
}

type Found = {
  readonly target: string | null;
  readonly reason: 'not_found' | 'external' | 'ambiguous';
  readonly external: string | null;
};

/** Every leaf of a `use` tree is an import of its own, so the names in it say nothing that the path does not. */
function resolveUse(search: FileSearch, importer: Importer, specifier: string): Resolution {
  const path = segmentsOf(specifier);
  if (path.length === 0) return search.missed('not_found');
  const { target, reason, external } = findPath(search, importer, specifier.startsWith('::'), path);
  return target === null ? search.missed(reason, external) : search.found([target]);
}

function segmentsOf(path: string): readonly string[] {
  return path
    .split('::')
    .map((segment) => segment.trim().replace(/^r#/, ''))
    .filter((segment) => segment !== '' && segment !== '*' && !segment.includes('/'));
}

function findPath(search: FileSearch, importer: Importer, isGlobal: boolean, path: readonly string[]): Found {
  const { from, module } = importer;
  const [first = '', ...rest] = path;
  if (first === 'crate' || first === '$crate') return toFound(findInCrate(search, module, rest));
  if (first === 'self' && rest[0] !== 'super')
    return toFound(findBelow(search, module.children, rest) ?? search.file(from));
  if (first === 'self' || first === 'super') return toFound(findAbove(search, module, first === 'self' ? rest : path));
  return findNamed(search, importer, isGlobal, path);
}

function toFound(target: string | null): Found {
  return { target, reason: 'not_found', external: null };
}

function findAbove(search: FileSearch, module: RustModule, path: readonly string[]): string | null {
  let directory = module.children;
  let at = 0;
  for (; path[at] === 'super'; at += 1) {
    if (directory === module.crateDirectory || directory === '') return null;
    directory = directoryOf(directory);
  }
  const rest = path.slice(at);
  if (directory === module.crateDirectory) return findInCrate(search, module, rest);
  return findBelow(search, directory, rest) ?? search.firstFile(formsOf(directory));
}

function findInCrate(search: FileSearch, module: RustModule, path: readonly string[]): string | null {
  return findBelow(search, module.crateDirectory, path) ?? search.firstFile(module.crateRoots);
}

/** The file of the longest prefix of a path, of at least one segment. */
function findBelow(search: FileSearch, directory: string, path: readonly string[]): string | null {
  for (let length = path.length; length > 0; length -= 1) {
    const hit = search.firstFile(formsOf(below(directory, path.slice(0, length).join('/'))));
    if (hit !== null) return hit;
  }
  return null;
}

function findNamed(search: FileSearch, importer: Importer, isGlobal: boolean, path: readonly string[]): Found {
  const { crate, crates, module } = importer;
  const [first = '', ...rest] = path;
  const external: Found = { target: null, reason: 'external', external: first };
  if (sysroot.has(first)) return external;
  const dependency = crate?.dependencies.get(first);
  const isOwn = crate?.name === first;
  if (dependency === undefined && !isOwn && !isGlobal) {
    const child = findBelow(search, module.children, path);
    if (child !== null) return toFound(child);
  }
  const named = crates.named(dependency?.name ?? first);
  const byPath = dependency?.directory == null ? null : crates.inDirectory(dependency.directory);
  const chosen = byPath ?? (isOwn ? crate : named[0]);
  if (chosen === null || chosen === undefined) return external;
  if (byPath === null && !isOwn && named.length > 1) return { target: null, reason: 'ambiguous', external: first };
  return toFound(findBelow(search, directoryOf(chosen.libPath), rest) ?? search.file(chosen.libPath));
}

function formsOf(path: string): readonly string[] {
  return path === '' ? [] : [`${path}.rs`, `${path}/mod.rs`];
}
