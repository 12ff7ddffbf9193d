/**
 * One predicate for what is in scope (code-plane.md §1.1). Layers answer in order; the last answer that is not neutral wins; all
 * neutral means included. The bulk listing, a single event and the probes all come through here.
 */

import { type IgnoreRule, judgeIgnore } from './path-patterns.ts';

type ScopeVerdict = { readonly in: boolean; readonly layer: 'hard' | 'defaults' | 'git' | 'cplignore' | 'none' };

/** What the users of one tree exclude each other by, in its root (mutation.md §6, M41). */
export const treeLockName = '.codegenie.lock';

/** Never looked at, wherever they stand: the records of version control, and what this program leaves in a tree. */
export const hardNames: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.bzr',
  '.jj',
  '.codegenie',
  treeLockName,
]);

/** Directories that hold what tools made or fetched. They hide untracked files only: real repositories track `vendor/` and `bin/`. */
export const defaultIgnoredDirectories: ReadonlySet<string> = new Set(
  `node_modules bower_components .npm .yarn .pnpm-store .next .nuxt .turbo .venv venv env __pycache__ .pytest_cache .mypy_cache
  .ruff_cache .tox .nox .hypothesis htmlcov .bundle target _build .stack-work .bsp .metals .bloop .dart_tool .gradle .m2 bin obj
  Pods DerivedData .terraform dist build out coverage .nyc_output .idea .vs .cache vendor tmp temp`.split(/\s+/),
);

export function judgeScope(file: {
  readonly path: string;
  readonly tracked: boolean;
  readonly gitIgnored: boolean;
  readonly cplRules: readonly IgnoreRule[];
}): ScopeVerdict {
  const segments = file.path.split('/');
  if (isHardExcluded(segments)) return { in: false, layer: 'hard' };
  const own = judgeIgnore(file.cplRules, file.path);
  if (own !== 'neutral') return { in: own === 'included', layer: 'cplignore' };
  if (file.tracked) return { in: true, layer: 'none' };
  if (file.gitIgnored) return { in: false, layer: 'git' };
  const hidden = segments.slice(0, -1).some((segment) => defaultIgnoredDirectories.has(segment));
  return hidden ? { in: false, layer: 'defaults' } : { in: true, layer: 'none' };
}

export function isHardName(name: string): boolean {
  return hardNames.has(name);
}

function isHardExcluded(segments: readonly string[]): boolean {
  if (segments.some((segment) => hardNames.has(segment))) return true;
  // What a change that was cut off has left; a name that was too long has the short form.
  return /^\.(?:.*\.cg-.*|cg-[0-9a-f]{16}.*)\.tmp$/.test(segments.at(-1) as string);
}
