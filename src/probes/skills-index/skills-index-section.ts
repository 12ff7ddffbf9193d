/** The section about skills, and what their version is made of. */

import { namedOnly, type ProbeContext, type ProbeRepo } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { catalogVersion, perFileErrorSchema } from '../shared/authored-files.ts';

/** In order of precedence: what the user or the organisation installed is never replaced by the repository. */
export const skillTiers = ['user', 'org', 'repo'] as const;
export type SkillTier = (typeof skillTiers)[number];

const tier = z.enum(skillTiers);
const path = namedOnly(z.string());

const skill = z.strictObject({
  id: z.string(),
  description: z.string().nullable(),
  tier,
  applies_to_tasks: z.array(z.string()),
  applies_to_languages: z.array(z.string()),
  conditions: z.array(
    z.strictObject({ field: z.string(), equals: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
  ),
  requires_evidence: z.array(z.string()),
  required_tools: z.array(z.string()),
  applies: z.boolean(),
  /** Null for a skill that restricts nothing. */
  why: z.string().nullable(),
  path,
  /** Bytes from the start of the file. */
  body_offset: z.int(),
  body_size: z.int(),
  /** Null when the file is larger than 50 MiB: such a body is not read. */
  body_blake3: namedOnly(z.string()).nullable(),
});
export type SkillRow = z.output<typeof skill>;

export const skillsSection = z.strictObject({
  skills: z.array(skill),
  /** Skills that loaded, shadowed ones included. */
  tier_counts: z.strictObject({ user: z.int(), org: z.int(), repo: z.int() }),
  shadowed_skills: z.array(
    z.strictObject({
      skill_id: z.string(),
      shadowed_tier: tier,
      winning_tier: tier,
      shadowed_path: path,
      winning_path: path,
    }),
  ),
  catalog_version: namedOnly(z.string()),
  outcome: z.strictObject({ kind: z.literal('ran') }),
  scanned_at: z.string(),
  per_file_errors: z.array(
    perFileErrorSchema(['symlink_refused', 'unsafe_yaml', 'frontmatter_unterminated', 'schema', 'io_failure']),
  ),
});

const CATALOG_FORMAT = '1';
export const skillsConfigKeys = ['skills.user_path', 'skills.org_path', 'skills.repo_path'] as const;
export type SkillsContext = ProbeContext<(typeof skillsConfigKeys)[number]>;

/** Of all SKILL.md files together. */
export function skillsVersion(repo: ProbeRepo): string {
  return catalogVersion(CATALOG_FORMAT, repo, repo.inputs.list());
}
