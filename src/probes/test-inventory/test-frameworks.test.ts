import { expect, test } from 'vitest';
import { isNamedTestFile, mayHoldCases, type TestFamily } from '../shared/count-test-cases.ts';
import { istanbulTotals } from './coverage-totals.ts';
import { decideFramework, evidenceOfConfigFile, evidenceOfScript, type FrameworkEvidence } from './test-frameworks.ts';
import { testFacts } from './test-inventory-facts.ts';

const decide = (evidence: readonly FrameworkEvidence[], files: Partial<Record<TestFamily, number>> = {}) =>
  decideFramework(evidence, new Map(Object.entries(files) as [TestFamily, number][]));

const say = (
  framework: FrameworkEvidence['framework'],
  strength: FrameworkEvidence['strength'],
): FrameworkEvidence => ({
  framework,
  strength,
  path: 'x',
  shows: null,
});

test('the strongest evidence decides: config, dependency, import, script', () => {
  const config = say('vitest', 'config');
  const dependency = say('jest', 'dependency');
  const imported = say('node_test', 'import');
  const script = say('mocha', 'script');
  expect(decide([script, imported, dependency, config]).framework).toBe('vitest');
  expect(decide([script, imported, dependency]).framework).toBe('jest');
  expect(decide([script, imported]).framework).toBe('node_test');
  expect(decide([script])).toEqual({ framework: 'mocha', frameworks: ['mocha'], ambiguous: false });
  expect(decide([script, dependency]).frameworks).toEqual(['jest']);
  expect(decide([])).toEqual({ framework: null, frameworks: [], ambiguous: false });
});

test('node:test counts only when it is imported', () => {
  expect(decide([say('node_test', 'script')]).framework).toBe(null);
});

test('equal evidence within a family is ambiguous, across families it is not', () => {
  const jest = say('jest', 'config');
  const vitest = say('vitest', 'config');
  const pytest = say('pytest', 'config');
  expect(decide([jest, vitest])).toMatchObject({ framework: 'vitest', ambiguous: true });
  expect(decide([jest, pytest], { javascript: 1, python: 3 })).toMatchObject({ framework: 'pytest', ambiguous: false });
  expect(decide([pytest, jest])).toMatchObject({ framework: 'jest', frameworks: ['jest', 'pytest'] });
});

test('where evidence comes from', () => {
  expect(evidenceOfConfigFile('apps/web/vitest.config.mts').unit).toEqual([
    { framework: 'vitest', strength: 'config', path: 'apps/web/vitest.config.mts', shows: null },
  ]);
  expect(evidenceOfConfigFile('playwright.config.ts').e2e).toEqual([
    { framework: 'playwright', strength: 'config', path: 'playwright.config.ts', shows: null },
  ]);
  expect(evidenceOfScript('tsc && cross-env CI=1 jest --ci')).toEqual([
    { framework: 'jest', strength: 'script', path: 'package.json', shows: 'jest' },
  ]);
  expect(evidenceOfScript('echo jest')).toEqual([]);
});

test('test files by name are code; among fixtures nothing is a test unless its name says so', () => {
  const named =
    'a.test.ts x.case.test.tsx test_a.py a_test.go ATest.java a_spec.rb CartTests.cs ATest.php a_test.exs ASpec.scala';
  expect(named.split(' ').filter((path) => !isNamedTestFile(path))).toEqual([]);
  const others =
    'a.test.ts.snap a.test.utils.ts __tests__/a.js __tests__/data.json a.ts README.spec.md test_helpers.go Latest.cs';
  expect(others.split(' ').filter(isNamedTestFile)).toEqual([]);
  expect(mayHoldCases('test/app.js')).toBe(true);
  expect(mayHoldCases('test/fixtures/app.js')).toBe(false);
  expect(mayHoldCases('test/fixtures/app.test.js')).toBe(true);
});

test('istanbul: a line is covered when a statement on it ran; other documents are no reports', () => {
  expect(istanbulTotals({ a: { statementMap: {}, s: {}, f: { 0: 0 }, b: { 0: [0, 2] } } })).toEqual({
    lines: { covered: 0, total: 0 },
    functions: { covered: 0, total: 1 },
    branches: { covered: 1, total: 2 },
  });
  expect(istanbulTotals({ a: { lines: 1 } })).toBe(undefined);
});

test('a framework that is only installed in a part tests nothing there', () => {
  const part = (dir: string) => ({ dir, kind: 'service', language: 'python', manifests: [`${dir}/pyproject.toml`] });
  const slice = {
    test_inventory: {
      framework_evidence: ['load/requirements.txt', 'api/pyproject.toml'].map((path) => ({
        ...{ framework: 'pytest', path, shows: 'pytest' },
      })),
      directories: [{ path: 'api/tests', files: 1, inline: 0, sample: 'api/tests/test_a.py' }],
    },
  };
  const rule = testFacts.find(({ id }) => id === 'test.framework');
  const stated = rule?.state(slice as never, { components: [part('api'), part('load')] } as never) ?? [];
  expect(stated.map(({ scope }) => scope)).toEqual(['.', 'api']);
});
