import { expect, test } from 'vitest';
import { makeProbe, rows } from '../../../test/support/engine-probes.ts';
import type { ProbeDefinition, RepoSnapshot } from '../contract.ts';
import { filterProbe, findUnknownProbe, selectedNames } from './select-probes.ts';
import type { TaskClass } from './task-class.ts';

const probe = (name: string, more: Partial<ProbeDefinition> = {}) => makeProbe(name, async () => rows(name, []), more);

const chain = [
  probe('language_detection'),
  probe('manifest'),
  probe('graph', { requires: ['manifest'] }),
  probe('extra'),
  probe('report', { requires: ['graph', { probe: 'extra', optional: true }] }),
];

test('a selection brings what it requires and the prelude, and nothing that is optional', () => {
  expect([...selectedNames(chain, ['report'])].sort()).toEqual(['graph', 'language_detection', 'manifest', 'report']);
  expect([...selectedNames(chain, [])]).toEqual(['language_detection']);
  expect(selectedNames(chain, null).size).toBe(chain.length);
});

test('an unknown name comes with the nearest one', () => {
  expect(findUnknownProbe(['graph', 'manifst'], chain)).toEqual({ name: 'manifst', nearest: 'manifest' });
  expect(findUnknownProbe(['graph'], chain)).toBeUndefined();
});

const taskClass: TaskClass = {
  schema_version: '1',
  task_class: 'upgrade',
  required_probes: ['special'],
  optional_probes: [],
  required_skills: [],
  confidence_floor: 'low',
  derived_queries: [],
};

function reasonFor(more: Partial<ProbeDefinition>, world: Partial<Parameters<typeof filterProbe>[1]> = {}) {
  const repo = { detectedLanguages: { go: 3 }, scope: { exists: () => false } } as unknown as RepoSnapshot;
  const found = filterProbe(probe('special', more), {
    repo,
    task: { type: 'general', options: {} },
    taskClass: undefined,
    selection: { only: null, skip: [], disabled: [] },
    selected: new Set(['special']),
    languagesKnown: true,
    ...world,
  });
  return found === null ? null : [found.reason, found.selected];
}

test('the first hit decides: disabled, skipped, not selected, task, language, applies', () => {
  const never = { appliesToTasks: ['other'], appliesToLanguages: ['rust'], applies: () => false };
  const selection = { only: null, skip: ['special'], disabled: ['special'] };
  expect(reasonFor(never, { selection })).toEqual(['disabled', false]);
  expect(reasonFor(never, { selection: { ...selection, disabled: [] } })).toEqual(['not_selected', false]);
  expect(reasonFor(never, { selected: new Set() })).toEqual(['not_selected', false]);
  expect(reasonFor(never)).toEqual(['task_mismatch', true]);
  expect(reasonFor({ ...never, appliesToTasks: ['*'] })).toEqual(['language_mismatch', true]);
  expect(reasonFor({ applies: () => false })).toEqual(['not_applicable', true]);
  expect(reasonFor({ applies: () => 'not_configured' })).toEqual(['not_configured', true]);
  expect(reasonFor({})).toBeNull();
});

test('a task class that lists a probe overrides its tasks and its tier', () => {
  expect(reasonFor({ appliesToTasks: ['other'] }, { taskClass })).toBeNull();
  expect(reasonFor({ tier: 'task_specific' })).toEqual(['task_mismatch', true]);
  expect(reasonFor({ tier: 'task_specific' }, { taskClass })).toBeNull();
  expect(reasonFor({ tier: 'task_specific' }, { selection: { only: ['special'], skip: [], disabled: [] } })).toBeNull();
});

test('languages decide only once they are known, and a package.json is JavaScript enough', () => {
  expect(reasonFor({ appliesToLanguages: ['rust'] }, { languagesKnown: false })).toBeNull();
  expect(reasonFor({ appliesToLanguages: ['rust', 'go'] })).toBeNull();
  const repo = {
    detectedLanguages: {},
    scope: { exists: (path: string) => path === 'package.json' },
  } as unknown as RepoSnapshot;
  expect(reasonFor({ appliesToLanguages: ['typescript'] }, { repo })).toBeNull();
  expect(reasonFor({ appliesToLanguages: ['python'] }, { repo })).toEqual(['language_mismatch', true]);
});
