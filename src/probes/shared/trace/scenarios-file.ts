/** `.codegenie/scenarios.yaml`: the scenarios somebody wrote, or why they cannot be used. Never a part of them. */

import { isJsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { z } from '../../../kernel/base/schema.ts';
import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { parseYaml } from '../../../kernel/parse/yaml.ts';
import { scenarioModes } from './default-scenarios.ts';
import { isScenarioName } from './scenario-name.ts';

export const scenariosFile = '.codegenie/scenarios.yaml';
const mostScenarios = 32;
const detailChars = 200;

const argument = z.string().max(4096).refine(hasNoNul, 'holds a NUL');
const argv = z.array(argument).min(1).max(256);
const scenario = z.strictObject({
  name: z
    .string()
    .refine(isScenarioName, 'not a name: lower case, digits and _, at most 64, and not shaped like a secret'),
  command: z.array(argument).max(256).optional(),
  entrypoint: argv.optional(),
  expected_exit_code: z.union([z.int().min(0).max(255), z.literal('any')]).optional(),
  mode: z.enum(scenarioModes).optional(),
  signal: z
    .string()
    .regex(/^(?:SIG)?[A-Z][A-Z0-9+]{1,11}$/)
    .optional(),
  ready_after_s: z.number().positive().max(3600).optional(),
  env: z
    .array(z.strictObject({ name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,255}$/), value: argument }))
    .max(64)
    .optional(),
});
const file = z.strictObject({ scenarios: z.array(scenario).min(1).max(mostScenarios) });

export type Scenario = z.output<typeof scenario>;
export type ScenariosOutcome =
  | { readonly kind: 'scenarios'; readonly scenarios: readonly Scenario[] }
  | { readonly kind: 'malformed'; readonly detail: string };

export function parseScenarios(bytes: Uint8Array): ScenariosOutcome {
  const yaml = parseYaml(bytes, { maxBytes: limits.yamlCatalogBytes, maxDepth: limits.parseDepthSmall });
  if (!yaml.ok) return malformedScenarios(yaml.failure.kind === 'malformed' ? yaml.failure.detail : yaml.failure.kind);
  if (!isJsonObject(yaml.value)) return malformedScenarios('no mapping with the key scenarios');
  const outcome = file.safeParse(yaml.value);
  if (!outcome.success) {
    const issue = outcome.error.issues[0];
    return malformedScenarios(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const names = outcome.data.scenarios.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return malformedScenarios(`the name ${twice} is there twice`);
  return { kind: 'scenarios', scenarios: outcome.data.scenarios };
}

export function malformedScenarios(detail: string): ScenariosOutcome {
  return { kind: 'malformed', detail: truncate(singleLine(detail), detailChars) };
}

function hasNoNul(text: string): boolean {
  return !text.includes('\0');
}
