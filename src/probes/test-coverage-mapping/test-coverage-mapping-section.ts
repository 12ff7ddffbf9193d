/** What a map of coverage rests on: the reports, the sources they may speak of, and the names of what else they may. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { smokeFileGlobs } from '../shared/shell-commands.ts';
import { sourceGlobs } from '../tree-sitter-import-graph/tree-sitter-import-graph-section.ts';

/** Measured by tools of their languages, not read here: such a file is in the repository, its symbols are not known. */
const otherGlobs: readonly string[] = [
  '**/*.{vue,svelte,astro,rb,php,c,cc,cpp,cxx,h,hh,hpp,cs,kt,kts,scala,swift,dart,ex,exs,m,mm}',
];

export const coverageMapInputs: readonly string[] = [
  ...sourceGlobs,
  'config:coverage.paths',
  ...[...otherGlobs, ...smokeFileGlobs].map((glob) => `names:${glob}`),
];

/** Configured reports that exist, in the order of the configuration. A report outside the root has an id of its own. */
export function findCoverageInputs(
  repo: Pick<ProbeRepo, 'root' | 'inputs'>,
  configured: readonly string[],
): readonly { readonly id: string; readonly path: string }[] {
  return configured.flatMap((path, position) => {
    const below = path.startsWith(`${repo.root}/`) ? path.slice(repo.root.length + 1) : path;
    const inside = below
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .join('/');
    const id = [inside, `config:coverage.paths:${position}`].find((candidate) => repo.inputs.has(candidate));
    return id === undefined ? [] : [{ id, path }];
  });
}
