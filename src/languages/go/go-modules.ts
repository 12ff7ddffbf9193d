/** What `go.mod` and `go.work` files say about which import path lies where. A function of configuration files alone. */

import { type GoMod, parseGoMod } from '../../kernel/formats/go-mod.ts';
import { linesOf, parseText } from '../../kernel/formats/parse-outcome.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { ancestorsOf, below, directoryOf, isWithin, joinInRoot } from '../resolving/root-paths.ts';

/** `directory` is `null` where a replacement lies outside the root. */
type VisibleModule = { readonly path: string; readonly directory: string | null };

export type GoModules = {
  /** Modules that code in this directory can import from source, longest path first. */
  visibleFrom(directory: string): readonly VisibleModule[];
  /** The directory of the nearest `go.mod`, or `null`. */
  rootOf(directory: string): string | null;
  /** The import path of the package in this directory. */
  pathOf(directory: string): string | null;
  /** The required module that holds an import path; the path itself if none is known. */
  requiredModule(root: string, importPath: string): string;
};

const mostUses = 1000;

type GoWorkspace = { readonly uses: readonly string[]; readonly replaces: GoMod['replaces'] };

export function readGoModules(world: ResolveWorld): GoModules {
  const modules = new Map<string, GoMod | null>();
  for (const path of world.configFilesNamed('go.mod')) {
    modules.set(directoryOf(path), readConfigWith(world, path, parseGoMod));
  }
  const workspaces = new Map<string, GoWorkspace>();
  for (const path of world.configFilesNamed('go.work')) workspaces.set(directoryOf(path), readGoWorkspace(world, path));

  const roots = new Map<string, string | null>();
  const rootOf = (directory: string): string | null => {
    let root = roots.get(directory);
    if (root === undefined) {
      root = nearest(directory, modules);
      roots.set(directory, root);
    }
    return root;
  };
  const visibleByRoot = new Map<string | null, readonly VisibleModule[]>();
  return {
    rootOf,
    visibleFrom: (directory) => {
      const root = rootOf(directory);
      let visible = visibleByRoot.get(root);
      if (visible === undefined) {
        visible = listVisible(root, modules, workspaces);
        visibleByRoot.set(root, visible);
      }
      return visible;
    },
    pathOf: (directory) => {
      const root = rootOf(directory);
      const path = root === null ? null : (modules.get(root)?.module ?? null);
      return root === null || path === null ? null : below(path, directory.slice(root === '' ? 0 : root.length + 1));
    },
    requiredModule: (root, importPath) => {
      const holders = (modules.get(root)?.requires ?? [])
        .map(({ path }) => path)
        .filter((path) => isWithin(importPath, path));
      return holders.reduce((best, path) => (path.length > best.length ? path : best), '') || importPath;
    },
  };
}

function nearest(directory: string, places: ReadonlyMap<string, unknown>): string | null {
  for (const at of ancestorsOf(directory)) if (places.has(at)) return at;
  return null;
}

function listVisible(
  root: string | null,
  modules: ReadonlyMap<string, GoMod | null>,
  workspaces: ReadonlyMap<string, GoWorkspace>,
): readonly VisibleModule[] {
  if (root === null) return [];
  const visible = new Map<string, string | null>();
  const addModule = (directory: string) => {
    const path = modules.get(directory)?.module ?? null;
    if (path !== null && path !== '' && !visible.has(path)) visible.set(path, directory);
  };
  const addReplaces = (directory: string, replaces: GoMod['replaces']) => {
    for (const { path, target, targetVersion } of replaces) {
      if (targetVersion === null && path !== '' && !visible.has(path)) visible.set(path, joinInRoot(directory, target));
    }
  };
  addModule(root);
  const work = nearest(root, workspaces);
  const workspace = work === null ? undefined : workspaces.get(work);
  // A workspace counts for the modules it uses; its replacements come before theirs.
  if (work !== null && workspace?.uses.includes(root)) {
    for (const directory of workspace.uses) addModule(directory);
    addReplaces(work, workspace.replaces);
    for (const directory of workspace.uses) addReplaces(directory, modules.get(directory)?.replaces ?? []);
  } else {
    addReplaces(root, modules.get(root)?.replaces ?? []);
  }
  return [...visible].map(([path, directory]) => ({ path, directory })).sort((a, b) => b.path.length - a.path.length);
}

/** `go.work` has the grammar of `go.mod` with a `use` directive, which lists directories; those outside the root are left out. */
export function readGoWorkspace(world: ResolveWorld, path: string): GoWorkspace {
  const directory = directoryOf(path);
  const text = readConfigWith(world, path, parseText);
  const uses: string[] = [];
  let isBlock = false;
  for (const [line] of linesOf(text ?? '')) {
    const words = line
      .replace(/\/\/.*$/, '')
      .split(/\s+/)
      .filter((word) => word !== '');
    const first = words[0]?.replace(/^use\($/, 'use');
    if (first === 'use' && (words[1] === '(' || words[0] === 'use(')) isBlock = true;
    else if (isBlock && first === ')') isBlock = false;
    else {
      const named = isBlock ? words[0] : first === 'use' ? words[1] : undefined;
      const used = named === undefined ? null : joinInRoot(directory, named.replace(/^["`]|["`]$/g, ''));
      if (used !== null) uses.push(used);
    }
    if (uses.length >= mostUses) break;
  }
  return { uses, replaces: readConfigWith(world, path, parseGoMod)?.replaces ?? [] };
}
