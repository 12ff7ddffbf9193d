/** What a map of coverage rests on (reports, sources they may speak of, names of what else they may), and the section about it. */

import { namedOnly, type ProbeRepo } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { scannerOutcome } from '../shared/scanners.ts';
import { smokeFileGlobs } from '../shared/shell-commands.ts';
import { sourceGlobs } from '../shared/source-globs.ts';

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

/** How a link between a test and a symbol is known. */
const linkKinds = ['per_test_coverage', 'import_reach', 'scip_reference'] as const;
export type LinkKind = (typeof linkKinds)[number];

export const coverageMapSection = z.strictObject({
  /** Failed: there are reports and none could be read, or they name no file. */
  outcome: scannerOutcome,
  format: z.enum(['lcov', 'istanbul', 'both']).nullable(),
  /** Distinct files that the reports name. */
  files_seen: z.int(),
  /** Of these, files that lie elsewhere: installed packages, other checkouts. */
  files_outside_repo: z.int(),
  /** The first 2000 by path and place; tests themselves are left out. */
  symbols: z.array(
    z.strictObject({
      /** The name of the semantic index, else `path#Class/method`. */
      symbol: namedOnly(z.string()),
      path: namedOnly(z.string()),
      /** First and last line. */
      range: z.tuple([z.int(), z.int()]),
      lines_covered: z.int(),
      lines_total: z.int(),
      /** It ran: lines that only declare it do not count. */
      hit: z.boolean(),
    }),
  ),
  symbols_total: z.int(),
  /** The first 1000. A test may be linked in two ways: one entry for each. */
  tests: z.array(
    z.strictObject({
      /** The name in the report, else the test file. */
      test_id: z.string(),
      test_file: namedOnly(z.string()).nullable(),
      /** The first 100. */
      exercises: z.array(namedOnly(z.string())),
      exercises_total: z.int(),
      /** There may be more that nothing here can show. */
      exercises_unknown: z.boolean(),
      /** `scip_reference`: covered and named by the test; `import_reach`: covered and one hop further. Null: nothing is known. */
      via: z.enum(linkKinds).nullable(),
    }),
  ),
  tests_total: z.int(),
  /** Exported, measured and never run; at least, where some source was not measured. */
  untested_exported_symbols: z.strictObject({
    value: z.int(),
    relation: z.enum(['eq', 'gte']),
    sample: z.array(namedOnly(z.string())),
  }),
});
