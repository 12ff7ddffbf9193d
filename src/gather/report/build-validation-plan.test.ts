import { expect, test } from 'vitest';
import { buildValidationPlan } from './build-validation-plan.ts';
import { viewEnvelope } from './envelope-view.ts';

const plan = (envelope: object) =>
  buildValidationPlan(viewEnvelope(envelope, [])).map(({ step, command, source }) => `${step}: ${command ?? source}`);

test('the plan is what the commands probe holds for safe, in its order, and names what was left out', () => {
  const commands = {
    plan: [
      { role: 'lint', cmd: 'make vet', cwd: '.', source: 'Makefile' },
      { role: 'test.unit', cmd: 'uv run pytest', cwd: 'backend', source: 'backend/pyproject.toml' },
    ],
    left_out: [
      { role: 'test.e2e', cmd: './e2e.sh', cwd: '.', why: 'deploys' },
      { role: 'test.e2e', cmd: 'bash e2e.sh', cwd: '.', why: 'deploys' },
    ],
  };
  expect(plan({ commands })).toEqual([
    'Lint: make vet',
    'Unit tests: cd backend && uv run pytest',
    'Compare: codegenie gather',
    'End to end: left out: ./e2e.sh (deploys)',
  ]);
});

test('an unclassified command of CI is never proposed', () => {
  const ci = { unit_test_command: 'docker/build-push-action@v6', image_build_command: 'docker buildx build . --push' };
  expect(plan({ ci }).join('\n')).not.toContain('docker');
});

test('P2 no test command is said, not passed over', () => {
  expect(buildValidationPlan(viewEnvelope({}, []))[0]).toMatchObject({ step: 'Unit tests', command: null });
});

test('what builds and tests in one command is told as both', () => {
  const commands = { plan: [{ role: 'build', cmd: './gradlew build', cwd: '.', source: 'ci.yml' }], left_out: [] };
  const value = { cmd: './gradlew build', cwd: '.' };
  const fact = { scope: '.', state: 'known', confidence: 'high', evidence: ['ci.yml:1'], how: 'declared: x' };
  const tested = plan({ commands, facts: [{ id: 'test.unit.command', value, ...fact }] });
  expect(tested).toEqual(['Build and unit tests: ./gradlew build', 'Compare: codegenie gather']);
  expect(plan({ commands })[1]).toMatch(/^Unit tests: no test command was found/);
});
