/**
 * The skills that are installed for this repository: which there are, which of them apply here, and why.
 * Promise: what the user or the organisation installed is never replaced by the repository, and no body is ever loaded.
 */

import { defineProbe, type Slice } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt } from '../../kernel/base/json-access.ts';
import { type SkillRow, skillsConfigKeys, skillsSection, skillsVersion } from './skills-index-section.ts';

export default defineProbe({
  name: 'skills_index',
  version: '0.1.0',
  layer: 'D',
  says: 'Installed skills by tier, which of them apply to this repository and task, and which are shadowed.',
  heaviness: 'light',
  sections: { 'organizational.skills': skillsSection },
  requires: [
    { probe: 'language_detection', select: selectLanguages, optional: true },
    { probe: 'node_build_system', select: (slice) => facts(slice['build_system']), optional: true },
    { probe: 'node_manifest', select: (slice) => facts(slice['manifests']), optional: true },
  ],
  declaredInputs: [
    'config:skills.user_path:**/SKILL.md',
    'config:skills.org_path:**/SKILL.md',
    'config:skills.repo_path:**/SKILL.md',
  ],
  configKeys: skillsConfigKeys,
  taskSensitive: true,
  timeoutSeconds: 10,
  artifacts: ['skills-index.json'],
  warningIds: ['skills_index.shadowed', 'skills_index.per_file_errors_present', 'skills_index.unknown_keys'],
  confidenceRule: 'high when every SKILL.md loads, medium when some do not, low when none does',
  index: {
    name: 'skills',
    check: versionPairFreshness({ index: 'skills', versionKey: 'catalog_version' }),
    expected: async (repo) => ({ expected_catalog_version: skillsVersion(repo) }),
    detail: (slice) => ({
      catalog_version: slice['catalog_version'] ?? null,
      skills: listAt(slice, 'skills').length,
      shadowed: listAt(slice, 'shadowed_skills').length,
      per_file_errors: listAt(slice, 'per_file_errors').length,
    }),
  },
  examples: [
    {
      shows: 'two tiers with one shadowed id: what the user installed wins over the repository',
      files: {
        '~/.codegenie/skills/release/SKILL.md':
          '---\nid: release\napplies_to_tasks: ["*"]\n---\nThe body of the user.\n',
        '.codegenie/skills/release/SKILL.md': '---\nid: release\napplies_to_tasks: ["*"]\n---\nAnother body.\n',
        '.codegenie/skills/migrate/SKILL.md':
          '---\nname: migrate\ndescription: Move to distroless\napplies_to:\n  task_types: [distroless_migration]\n---\n',
      },
      gives: {
        'organizational.skills': {
          skills: [
            exampleSkill({
              id: 'migrate',
              description: 'Move to distroless',
              applies_to_tasks: ['distroless_migration'],
              applies: false,
              why: 'task general is not one of distroless_migration',
              path: '.codegenie/skills/migrate/SKILL.md',
              body_offset: 103,
            }),
            exampleSkill({
              id: 'release',
              tier: 'user',
              path: '~/.codegenie/skills/release/SKILL.md',
              body_offset: 44,
              body_size: 22,
              body_blake3: blake3Hex('The body of the user.\n'),
            }),
          ],
          tier_counts: { user: 1, org: 0, repo: 2 },
          shadowed_skills: [
            {
              skill_id: 'release',
              shadowed_tier: 'repo',
              winning_tier: 'user',
              shadowed_path: '.codegenie/skills/release/SKILL.md',
              winning_path: '~/.codegenie/skills/release/SKILL.md',
            },
          ],
          outcome: { kind: 'ran' },
          per_file_errors: [],
        },
      },
      warnings: ['skills_index.shadowed'],
      confidence: 'high',
    },
    {
      shows: 'task, language and conditions decide, and the reason is told',
      task: 'distroless_migration',
      files: {
        'package.json': '{"name":"x","packageManager":"pnpm@9.0.0"}',
        'src/a.ts': 'export {};\n',
        '.codegenie/skills/a/SKILL.md':
          '---\nname: distroless\ndescription: Move to distroless\napplies_to:\n  task_types: [distroless_migration]\n  languages: [typescript]\n  conditions:\n    - monorepo: false\nrequires_evidence: [runtime_trace]\nrequired_tools: [docker]\n---\nBody.\n',
      },
      gives: {
        'organizational.skills': {
          skills: [
            exampleSkill({
              id: 'distroless',
              description: 'Move to distroless',
              applies_to_tasks: ['distroless_migration'],
              applies_to_languages: ['typescript'],
              conditions: [{ field: 'monorepo', equals: false }],
              requires_evidence: ['runtime_trace'],
              required_tools: ['docker'],
              why: 'task distroless_migration; language typescript; monorepo = false',
              path: '.codegenie/skills/a/SKILL.md',
              body_offset: 228,
              body_size: 6,
              body_blake3: blake3Hex('Body.\n'),
            }),
          ],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'one bad file never fails the load; unknown keys are told and the skill still loads',
      files: {
        '.codegenie/skills/a/SKILL.md': '---\nid: a\nextra: 1\n---\n',
        '.codegenie/skills/b/SKILL.md': '---\nid: b\n',
        '.codegenie/skills/c/SKILL.md': '---\n- a\n- list\n---\n',
        '.codegenie/skills/d/SKILL.md': new Uint8Array([
          0x2d, 0x2d, 0x2d, 0x0a, 0x69, 0x64, 0x3a, 0x20, 0xff, 0x0a, 0x2d, 0x2d, 0x2d, 0x0a,
        ]),
      },
      gives: {
        'organizational.skills': {
          tier_counts: { user: 0, org: 0, repo: 1 },
          per_file_errors: [
            { path: '.codegenie/skills/b/SKILL.md', reason: 'frontmatter_unterminated' },
            { path: '.codegenie/skills/c/SKILL.md', reason: 'schema', details: 'front matter is not a mapping' },
            { path: '.codegenie/skills/d/SKILL.md', reason: 'unsafe_yaml' },
          ],
        },
      },
      warnings: ['skills_index.per_file_errors_present', 'skills_index.unknown_keys'],
      confidence: 'medium',
    },
    {
      shows: 'a condition on an unknown field does not hold',
      files: { '.codegenie/skills/a/SKILL.md': '---\nname: a\napplies_to:\n  conditions: [{no.such.field: 1}]\n---\n' },
      gives: {
        'organizational.skills': {
          skills: [
            exampleSkill({
              id: 'a',
              conditions: [{ field: 'no.such.field', equals: 1 }],
              applies: false,
              why: 'no.such.field is not known',
              path: '.codegenie/skills/a/SKILL.md',
              body_offset: 63,
            }),
          ],
        },
      },
      confidence: 'high',
    },
    { shows: 'without any skill it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
  async run(repo, ctx) {
    const ids = repo.inputs.list();
    if (ids.length === 0) return { kind: 'skipped', reason: 'not_configured', detail: 'no SKILL.md in any tier' };
    const { gatherSkillsIndex } = await import('./gather-skills-index.ts');
    return gatherSkillsIndex(repo, ctx);
  },
});

/** A skill that restricts nothing, with an empty body, for the examples to differ from. */
function exampleSkill(differs: Partial<SkillRow>): SkillRow {
  return {
    id: '',
    description: null,
    tier: 'repo',
    applies_to_tasks: ['*'],
    applies_to_languages: ['*'],
    conditions: [],
    requires_evidence: [],
    required_tools: [],
    applies: true,
    why: null,
    path: '',
    body_offset: 0,
    body_size: 0,
    body_blake3: blake3Hex(''),
    ...differs,
  };
}

/** What conditions may ask of a section: its scalars and lists of scalars, and the same of objects inside it. */
function facts(section: Json | undefined): Json {
  if (!isJsonObject(section)) return null;
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(section)) {
    if (Array.isArray(value) ? value.every((item) => typeof item !== 'object') : !isJsonObject(value))
      kept[key] = value;
    else if (isJsonObject(value)) kept[key] = facts(value);
  }
  return kept;
}

/** Names, not counts and bytes: those change with every edit and would take this probe's cache entry with them. */
function selectLanguages(slice: Slice): Json {
  const stack = slice['language_stack'];
  if (!isJsonObject(stack)) return null;
  const { counts, bytes: _bytes, test_files: _tests, generated_or_vendored: _generated, ...rest } = stack;
  return { languages: isJsonObject(counts) ? Object.keys(counts).sort() : [], fields: facts(rest) };
}
