/** Which scenarios there are, and what each of them runs in an image of this configuration. Pure. */

import type { ImageConfig } from '../../../kernel/containers/types.ts';
import {
  defaultScenarioNames,
  errorPathFlag,
  findDefaultScenario,
  type ScenarioMode,
  type ScenarioProgram,
} from './default-scenarios.ts';
import { isScenarioName } from './scenario-name.ts';
import type { Scenario } from './scenarios-file.ts';
import { splitWords } from './split-words.ts';

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
      const words = splitWords(settings.smokeTestCommand ?? '');
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
