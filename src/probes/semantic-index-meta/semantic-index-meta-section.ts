/** What the configurations and the files they mean are read from, and the section about them. Files are only named: their content does not matter. */

import { namedOnly, type ProbeRepo } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';

const metaConfigGlobs: readonly string[] = ['**/tsconfig*.json', '**/jsconfig.json'];
export const metaInputs: readonly string[] = [
  ...metaConfigGlobs,
  '**/package.json',
  'names:**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
];

export const configsMax = 2_000;

export function listOwnConfigs(repo: ProbeRepo): readonly string[] {
  return repo.inputs
    .list(metaConfigGlobs)
    .filter((path) => !isVendoredPath(path))
    .slice(0, configsMax);
}

const path = namedOnly(z.string());
const option = namedOnly(z.string()).nullable();

export const semanticIndexMetaSection = z.strictObject({
  configs: z.array(
    z.strictObject({
      tsconfig_path: path,
      has_extends: z.boolean(),
      target: option,
      module: option,
      module_resolution: option,
      strict: z.boolean().nullable(),
      jsx: option,
      references: z.array(path).describe('configurations of referenced projects'),
      include_globs: z.array(path).describe('root-relative; empty where `files` lists everything'),
      exclude_globs: z.array(path).describe('root-relative; without `exclude` the output directories'),
      files_count_estimate: z.int().describe('TypeScript and JavaScript files in scope, by the rules of the compiler'),
    }),
  ),
  root: path.nullable().describe('the configuration that speaks for the repository'),
});
