import { expect, test } from 'vitest';
import { buildValidationPlan } from './build-validation-plan.ts';
import { viewEnvelope } from './envelope-view.ts';

const plan = (envelope: object) =>
  buildValidationPlan(viewEnvelope(envelope, [])).map(({ step, command }) => `${step}: ${command}`);

test('commands come from scripts, then CI, then the framework', () => {
  const build_system = {
    package_manager: 'yarn-berry',
    lockfile: 'yarn.lock',
    commands: [{ name: 'test' }, { name: 'build' }],
  };
  expect(plan({ build_system })).toEqual([
    'Install: yarn install --immutable',
    'Build: yarn run build',
    'Unit tests: yarn run test',
    'Compare: codegenie gather',
  ]);
  expect(plan({ ci: { unit_test_command: 'make test' } })[0]).toBe('Unit tests: make test');
  expect(plan({ test_inventory: { framework: 'go_test' } })[0]).toBe('Unit tests: go test ./...');
});

test('P2 no test command is said, not passed over', () => {
  expect(buildValidationPlan(viewEnvelope({}, []))[0]).toMatchObject({ step: 'Unit tests', command: null });
});

test('G28 a script or manager name from the repository never enters a command of ours', () => {
  const name = 'build; rm -rf ~';
  expect(
    plan({ build_system: { package_manager: name, lockfile: 'x', commands: [{ name }] } }).join('\n'),
  ).not.toContain('rm -rf');
  expect(
    plan({ build_system: { package_manager: 'constructor', lockfile: 'x', commands: [{ name: 'build' }] } }),
  ).toHaveLength(2);
});
