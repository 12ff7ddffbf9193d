import { describe, expect, test } from 'vitest';
import type { ImageConfig } from '../../kernel/containers/engine.ts';
import { judgeCoverage } from './build-trace-output.ts';
import { defaultScenarioNames, defaultScenarios } from './runtime-trace-section.ts';
import { commandWords, listScenarios, parseScenarios, planScenario } from './scenarios.ts';

const parse = (text: string) => parseScenarios(new TextEncoder().encode(text));

describe('the scenarios file', () => {
  test('everything a scenario may say', () => {
    const outcome = parse(
      [
        'scenarios:',
        '  - name: migrate_db',
        '    command: [node, migrate.js]',
        '    entrypoint: [/usr/bin/env]',
        '    expected_exit_code: any',
        '    mode: signal',
        '    signal: SIGINT',
        '    ready_after_s: 3',
        '    env: [{name: MODE, value: "x y"}]',
        '  - name: startup',
      ].join('\n'),
    );
    expect(outcome).toMatchObject({ kind: 'scenarios', scenarios: [{ name: 'migrate_db' }, { name: 'startup' }] });
  });

  test.each([
    ['no YAML', 'scenarios: [', /./],
    ['no mapping', '- name: a', /no mapping/],
    ['an unknown key at the top', 'scenarios: [{name: a}]\nmore: 1', /Unrecognized key/],
    ['an unknown key of a scenario', 'scenarios: [{name: a, network: host}]', /Unrecognized key/],
    ['none', 'scenarios: []', /scenarios/],
    ['too many', `scenarios: [${Array.from({ length: 33 }, (_, at) => `{name: a${at}}`).join(', ')}]`, /scenarios/],
    ['the same name twice', 'scenarios: [{name: a}, {name: a}]', /twice/],
    ['a name that is no name', 'scenarios: [{name: ../a}]', /not a name/],
    ['a name shaped like a secret', 'scenarios: [{name: rotate_api_key}]', /shaped like a secret/],
    ['a NUL', 'scenarios: [{name: a, command: ["a\\0b"]}]', /NUL/],
    ['an empty entrypoint', 'scenarios: [{name: a, entrypoint: []}]', /entrypoint/],
    ['a signal with words in it', 'scenarios: [{name: a, signal: "TERM --all"}]', /signal/],
    ['a code no program has', 'scenarios: [{name: a, expected_exit_code: 256}]', /expected_exit_code/],
    ['an alias bomb', `a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nscenarios: [*b,*b]`, /./],
    ['too many bytes', `#${'x'.repeat(1024 * 1024)}\nscenarios: [{name: a}]`, /size_cap_exceeded/],
  ])('%s is malformed as a whole', (_what, text, detail) => {
    expect(parse(text)).toEqual({ kind: 'malformed', detail: expect.stringMatching(detail) });
  });
});

const image: ImageConfig = {
  entrypoint: ['/entry'],
  cmd: ['serve', '--all'],
  env_names: [],
  user: null,
  workdir: null,
  exposed_ports: [],
  healthcheck: null,
  stop_signal: null,
};
const settings = { smokeTestCommand: null, readyAfterS: 10 };

describe('what a scenario runs', () => {
  test('the five defaults on an image with everything', () => {
    const whole = { ...image, healthcheck: ['CMD', '/check', '-q'], stop_signal: 'SIGQUIT' };
    const planned = listScenarios(null, defaultScenarioNames).map((one) =>
      planScenario(one, whole, { smokeTestCommand: 'node smoke.js', readyAfterS: 10 }),
    );
    expect(planned).toMatchObject([
      { name: 'startup', entrypoint: null, command: [], mode: 'until_ready', expectedExitCode: 0 },
      { name: 'smoke_test', entrypoint: ['node', 'smoke.js'], command: [], mode: 'run_to_exit', expectedExitCode: 0 },
      { name: 'healthcheck', entrypoint: ['/check', '-q'], command: [], mode: 'run_to_exit', expectedExitCode: 'any' },
      { name: 'shutdown', entrypoint: null, command: [], mode: 'signal', signal: 'SIGQUIT' },
      {
        name: 'error_path',
        entrypoint: null,
        command: ['serve', '--all', '--codegenie-error-path'],
        mode: 'until_ready',
        expectedExitCode: 'any',
      },
    ]);
  });

  test.each([[null], [['NONE']], [[]], [['CMD']]])(
    'without a health check (%j) there is nothing to run',
    (healthcheck) => {
      expect(planScenario({ name: 'healthcheck' }, { ...image, healthcheck }, settings)).toBeNull();
    },
  );

  test('a health check in shell form is run by a shell', () => {
    const planned = planScenario({ name: 'healthcheck' }, { ...image, healthcheck: ['CMD-SHELL', 'a || b'] }, settings);
    expect(planned?.entrypoint).toEqual(['/bin/sh', '-c', 'a || b']);
  });

  test('a file replaces the list, and its default names keep their mode', () => {
    const written = [
      { name: 'shutdown', command: ['x'] },
      { name: 'extra', command: ['y'] },
    ];
    const planned = listScenarios(written, defaultScenarioNames).map((one) => planScenario(one, image, settings));
    expect(planned).toMatchObject([
      { name: 'shutdown', command: ['x'], mode: 'signal', signal: 'SIGTERM' },
      { name: 'extra', command: ['y'], mode: 'run_to_exit', expectedExitCode: 0 },
    ]);
  });

  test('an undefined configured name has nothing to run', () => {
    expect(listScenarios(null, ['startup', 'no name', 'mine'])).toEqual([{ name: 'startup' }, { name: 'mine' }]);
    expect(planScenario({ name: 'mine' }, image, settings)).toBeNull();
  });

  test.each([
    ['node  smoke.js', ['node', 'smoke.js']],
    [String.raw`a 'b c' "d \"e" f\ g ''`, ['a', 'b c', 'd "e', 'f g', '']],
    ['["sh", "-c", "x y"]', ['sh', '-c', 'x y']],
    ['[ -f x ]', ['[', '-f', 'x', ']']],
    ['  ', []],
  ])('words of %s', (text, words) => expect(commandWords(text)).toEqual(words));
});

describe('coverage', () => {
  const names = defaultScenarios.map(({ name }) => name);
  test.each([
    [names, 0, false, 'high', 'high'],
    [[...names, 'more'], 0, false, 'high', 'high'],
    [[...names, 'more'], 1, false, 'medium', 'medium'],
    [names, 0, true, 'medium', 'medium'],
    [names.slice(0, 4), 1, false, 'medium', 'medium'],
    [names.slice(0, 2), 3, false, 'medium', 'medium'],
    [['smoke_test'], 4, false, 'medium', 'medium'],
    [['startup'], 0, false, 'low', 'low'],
    [[], 5, false, 'unavailable', 'low'],
  ])('%j completed, %i failed, tamperable: %s → %s', (completed, failed, isTamperable, coverage, confidence) => {
    expect(judgeCoverage({ completed, failed, isTamperable })).toEqual({ coverage, confidence });
  });
});
