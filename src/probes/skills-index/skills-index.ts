/**
 * The skills that are installed for this repository: which there are, which of them apply here, and why.
 * Promise: what the user or the organisation installed is never replaced by the repository, and no body is ever loaded.
 */

import { defineProbe, namedOnly, type ProbeContext, type ProbeRepo, type Slice } from '../../gather/contract.ts';
import { versionPairFreshness } from '../../gather/freshness/index-checks.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt } from '../../kernel/base/json-access.ts';
import { z } from '../../kernel/base/schema.ts';
import { catalogVersion, confidenceOf, perFileErrorSchema } from '../shared/authored-files.ts';
import { jsonBytes } from '../shared/probe-reading.ts';

const tier = z.enum(['user', 'org', 'repo']);
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

const section = z.strictObject({
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
const configKeys = ['skills.user_path', 'skills.org_path', 'skills.repo_path'] as const;
type Context = ProbeContext<(typeof configKeys)[number]>;

export default defineProbe({
  name: 'skills_index',
  version: '0.1.0',
  layer: 'D',
  says: 'Installed skills by tier, which of them apply to this repository and task, and which are shadowed.',
  heaviness: 'light',
  sections: { 'organizational.skills': section },
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
  configKeys,
  taskSensitive: true,
  timeoutSeconds: 10,
  artifacts: ['skills-index.json'],
  warningIds: ['skills_index.shadowed', 'skills_index.per_file_errors_present', 'skills_index.unknown_keys'],
  confidenceRule: 'high when every SKILL.md loads, medium when some do not, low when none does',
  index: {
    name: 'skills',
    check: versionPairFreshness({ index: 'skills', versionKey: 'catalog_version' }),
    expected: async (repo) => ({ expected_catalog_version: currentVersion(repo) }),
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
      shows: 'a condition on a field that nobody found does not hold',
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
    const { loadSkills } = await import('./gather-skills-index.ts');
    const { skills, shadowed, failures, unknownKeys, tierCounts } = await loadSkills(repo, ctx, factsOf(ctx));
    for (const entry of shadowed) ctx.logger.event('skill_shadowed', entry);
    for (const entry of failures) ctx.logger.event('skill_load_failed', { path: entry.path, reason: entry.reason });
    const catalog = {
      skills,
      tier_counts: tierCounts,
      shadowed_skills: shadowed,
      catalog_version: currentVersion(repo),
      per_file_errors: failures,
    };
    return {
      kind: 'ran',
      slice: { 'organizational.skills': { ...catalog, outcome: { kind: 'ran' }, scanned_at: ctx.startedAt } },
      // Without `scanned_at`: equal files give equal artifact bytes.
      rawArtifacts: [
        {
          name: 'skills-index.json',
          kind: 'json',
          from: jsonBytes(catalog),
        },
      ],
      confidence: confidenceOf(skills.length, failures.length),
      warnings: [
        ...(shadowed.length > 0 ? ['skills_index.shadowed'] : []),
        ...(failures.length > 0 ? ['skills_index.per_file_errors_present'] : []),
        ...(unknownKeys.length > 0 ? ['skills_index.unknown_keys'] : []),
      ],
      diagnostics: unknownKeys.map(({ path, keys }) => ({
        id: 'skills_index.unknown_keys',
        path,
        detail: keys.join(', '),
      })),
    };
  },
});

/** A skill that restricts nothing, with an empty body, for the examples to differ from. */
function exampleSkill(differs: Partial<z.output<typeof skill>>): z.output<typeof skill> {
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

function currentVersion(repo: ProbeRepo): string {
  return catalogVersion(CATALOG_FORMAT, repo, repo.inputs.list());
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

function factsOf(ctx: Context) {
  const languages = ctx.upstream['language_detection']?.value ?? null;
  const stack = isJsonObject(languages) && isJsonObject(languages['fields']) ? languages['fields'] : null;
  const build = ctx.upstream['node_build_system']?.value ?? null;
  const manifests = ctx.upstream['node_manifest']?.value ?? null;
  const fields: Record<string, Json> = {};
  if (stack !== null) {
    fields['language_stack'] = stack;
    fields['monorepo'] = isJsonObject(stack['monorepo']);
  }
  if (build !== null) fields['build_system'] = build;
  if (isJsonObject(manifests)) {
    fields['manifests'] = manifests;
    fields['native_modules_present'] = nativeModulesPresent(manifests);
  }
  const names = isJsonObject(languages) && Array.isArray(languages['languages']) ? languages['languages'] : [];
  return { task: ctx.task.type, languages: names.filter((name) => typeof name === 'string'), fields };
}

function nativeModulesPresent(manifests: JsonObject): boolean {
  const primary = manifests['primary'];
  const native = isJsonObject(primary) ? primary['native_modules'] : undefined;
  return isJsonObject(native) && native['detected'] === true;
}
