/**
 * Which configuration files are projects: those named `tsconfig*.json` or `jsconfig.json`, and whatever a project references. A
 * configuration that exists to be extended is none, because by the compiler's rule it would mean all files around it: it has a name
 * of its own (not `tsconfig.json`), others extend it, nobody references it, and it either does not say what it consists of or says
 * nothing that those who extend it do not mean as well.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ConfigFile, ReadConfigFile } from '../../resolve/javascript/config-file.ts';
import { packageFolders } from '../../resolve/javascript/config-patterns.ts';
import { baseNameOf } from '../../resolve/shared/root-paths.ts';
import type { SourceFile } from './source-tree.ts';

type WithRoots = { readonly config: ConfigFile; readonly roots: readonly SourceFile[] };

/** Sorted by path. `describe` is called for each candidate once. */
export function listProjects<T extends WithRoots>(
  paths: readonly string[],
  read: ReadConfigFile,
  describe: (config: ConfigFile) => T,
): readonly T[] {
  const configs = new Map<string, ConfigFile>();
  const referenced = new Set<string>();
  const pending = paths.filter(isNamedLikeProject);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const config = configs.has(path) ? undefined : read(path);
    if (config === undefined) continue;
    configs.set(path, config);
    for (const reference of config.references) {
      referenced.add(reference);
      pending.push(reference);
    }
  }
  const extending = listExtending(configs.values());
  const mayBeBase = ({ path }: ConfigFile) =>
    extending.has(path) && !referenced.has(path) && !/^[jt]sconfig\.json$/.test(baseNameOf(path));
  const candidates = [...configs.values()].filter((config) => config.hasOwnInputs || !mayBeBase(config));
  const projects = new Map(candidates.map((config) => [config.path, describe(config)]));
  const rootSets = new Map<string, ReadonlySet<SourceFile>>();
  const rootsOf = (path: string): ReadonlySet<SourceFile> => {
    const roots = rootSets.get(path) ?? new Set(projects.get(path)?.roots);
    rootSets.set(path, roots);
    return roots;
  };
  return [...projects.values()]
    .filter(({ config, roots }) => {
      if (!mayBeBase(config)) return true;
      const others = extending.get(config.path) ?? [];
      return roots.some((file) => !others.some((path) => rootsOf(path).has(file)));
    })
    .sort((a, b) => compareCodeUnits(a.config.path, b.config.path));
}

function isNamedLikeProject(path: string): boolean {
  const name = baseNameOf(path);
  if (name !== 'jsconfig.json' && !(name.startsWith('tsconfig') && name.endsWith('.json'))) return false;
  return !path.split('/').some((segment) => packageFolders.has(segment));
}

/** Of every base, the configurations that extend it, however many steps lie between. */
function listExtending(configs: Iterable<ConfigFile>): ReadonlyMap<string, readonly string[]> {
  const extending = new Map<string, string[]>();
  for (const { path, layers } of configs) {
    for (const layer of layers) {
      if (layer.path === path) continue;
      const known = extending.get(layer.path);
      if (known === undefined) extending.set(layer.path, [path]);
      else known.push(path);
    }
  }
  return extending;
}
