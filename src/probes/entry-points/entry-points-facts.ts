/** Where programs begin, and what a library opens to others, as facts. */

import {
  type Component,
  componentAround,
  factsOf,
  isProduct,
  known,
  none,
  type Spine,
  type Statement,
} from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type EntryRow, entryPointsSection } from './entry-points-section.ts';

export const entryPointFacts = factsOf('entry_points', entryPointsSection, [
  {
    id: 'entrypoint.production',
    says: 'The file in which the program begins; a list where there are several.',
    of: 'the repository, or a component',
    value: z.union([z.string(), z.array(z.string())]),
    from: 'start scripts and commands of manifests, what images start, `package main`, application classes, front controllers, what servers load',
    rollup: 'union',
    state: ({ programs }, spine) => {
      // An image may be described elsewhere than what it starts.
      const stated = stateByComponent(programs, spine, 'path', (paths) =>
        paths.length === 1 ? (paths[0] ?? '') : paths,
      );
      // A Go module without `package main` is a library; other languages have more ways to begin.
      const isGo = spine.components.every(({ language, kind }) => !isProduct({ kind }) || language === 'go');
      if (programs.length > 0 || spine.components.length === 0 || !isGo) return stated;
      return [none('.', { because: 'follows', how: 'no package main outside tests, examples and tools' })];
    },
  },
  {
    id: 'public_api.entry',
    says: 'What others import: files, or directories of a Go module.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'manifests, packages of a Go module, `__init__.py` of a Python package',
    rollup: 'union',
    state: ({ public: open }, spine) => stateByComponent(open, spine, 'said_in', (paths) => paths),
  },
]);

function stateByComponent(
  rows: readonly EntryRow[],
  spine: Spine,
  of: 'path' | 'said_in',
  value: (paths: string[]) => string | string[],
): readonly Statement[] {
  const groups = new Map<string, EntryRow[]>();
  for (const row of rows) {
    const component: Component | undefined = componentAround(spine, row[of]);
    if (component !== undefined && !isProduct(component)) continue;
    const dir = component?.dir ?? '.';
    groups.set(dir, [...(groups.get(dir) ?? []), row]);
  }
  return [...groups].map(([dir, found]) => {
    const evidence = found.slice(0, 20).map(({ said_in, shows }) => ({ path: said_in, shows }));
    const hows = [...new Set(found.map((row) => row.how))];
    const paths = [...new Set(found.map(({ path }) => path))].sort();
    // What several rules find in one part need not all be of the product; one rule finds its like.
    const because = paths.length > 1 && hows.length > 1 ? 'resembles' : 'follows';
    return known(dir, value(paths), { because, how: hows.join('; '), evidence });
  });
}
