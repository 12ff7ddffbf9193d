/**
 * Go: an import path is a directory of a module, and its package is every non-test file there (code-plane.md §3.4).
 *
 * Visible are the importing file's own module, the modules its `go.work` uses, and local `replace`s; of several the longest path
 * wins. A module of this repository that none of them names is what the module proxy serves, hence external. The standard library
 * is every path whose first element has no dot.
 */

import {
  type CreateResolve,
  createSearch,
  type Resolution,
  type ResolveWorld,
  remembering,
  unresolved,
} from '../resolving/resolution.ts';
import { below, directoryOf, isWithin, joinInRoot } from '../resolving/root-paths.ts';
import { type GoModules, readGoModules } from './go-modules.ts';

const createGoResolve: CreateResolve = (world) => {
  let modules: GoModules | null = null;
  return remembering(directoryOf, (from, { specifier }) => {
    if (specifier === 'C') return unresolved('external', [], 'C');
    const directory = directoryOf(from);
    if (/^\.\.?(?:\/|$)/.test(specifier)) return resolvePackage(world, joinInRoot(directory, specifier));
    modules ??= readGoModules(world);
    const visible = modules.visibleFrom(directory);
    const owner = visible.find((module) => isWithin(specifier, module.path));
    if (owner === undefined) return resolveVendored(world, modules, directory, specifier);
    if (owner.directory === null) return unresolved('outside_root', [], owner.path);
    const target = joinInRoot(owner.directory, specifier.slice(owner.path.length + 1));
    if (target !== null && modules.rootOf(target) !== owner.directory) return unresolved('external', [], specifier);
    if (!mayImport(specifier, modules.pathOf(directory))) return unresolved('not_found');
    return resolvePackage(world, target);
  });
};

export default createGoResolve;

function resolvePackage(world: ResolveWorld, directory: string | null): Resolution {
  if (directory === null) return unresolved('outside_root');
  const search = createSearch(world);
  const files = search.filesIn(directory, isPackageFile);
  return files.length > 0 ? search.found(files) : search.missed('not_found');
}

function resolveVendored(world: ResolveWorld, modules: GoModules, from: string, specifier: string): Resolution {
  const root = modules.rootOf(from);
  const isStandard = !specifier.slice(0, specifier.search(/\/|$/)).includes('.');
  if (root === null || isStandard) return unresolved('external', [], specifier);
  const search = createSearch(world);
  const vendored = joinInRoot(below(root, 'vendor'), specifier);
  const files = vendored === null ? [] : search.filesIn(vendored, isPackageFile);
  return files.length > 0 ? search.found(files) : search.missed('external', modules.requiredModule(root, specifier));
}

/** The go tool passes over names that begin with `_` or `.`. */
function isPackageFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.endsWith('.go') && !name.endsWith('_test.go') && !name.startsWith('_') && !name.startsWith('.');
}

/** `a/b/internal/c` may be imported from below `a/b` only. */
function mayImport(specifier: string, importer: string | null): boolean {
  const parts = specifier.split('/');
  const at = parts.lastIndexOf('internal');
  if (at === -1) return true;
  return importer !== null && isWithin(importer, parts.slice(0, at).join('/'));
}
