/**
 * The scenarios of a trace that nobody configured. They use the image's own configuration, so they mean something on an image
 * without a shell too. Their names exist here and nowhere else.
 */

export const scenarioModes = ['run_to_exit', 'until_ready', 'signal'] as const;
export type ScenarioMode = (typeof scenarioModes)[number];

/** What a scenario runs when it names no command of its own. */
export type ScenarioProgram = 'image' | 'image_with_unknown_flag' | 'smoke_test_command' | 'healthcheck';

export type DefaultScenario = {
  readonly name: string;
  readonly runs: ScenarioProgram;
  readonly mode: ScenarioMode;
  readonly expectedExitCode: number | 'any';
};

export const smokeTestName = 'smoke_test';
/** No program knows it: what it does then is its error path. */
export const errorPathFlag = '--codegenie-error-path';

export const defaultScenarios: readonly DefaultScenario[] = [
  { name: 'startup', runs: 'image', mode: 'until_ready', expectedExitCode: 0 },
  { name: smokeTestName, runs: 'smoke_test_command', mode: 'run_to_exit', expectedExitCode: 0 },
  { name: 'healthcheck', runs: 'healthcheck', mode: 'run_to_exit', expectedExitCode: 'any' },
  { name: 'shutdown', runs: 'image', mode: 'signal', expectedExitCode: 0 },
  { name: 'error_path', runs: 'image_with_unknown_flag', mode: 'until_ready', expectedExitCode: 'any' },
];

export const defaultScenarioNames: readonly string[] = defaultScenarios.map(({ name }) => name);

export function findDefaultScenario(name: string): DefaultScenario | undefined {
  return defaultScenarios.find((scenario) => scenario.name === name);
}
