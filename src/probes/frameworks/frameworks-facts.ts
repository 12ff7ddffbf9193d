/** Frameworks of the product, as a fact. */

import {
  type Claim,
  componentAround,
  factsOf,
  isProduct,
  isWithin,
  known,
  none,
  type Spine,
  type Statement,
  unknown,
} from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { frameworksSection } from './frameworks-section.ts';

type Used = z.output<typeof frameworksSection>['used'][number];

export const frameworkFacts = factsOf('frameworks', frameworksSection, [
  {
    id: 'framework.production',
    says: 'Frameworks that the product itself is built on; those of examples, benchmarks, tests and documentation are none.',
    of: 'the repository, or a directory around or below a manifest',
    value: z.array(z.string()),
    from: 'what manifests of the product declare and its code imports',
    rollup: 'above',
    noneWithoutSection: true,
    state: ({ directories, used }, spine) => {
      const isOfProduct = (dir: string) => isProduct(componentAround(spine, dir) ?? { kind: 'package' });
      const found = used.filter(({ directory }) => isOfProduct(directory));
      const dirs = new Set(['.', ...directories.flatMap(withParents)]);
      return [...dirs].map((dir) => {
        const language = spine.components.find((one) => one.dir === dir)?.language ?? null;
        const unread = language !== null && uncatalogued.has(language) ? language : null;
        // A folder around examples alone is no more the product than they are.
        const below = directories.filter((one) => isWithin(one, dir));
        if (dir !== '.' && !below.some(isOfProduct))
          return none(dir, { because: 'follows', how: asideHow(below[0] ?? dir, spine) });
        return stateOf(
          dir,
          found.filter((one) => isWithin(one.directory, dir)),
          unread,
        );
      });
    },
  },
]);

/** It may be built on any: they are not looked at, for they are none of the product. */
function asideHow(dir: string, spine: Spine): string {
  return `${componentAround(spine, dir)?.kind ?? 'no product'}: its frameworks are none of the product`;
}

/** Languages of programs whose frameworks the catalog does not have; a shell or a style sheet is built on none. */
const uncatalogued: ReadonlySet<string> = new Set(
  'elixir erlang dart swift haskell clojure crystal lua perl r julia ocaml nim zig c cpp objc'.split(' '),
);

/** `unread`: the language that most of it is written in, where the catalog has none of it. */
function stateOf(dir: string, used: readonly Used[], unread: string | null): Statement {
  const names = [...new Set(used.map(({ framework }) => framework))].sort();
  if (unread !== null) {
    const how = `frameworks of ${unread} are not looked for`;
    if (names.length === 0) return unknown(dir, { because: 'incomplete', how });
    return known(dir, names, {
      because: 'incomplete',
      how: `at least: ${how}`,
      evidence: used.slice(0, 10).flatMap(claimsOf),
    });
  }
  if (names.length === 0)
    return none(dir, { because: 'incomplete', how: 'no framework of our catalog is declared and used' });
  return known(dir, names, {
    because: 'follows',
    how: 'declared by a manifest of the product, and imported by its code or loaded by convention',
    evidence: used.slice(0, 10).flatMap(claimsOf),
  });
}

function claimsOf({ manifest, shows, imported_at: place }: Used): readonly Claim[] {
  // Python folds the three into one; a manifest may write any. A key of package.json is the name and nothing else.
  const plain = [shows, shows.replaceAll('-', '_'), shows.replaceAll('-', '.')];
  const spellings = manifest.endsWith('package.json') ? [`"${shows}":`, ...plain] : plain;
  const declared = { path: manifest, shows: spellings };
  return place === null ? [declared] : [declared, { path: place.path, line: place.line, shows: null }];
}

/** `a/b/c` lies in `a/b` and in `a`: what is asked of these is what lies below. */
function withParents(dir: string): readonly string[] {
  if (dir === '.') return [];
  const parts = dir.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
