/**
 * Does a skill apply here, and why: task, languages, then each condition over what upstream probes found.
 * A field nobody has found is not a match: unknown never counts as equal.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { cutText } from './cut-text.ts';
import type { Skill, SkillCondition } from './skill-file.ts';

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
  const found = findField(fields, condition.field);
  const wanted = JSON.stringify(condition.equals);
  if (found === undefined) return { holds: false, why: `${condition.field} is not known` };
  // A list holds when one of its members is the wanted value: `language_stack.framework_hints: express`.
  const holds = Array.isArray(found) ? found.includes(condition.equals) : found === condition.equals;
  if (holds) return { holds, why: `${condition.field} = ${wanted}` };
  return { holds, why: `${condition.field} is ${JSON.stringify(found)}, not ${wanted}` };
}

function findField(fields: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = fields;
  for (const segment of path.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, segment)) return undefined;
    at = at[segment];
  }
  return at;
}

function shown(text: string): string {
  return cutText(singleLine(text), 300);
}
