/** Tests, as facts. */

import { factsOf, known, listed, none, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type TestFramework, testInventorySection } from './test-inventory-section.ts';

/** As people call them. */
const names: Readonly<Record<TestFramework, readonly string[]>> = {
  vitest: ['vitest'],
  jest: ['jest'],
  mocha: ['mocha'],
  tap: ['tap'],
  ava: ['ava'],
  node_test: ['node:test'],
  pytest: ['pytest'],
  go_test: ['go test', 'testing'],
  cargo_test: ['cargo test'],
  junit: ['junit'],
};

export const testFacts = factsOf('test_inventory', testInventorySection, [
  {
    id: 'test.framework',
    says: 'What the tests are written with and run by.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'configuration files, manifests, imports of tests, scripts',
    state: ({ frameworks, e2e_framework: e2e, directories }) => {
      const found = [...new Set([...frameworks.flatMap((one) => names[one]), ...(e2e === null ? [] : [e2e])])];
      const evidence = directories.slice(0, 3).map(({ sample: path }) => ({ path, shows: null }));
      if (evidence.length === 0) return [unknown('.', { because: 'incomplete', how: 'no file is named like a test' })];
      return [
        listed('.', found, { because: 'follows', how: 'configuration, dependencies and imports of tests', evidence }),
      ];
    },
  },
  {
    id: 'test.files',
    says: 'How many files hold tests.',
    of: 'the repository, or a directory',
    value: z.number(),
    from: 'names of files',
    rollup: 'sum',
    state: ({ directories, unit_test_file_count: total }) => [
      total === 0
        ? none('.', { because: 'counted', how: 'no file is named like a test' })
        : known('.', total, {
            because: 'counted',
            how: 'files that are named like a test',
            evidence: directories.slice(0, 3).map(({ sample: path }) => ({ path, shows: null })),
          }),
      ...directories
        .filter(({ path }) => path !== '.')
        .map(({ path, files, sample }) =>
          // Only what lies in the directory itself: a question about a directory adds up what is below it.
          known(`${path}/*`, files, {
            because: 'counted',
            how: 'files in the directory itself',
            evidence: [{ path: sample, shows: null }],
          }),
        ),
    ],
  },
  {
    id: 'test.cases',
    says: 'How many test cases there are.',
    of: 'the repository',
    value: z.number(),
    from: 'syntax trees of test files',
    state: ({ test_case_count: { value, relation }, directories }) =>
      relation === 'gte' || value === 0
        ? []
        : [
            known('.', value, {
              because: 'counted',
              how: 'cases in files that are named like a test',
              evidence: directories.slice(0, 3).map(({ sample: path }) => ({ path, shows: null })),
            }),
          ],
  },
]);
