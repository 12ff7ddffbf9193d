/**
 * The scenarios of a trace: those of `.codegenie/scenarios.yaml`, else the configured or default ones, and what each of them runs in an
 * image of this configuration. A file that cannot be used is malformed as a whole: no part of it is taken. Pure.
 */

import { findSecretKey } from '../../gather/run/validate-output.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { ImageConfig } from '../../kernel/containers/engine.ts';
import { readJsonForm } from '../../kernel/formats/dockerfile-instructions.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import {
  defaultScenarioNames,
  errorPathFlag,
  findDefaultScenario,
  type ScenarioMode,
  type ScenarioProgram,
  scenarioModes,
} from './runtime-trace-section.ts';

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
type ScenariosOutcome =
  | { readonly kind: 'scenarios'; readonly scenarios: readonly Scenario[] }
  | { readonly kind: 'malformed'; readonly detail: string };

export type PlannedScenario = {
  readonly name: string;
  /** Null keeps the image's own. */
  readonly entrypoint: readonly string[] | null;
  /** Empty keeps the image's own, where the entrypoint is the image's own too. */
  readonly command: readonly string[];
  readonly environment: readonly { readonly name: string; readonly value: string }[];
  readonly mode: ScenarioMode;
  readonly expectedExitCode: number | 'any';
  readonly signal: string;
  readonly readyAfterS: number;
};

export type ScenarioSettings = {
  readonly smokeTestCommand: string | null;
  readonly readyAfterS: number;
};

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

/** A file replaces the list; without one the configured names are taken. */
export function listScenarios(written: readonly Scenario[] | null, configured: readonly string[]): readonly Scenario[] {
  if (written !== null) return written;
  return [...new Set(configured.length === 0 ? defaultScenarioNames : configured)]
    .filter(isScenarioName)
    .map((name) => ({ name }));
}

/** Null: there is nothing that it could run here. */
export function planScenario(
  scenario: Scenario,
  image: ImageConfig,
  settings: ScenarioSettings,
): PlannedScenario | null {
  const usual = findDefaultScenario(scenario.name);
  const hasOwn = scenario.command !== undefined || scenario.entrypoint !== undefined;
  const program = hasOwn
    ? { entrypoint: scenario.entrypoint ?? null, command: scenario.command ?? [] }
    : usual === undefined
      ? null
      : programOf(usual.runs, image, settings);
  if (program === null) return null;
  return {
    name: scenario.name,
    ...program,
    environment: scenario.env ?? [],
    mode: scenario.mode ?? usual?.mode ?? 'run_to_exit',
    expectedExitCode: scenario.expected_exit_code ?? usual?.expectedExitCode ?? 0,
    signal: scenario.signal ?? image.stop_signal ?? 'SIGTERM',
    readyAfterS: scenario.ready_after_s ?? settings.readyAfterS,
  };
}

type Program = Pick<PlannedScenario, 'entrypoint' | 'command'>;

function programOf(runs: ScenarioProgram, image: ImageConfig, settings: ScenarioSettings): Program | null {
  switch (runs) {
    case 'image':
      return { entrypoint: null, command: [] };
    case 'image_with_unknown_flag':
      return { entrypoint: null, command: [...image.cmd, errorPathFlag] };
    case 'smoke_test_command': {
      const words = commandWords(settings.smokeTestCommand ?? '');
      return words.length === 0 ? null : { entrypoint: words, command: [] };
    }
    case 'healthcheck':
      return healthcheckOf(image.healthcheck);
  }
}

/** As the engine would run it: `CMD` plainly, `CMD-SHELL` by the image's shell. */
function healthcheckOf(healthcheck: readonly string[] | null): Program | null {
  const [kind, ...words] = healthcheck ?? [];
  if (kind === 'CMD' && words.length > 0) return { entrypoint: words, command: [] };
  if (kind === 'CMD-SHELL' && words[0] !== undefined) {
    return { entrypoint: ['/bin/sh', '-c', words.join(' ')], command: [] };
  }
  return null;
}

/** A JSON list, or words with quotes and backslashes as a shell has them. */
export function commandWords(text: string): readonly string[] {
  const form = readJsonForm(text.trimStart());
  return form.kind === 'array' ? form.words : plainWords(text);
}

/** Names are keys of the slice and parts of file names: a closed alphabet, and nothing that is refused as a key. */
function isScenarioName(name: string): boolean {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name) || findSecretKey({ [name]: null }) !== undefined) return false;
  return redactString(name, { entropy: true }).findings.length === 0;
}

function hasNoNul(text: string): boolean {
  return !text.includes('\0');
}
