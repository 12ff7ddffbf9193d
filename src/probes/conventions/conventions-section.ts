/** The section about house rules, and why a convention file was not used. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { perFileErrorSchema } from '../shared/authored-files.ts';

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
