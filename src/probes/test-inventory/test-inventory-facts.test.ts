import { expect, test } from 'vitest';
import type { Component } from '../../gather/facts/fact.ts';
import { testFacts } from './test-inventory-facts.ts';

function component(dir: string, manifests: readonly string[], kind: Component['kind'] = 'package'): Component {
  return { dir, name: null, kind, language: null, manifests };
}

test('what runs the tests is said of the repository, and of parts of it that have a manifest', () => {
  const section = {
    framework_evidence: [{ framework: 'vitest', path: 'web/inner/vitest.config.ts', shows: null }],
    directories: [
      { path: 'web/inner', files: 1, inline: 0, sample: 'web/inner/a.test.ts', cases: { value: 1, relation: 'eq' } },
    ],
  };
  const components = [
    component('.', ['package.json']),
    component('web', ['web/package.json']),
    component('web/inner', []),
    component('tools', ['tools/package.json']),
  ];
  const rule = testFacts.find(({ id }) => id === 'test.framework');
  const stated = rule?.state({ test_inventory: section }, { components }) ?? [];
  expect(stated.map(({ scope, value }) => [scope, value])).toEqual([
    ['.', ['vitest']],
    ['web', ['vitest']],
  ]);
});

test('how many cases: all of them, at least so many, or not known; never none where they stand elsewhere', () => {
  const rule = testFacts.find(({ id }) => id === 'test.cases');
  const stated = (...counts: readonly (readonly [files: number, value: number, relation: 'eq' | 'gte'])[]) => {
    const directories = counts.map(([files, value, relation], at) => ({
      ...{ path: `d${at}`, files, inline: 0, sample: `d${at}/a.test.ts`, cases: { value, relation } },
    }));
    const [whole] = rule?.state({ test_inventory: { directories } }, { components: [] }) ?? [];
    return whole && [whole.state, whole.value, whole.because];
  };
  expect(stated([2, 5, 'eq'], [1, 0, 'eq'])).toEqual(['known', 5, 'counted']);
  expect(stated([2, 5, 'eq'], [1, 3, 'gte'])).toEqual(['known', 8, 'incomplete']);
  expect(stated([2, 5, 'eq'], [1, 0, 'gte'])).toEqual(['known', 5, 'incomplete']);
  expect(stated([2, 5, 'eq'], [3, 0, 'gte'])).toEqual(['unknown', null, 'incomplete']);
  expect(stated([3, 0, 'eq'], [1, 0, 'gte'])).toEqual(['unknown', null, 'incomplete']);
});
