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
