/** Discovery over files that exist as texts only; imports are said, not parsed. */

import type { Json } from '../../src/kernel/base/json.ts';
import { languageOf } from '../../src/languages/file-language.ts';
import type { ContextSpec } from '../../src/languages/projects/context-spec.ts';
import { discoverContexts } from '../../src/languages/projects/discover-contexts.ts';
import type { DiscoveryWorld } from '../../src/languages/projects/project-files.ts';
import { worldOf } from './resolve-world.ts';

export type Tree = Readonly<Record<string, Json>>;

/** A value that is no text is written as JSON. `imports`: importer → what it imports. */
export function discoveryWorld(
  tree: Tree,
  imports: Readonly<Record<string, readonly string[]>> = {},
  pinned?: Json,
): DiscoveryWorld {
  const render = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    resolve: worldOf(Object.fromEntries(Object.entries(tree).map(([path, value]) => [path, render(value)]))),
    languageOf,
    targetsOf: (path) => imports[path] ?? [],
    pinned: pinned === undefined ? undefined : new TextEncoder().encode(render(pinned)),
  };
}

/** Key → members, with the problem in front where there is one. */
export function outlineContexts(world: DiscoveryWorld): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    discoverContexts(world).map(({ key, members, problem }) => [
      key,
      problem === null ? members : [`! ${problem}`, ...members],
    ]),
  );
}

export function getContext(world: DiscoveryWorld, key: string): ContextSpec {
  const found = discoverContexts(world).find((context) => context.key === key);
  if (found === undefined) throw new Error(`there is no context ${key}`);
  return found;
}

/** Files without content. */
export function emptyFiles(...paths: readonly string[]): Tree {
  return Object.fromEntries(paths.map((path) => [path, '']));
}
