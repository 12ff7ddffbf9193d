/** What the semantic index rests on (sources, what says how they are compiled, what is left out), and the section about it. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { typeScriptIndexers } from '../../languages/projects/context-spec.ts';

export const scipSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts}'];
export const scipConfigGlobs: readonly string[] = ['**/tsconfig*.json', '**/package.json'];
export const scipInputs: readonly string[] = [...scipSourceGlobs, ...scipConfigGlobs, '.codegenie/exclude.txt'];

export const semanticIndexSection = z.strictObject({
  /** Root-relative; null where there is no index. */
  scip_index_uri: namedOnly(z.string()).nullable(),
  indexer: z.enum(typeScriptIndexers),
  indexer_version: namedOnly(z.string()),
  /** Files in scope that have a document. */
  files_indexed: z.int(),
  files_in_repo: z.int(),
  /** One decimal, cut. */
  coverage_pct: z.number(),
  /** `unknown` where HEAD could not be resolved. */
  last_indexed_commit: namedOnly(z.string()),
  last_indexed_at: z.string(),
  indexer_errors: z.int(),
  /** Files of its projects that have no document. */
  indexer_warnings: z.int(),
  indexed_inputs: namedOnly(z.string()),
  /** Inputs that were not committed then. */
  dirty_at_index: z.array(namedOnly(z.string())),
  projects: z.array(
    z.strictObject({
      /** The directory of a `tsconfig.json`, or the path of another configuration. */
      path: namedOnly(z.string()),
      synthesised: z.boolean(),
      /** Files of it that have a document. */
      documents: z.int(),
    }),
  ),
  /** The first 100. */
  files_missing: z.array(namedOnly(z.string())),
  /** Described symbols, locals aside. */
  symbol_count: z.int().optional(),
  /** Of these, exported top-level declarations. */
  exported_symbols: z.int().optional(),
  /** Share of the type names written that are `any`. */
  any_type_density: z.number().optional(),
  /** Of a name that is no literal, `require` included. */
  unresolved_dynamic_imports: z.int().optional(),
  unresolved_computed_access: z.int().optional(),
});
