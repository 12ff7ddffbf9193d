import type { ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine } from '../../kernel/base/text.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import {
  belowConfigured,
  confidenceOf,
  type PerFileError,
  shownPath,
  sortPerFileErrors,
} from '../shared/authored-files.ts';
import { cutText, jsonBytes } from '../shared/probe-reading.ts';
import { parseSkill, type Skill, type SkillCondition, type SkillOutcome, skillHeadBytes } from './skill-file.ts';
import { type SkillsContext, type SkillTier, skillsVersion, skillTiers } from './skills-index-section.ts';

export async function gatherSkillsIndex(repo: ProbeRepo, ctx: SkillsContext): Promise<ProbeOutput> {
  const { skills, shadowed, failures, unknownKeys, tierCounts } = await loadSkills(repo, ctx, factsOf(ctx));
  for (const entry of shadowed) ctx.logger.event('skill_shadowed', entry);
  for (const entry of failures) ctx.logger.event('skill_load_failed', { path: entry.path, reason: entry.reason });
  const catalog = {
    skills,
    tier_counts: tierCounts,
    shadowed_skills: shadowed,
    catalog_version: skillsVersion(repo),
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
}

function factsOf(ctx: SkillsContext) {
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

type Loaded = Extract<SkillOutcome, { kind: 'loaded' }> & {
  readonly tier: SkillTier;
  readonly path: string;
  readonly bodySize: number;
  readonly bodyBlake3: string | null;
};
type Failed = { readonly kind: 'unusable'; readonly error: PerFileError };

async function loadSkills(repo: ProbeRepo, ctx: SkillsContext, facts: SkillFacts) {
  const loaded: Loaded[] = [];
  const failures: PerFileError[] = [];
  for (const tier of skillTiers) {
    for (const id of repo.inputs.list()) {
      if (tierOf(repo, ctx, id) !== tier) continue;
      const outcome = await loadSkill(repo, id, tier);
      if (outcome?.kind === 'loaded') loaded.push(outcome);
      else if (outcome !== undefined) failures.push(outcome.error);
    }
  }
  const winners = new Map<string, Loaded>();
  const shadowed = [];
  for (const entry of loaded) {
    const winner = winners.get(entry.skill.id);
    if (winner === undefined) winners.set(entry.skill.id, entry);
    else {
      shadowed.push({
        skill_id: entry.skill.id,
        shadowed_tier: entry.tier,
        winning_tier: winner.tier,
        shadowed_path: entry.path,
        winning_path: winner.path,
      });
    }
  }
  const count = (tier: SkillTier) => loaded.filter((entry) => entry.tier === tier).length;
  return {
    skills: [...winners.values()]
      .sort((a, b) => compareCodeUnits(a.skill.id, b.skill.id))
      .map((entry) => renderSkill(entry, facts)),
    shadowed: shadowed.sort(
      (a, b) => compareCodeUnits(a.skill_id, b.skill_id) || compareCodeUnits(a.shadowed_path, b.shadowed_path),
    ),
    tierCounts: { user: count('user'), org: count('org'), repo: count('repo') },
    failures: sortPerFileErrors(failures),
    unknownKeys: loaded
      .filter((entry) => entry.unknownKeys.length > 0)
      .map((entry) => ({ path: entry.path, keys: entry.unknownKeys })),
  };
}

/** The first tier whose directory holds the file, so that nested directories give it to one tier only. */
function tierOf(repo: ProbeRepo, ctx: SkillsContext, id: string): SkillTier | undefined {
  return skillTiers.find((tier) => {
    const key = `skills.${tier}_path` as const;
    return belowConfigured(repo.root, id, { key, position: 0, path: ctx.config[key] });
  });
}

/** Undefined for a file that vanished since the snapshot. */
async function loadSkill(repo: ProbeRepo, id: string, tier: SkillTier): Promise<Loaded | Failed | undefined> {
  const path = shownPath(repo, id);
  const head = await repo.inputs.readHead(id, skillHeadBytes);
  if (head.kind === 'absent') return undefined;
  if (head.kind === 'failed') return { kind: 'unusable', error: { path, ...readFailure(head.failure) } };
  const outcome = parseSkill(head.bytes);
  if (outcome.kind === 'failed') return { kind: 'unusable', error: { path, ...outcome.failure } };
  return {
    ...outcome,
    tier,
    path,
    bodySize: head.size - outcome.bodyOffset,
    bodyBlake3: await hashBody(repo, id, head, outcome.bodyOffset),
  };
}

async function hashBody(
  repo: ProbeRepo,
  id: string,
  head: { readonly bytes: Uint8Array; readonly truncated: boolean },
  offset: number,
): Promise<string | null> {
  if (!head.truncated) return blake3Hex(head.bytes.subarray(offset));
  const whole = await repo.inputs.read(id, limits.inputHashBytes);
  return whole.kind === 'read' ? blake3Hex(whole.bytes.subarray(offset)) : null;
}

function readFailure(failure: ParseFailure): Pick<PerFileError, 'reason' | 'errno_name'> {
  if (failure.kind === 'symlink_refused') return { reason: 'symlink_refused' };
  return { reason: 'io_failure', errno_name: failure.kind === 'io' ? failure.errno : 'EINVAL' };
}

function renderSkill(entry: Loaded, facts: SkillFacts) {
  const { skill } = entry;
  return {
    id: skill.id,
    description: skill.description,
    tier: entry.tier,
    applies_to_tasks: skill.appliesToTasks,
    applies_to_languages: skill.appliesToLanguages,
    conditions: skill.conditions,
    requires_evidence: skill.requiresEvidence,
    required_tools: skill.requiredTools,
    ...judgeSkill(skill, facts),
    path: entry.path,
    body_offset: entry.bodyOffset,
    body_size: entry.bodySize,
    body_blake3: entry.bodyBlake3,
  };
}

// Does a skill apply here, and why: task, languages, then each condition over what upstream probes found.
// A field that no probe found is not a match: unknown never counts as equal.

export type SkillFacts = {
  readonly task: string;
  readonly languages: readonly string[];
  /** Sections by name, plus the derived flags. */
  readonly fields: JsonObject;
};

/** `why` is null only for a skill that restricts nothing. */
export function judgeSkill(
  skill: Skill,
  facts: SkillFacts,
): { readonly applies: boolean; readonly why: string | null } {
  const reasons: string[] = [];
  if (!skill.appliesToTasks.includes('*')) {
    if (!skill.appliesToTasks.includes(facts.task)) {
      return { applies: false, why: shown(`task ${facts.task} is not one of ${skill.appliesToTasks.join(', ')}`) };
    }
    reasons.push(`task ${facts.task}`);
  }
  if (!skill.appliesToLanguages.includes('*')) {
    const found = skill.appliesToLanguages.filter((language) => facts.languages.includes(language));
    if (found.length === 0) {
      return { applies: false, why: shown(`no file in ${skill.appliesToLanguages.join(', ')}`) };
    }
    reasons.push(`language ${found.join(', ')}`);
  }
  for (const condition of skill.conditions) {
    const judged = judgeCondition(condition, facts.fields);
    if (!judged.holds) return { applies: false, why: shown(judged.why) };
    reasons.push(judged.why);
  }
  return { applies: true, why: reasons.length === 0 ? null : shown(reasons.join('; ')) };
}

function judgeCondition(
  condition: SkillCondition,
  fields: JsonObject,
): { readonly holds: boolean; readonly why: string } {
  const found = member(fields, ...condition.field.split('.'));
  const wanted = JSON.stringify(condition.equals);
  if (found === undefined) return { holds: false, why: `${condition.field} is not known` };
  // A list holds when one of its members is the wanted value: `language_stack.framework_hints: express`.
  const holds = Array.isArray(found) ? found.includes(condition.equals) : found === condition.equals;
  if (holds) return { holds, why: `${condition.field} = ${wanted}` };
  return { holds, why: `${condition.field} is ${JSON.stringify(found)}, not ${wanted}` };
}

function shown(text: string): string {
  return cutText(singleLine(text), 300);
}
