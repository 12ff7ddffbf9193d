/** What the import graph rests on: sources, what says how their imports are resolved, names of what else they may mean; and its section. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { sourceGlobs } from '../shared/source-globs.ts';

/** Files that resolvers read: options, packages, modules, crates, projects. */
export const configGlobs: readonly string[] = [
  '**/package.json',
  '**/*{ts,js}config*.json',
  '**/*{tsconfig,typescript-config}*/*.json',
  '**/pnpm-workspace.yaml',
  '**/go.{mod,work}',
  '**/Cargo.toml',
  '**/{pyproject.toml,setup.cfg,setup.py}',
];

/** Imported by name, never parsed here: data, styles, components, images. */
const assetGlobs: readonly string[] = [
  'names:**/*.{json,css,scss,sass,less,styl,vue,svelte,astro,mdx,graphql,gql,html,txt,wasm,node}',
  'names:**/*.{svg,png,jpg,jpeg,gif,webp,avif,ico,woff,woff2,ttf,otf,mp3,mp4}',
];

export const importGraphInputs: readonly string[] = [...sourceGlobs, ...configGlobs, ...assetGlobs];

export const importGraphSection = z.strictObject({
  /** Root-relative. */
  import_graph_uri: namedOnly(z.string()),
  /** Partial ones included. */
  parsed_files: z.int(),
  failed_files: z.int(),
  /** With error nodes: their imports outside these count. */
  partial_files: z.int(),
  files_with_imports: z.int(),
  /** Resolved and external ones; what is unresolved is no edge. */
  total_edges: z.int(),
  resolved_edges: z.int(),
  /** Without what comes with the language. */
  external_packages: z.int(),
  unresolved: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
  /** Groups of files that import each other when they run. */
  cycles: z.int(),
  /** Files that most others import; of Go the directory of a package. */
  top_fan_in: z.array(z.strictObject({ path: namedOnly(z.string()), importers: z.int() })),
  grammar_versions: z.array(z.strictObject({ name: z.string(), version: namedOnly(z.string()) })),
  indexed_inputs: namedOnly(z.string()),
  indexed_at: z.string(),
});
