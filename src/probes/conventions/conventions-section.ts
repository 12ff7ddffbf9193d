/** Which files hold house rules, and the section about them. */

import { namedOnly, type ProbeRepo } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { catalogVersion, perFileErrorSchema, relativeToConfigured } from '../shared/authored-files.ts';

/** Why a convention file was not used. */
export const catalogErrorReasons = [
  'unknown_pattern_type',
  'schema',
  'symlink_refused',
  'unsafe_yaml',
  'size_cap_exceeded',
  'depth_cap_exceeded',
  'catalog_file_unreadable',
  'invalid_regex',
] as const;

export const conventionsSection = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.string(),
      description: z.string(),
      result: z.enum(['pass', 'fail', 'not_applicable', 'error']),
      /** Places where it holds; for the other results the reason in words (`rule_timeout`, `<rel>: unreadable` for errors). */
      evidence: z.union([
        z.array(z.strictObject({ path: namedOnly(z.string()), line: z.int() })),
        namedOnly(z.string()),
      ]),
    }),
  ),
  rules_checked: z.int(),
  passed: z.int(),
  failed: z.int(),
  not_applicable: z.int(),
  catalog_paths_resolved: z.array(namedOnly(z.string())),
  catalog_version: namedOnly(z.string()),
  outcome: z.strictObject({ kind: z.literal('ran') }),
  scanned_at: z.string(),
  per_file_errors: z.array(perFileErrorSchema(catalogErrorReasons)),
});

const CATALOG_FORMAT = '1';
export const conventionKeys = ['conventions.user_path', 'conventions.repo_path'] as const;

export function catalogIds(repo: ProbeRepo): readonly string[] {
  return repo.inputs.list().filter((id) => conventionKeys.some((key) => isCatalogOf(repo, id, key)));
}

export function isCatalogOf(repo: ProbeRepo, id: string, key: (typeof conventionKeys)[number]): boolean {
  const name = relativeToConfigured(repo.root, id, { key, position: 0, path: repo.config[key] });
  return name !== undefined && /^[^/]*\.yaml$/.test(name);
}

export function conventionsVersion(repo: ProbeRepo): string {
  return catalogVersion(CATALOG_FORMAT, repo, catalogIds(repo));
}
