import { expect, test } from 'vitest';
import { findSpawnedShells } from './gather-shell-usage.ts';
import { classifyTouchpoint } from './shell-touchpoints.ts';

const trace = (...names: readonly string[]) => ({
  scenario_results: [
    ...names.map((scenario_name) => ({ kind: 'completed', scenario_name })),
    { kind: 'skipped', scenario_name: 'smoke_test' },
  ],
});
const shellForm = [classifyTouchpoint('Dockerfile CMD', 'node server.js')];

test('shells beyond those of the image are the program’s own', () => {
  const ran = trace('startup', 'healthcheck', 'shutdown', 'error_path');
  expect(findSpawnedShells(ran, 6, shellForm)).toMatchObject([
    { where: 'runtime trace', classification: 'spawned_by_program', text: expect.stringContaining('3 of them') },
  ]);
  expect(findSpawnedShells(ran, 3, shellForm)).toEqual([]);
  expect(findSpawnedShells(ran, 1, [])).toHaveLength(1);
  const health = [classifyTouchpoint('Dockerfile HEALTHCHECK', 'curl -f localhost || exit 1')];
  expect(findSpawnedShells(ran, 1, health)).toEqual([]);
});

test('nothing is claimed where the shells of the image cannot be counted', () => {
  const npm = [classifyTouchpoint('Dockerfile CMD', 'npm start')];
  expect(findSpawnedShells(trace('startup'), 9, npm)).toEqual([]);
  expect(findSpawnedShells(trace('startup', 'mine'), 9, shellForm)).toEqual([]);
  expect(findSpawnedShells({}, 9, shellForm)).toEqual([]);
});
