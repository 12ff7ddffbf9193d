/**
 * One SKILL.md: its front matter in either of the two accepted forms (gather.md §14), as one shape.
 * The body holds instructions and is never loaded: only where it begins is told. Whatever the file holds, the answer is a value.
 */

import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { splitFrontmatterBytes } from '../shared/markdown.ts';
import { cutText } from '../shared/probe-reading.ts';

export type SkillCondition = { readonly field: string; readonly equals: string | number | boolean | null };

export type Skill = {
  readonly id: string;
  readonly description: string | null;
  readonly appliesToTasks: readonly string[];
  readonly appliesToLanguages: readonly string[];
  readonly conditions: readonly SkillCondition[];
  readonly requiresEvidence: readonly string[];
  readonly requiredTools: readonly string[];
};

type SkillFailure =
  | { readonly reason: 'unsafe_yaml' | 'frontmatter_unterminated' }
  | { readonly reason: 'schema'; readonly details: string };

export type SkillOutcome =
  | {
      readonly kind: 'loaded';
      readonly skill: Skill;
      readonly bodyOffset: number;
      readonly unknownKeys: readonly string[];
    }
  | { readonly kind: 'failed'; readonly failure: SkillFailure };

/** The fences may need a few bytes on top of the capped YAML between them. */
export const skillHeadBytes = limits.yamlSmallBytes + 16;

const DESCRIPTION_CHARS_MAX = 1024;
const word = z.string().min(1).max(200);
const words = z.array(word).max(500);
const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);
const conditions = z.array(z.record(z.string().regex(/^[A-Za-z_][\w.-]{0,199}$/), scalar)).max(100);

const shared = {
  description: z.string().optional(),
  requires_evidence: words.optional(),
  required_tools: words.optional(),
};
const appliesTo = z.looseObject({
  task_types: words.optional(),
  languages: words.optional(),
  conditions: conditions.optional(),
});
const byId = z.looseObject({
  id: word,
  applies_to_tasks: words.optional(),
  applies_to_languages: words.optional(),
  ...shared,
});
const byName = z.looseObject({ name: word, applies_to: appliesTo.optional(), ...shared });

/** `head` is the beginning of the file, at least as far as the front matter goes. */
export function parseSkill(head: Uint8Array): SkillOutcome {
  const split = splitFrontmatterBytes(head);
  if (split.kind === 'unterminated') return failed({ reason: 'frontmatter_unterminated' });
  if (split.kind === 'not_utf8') return failed({ reason: 'unsafe_yaml' });
  if (split.kind === 'none') return failed({ reason: 'schema', details: 'no front matter' });
  const yaml = parseYaml(split.yaml, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  // Tags have no effect, but a file that asks for one wants more than data.
  const wantsTag = yaml.ok && yaml.notes.some((note) => note.id === 'unknown_tag');
  if (!yaml.ok || wantsTag) return failed({ reason: 'unsafe_yaml' });
  if (!isJsonObject(yaml.value)) return failed({ reason: 'schema', details: 'front matter is not a mapping' });
  const loaded = 'id' in yaml.value ? readById(yaml.value) : readByName(yaml.value);
  return loaded.kind === 'loaded' ? { ...loaded, bodyOffset: split.bodyOffset } : loaded;
}

type Read =
  | { readonly kind: 'loaded'; readonly skill: Skill; readonly unknownKeys: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: SkillFailure };

function readById(front: JsonObject): Read {
  const outcome = byId.safeParse(front);
  if (!outcome.success) return failed({ reason: 'schema', details: detailsOf(outcome.error) });
  const { id, applies_to_tasks, applies_to_languages } = outcome.data;
  return {
    kind: 'loaded',
    unknownKeys: keysBeyond(front, byId.shape),
    skill: makeSkill(id, outcome.data, { tasks: applies_to_tasks, languages: applies_to_languages, conditions: [] }),
  };
}

function readByName(front: JsonObject): Read {
  const outcome = byName.safeParse(front);
  if (!outcome.success) return failed({ reason: 'schema', details: detailsOf(outcome.error) });
  const { name, applies_to: scope } = outcome.data;
  return {
    kind: 'loaded',
    unknownKeys: [
      ...keysBeyond(front, byName.shape),
      ...keysBeyond(scope ?? {}, appliesTo.shape).map((key) => `applies_to.${key}`),
    ],
    skill: makeSkill(name, outcome.data, {
      tasks: scope?.task_types,
      languages: scope?.languages,
      conditions: (scope?.conditions ?? []).flatMap((condition) =>
        Object.entries(condition).map(([field, equals]) => ({ field, equals })),
      ),
    }),
  };
}

/** A list that is not given restricts nothing: the published SKILL.md format has only a name and a description. */
function makeSkill(
  id: string,
  front: {
    readonly description?: string | undefined;
    readonly requires_evidence?: string[] | undefined;
    readonly required_tools?: string[] | undefined;
  },
  scope: {
    readonly tasks: string[] | undefined;
    readonly languages: string[] | undefined;
    readonly conditions: readonly SkillCondition[];
  },
): Skill {
  return {
    id: singleLine(id),
    description:
      front.description === undefined ? null : cutText(singleLine(front.description).trim(), DESCRIPTION_CHARS_MAX),
    appliesToTasks: (scope.tasks ?? ['*']).map(singleLine),
    appliesToLanguages: (scope.languages ?? ['*']).map(singleLine),
    conditions: scope.conditions,
    requiresEvidence: (front.requires_evidence ?? []).map(singleLine),
    requiredTools: (front.required_tools ?? []).map(singleLine),
  };
}

function keysBeyond(value: object, known: object): string[] {
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => cutText(singleLine(key), 100));
}

function detailsOf(error: z.ZodError): string {
  const first = error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'front matter'}: ${issue.message}`);
  return cutText(singleLine(first.join('; ')), 300);
}

function failed(failure: SkillFailure): { readonly kind: 'failed'; readonly failure: SkillFailure } {
  return { kind: 'failed', failure };
}
