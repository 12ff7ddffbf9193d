/** Tests, as facts. */

import {
  componentAround,
  factsOf,
  isProduct,
  isWithin,
  known,
  none,
  type Spine,
  type Statement,
  unknown,
} from '../../gather/facts/fact.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { type E2eFramework, type TestFramework, testInventorySection } from './test-inventory-section.ts';

/** As people call them. */
const names: Readonly<Record<TestFramework | E2eFramework, readonly string[]>> = {
  vitest: ['vitest'],
  jest: ['jest'],
  mocha: ['mocha'],
  tap: ['tap'],
  ava: ['ava'],
  node_test: ['node:test'],
  pytest: ['pytest'],
  django_test: ['django', 'unittest'],
  unittest: ['unittest'],
  go_test: ['go test', 'testing'],
  cargo_test: ['cargo test'],
  trybuild: ['trybuild'],
  junit: ['junit'],
  rspec: ['rspec'],
  minitest: ['minitest'],
  phpunit: ['phpunit'],
  pest: ['pest'],
  xunit: ['xunit'],
  nunit: ['nunit'],
  mstest: ['mstest'],
  exunit: ['exunit'],
  playwright: ['playwright'],
  cypress: ['cypress'],
};

export const testFacts = factsOf('test_inventory', testInventorySection, [
  {
    id: 'test.framework',
    says: 'What the tests are written with and run by.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'configuration files, manifests, imports of tests, scripts',
    state: ({ framework_evidence: shown, directories }, spine) => {
      const own = ofProduct(shown, spine);
      const parts = spine.components.filter(
        (one) => one.dir !== '.' && one.manifests.length > 0 && (one.kind === 'test' || isProduct(one)),
      );
      return [
        ...(own.length > 0
          ? [frameworksOf('.', own)]
          : [
              directories.length > 0
                ? unknown('.', { because: 'incomplete', how: 'there are tests; nothing says what runs them' })
                : none('.', { because: 'looked', how: 'neither tests nor a framework' }),
            ]),
        ...parts.flatMap(({ dir }) => {
          const below = own.filter(({ path }) => isWithin(path, dir));
          // A framework that is only installed tests nothing.
          const isTested = directories.some(({ path }) => isWithin(path, dir));
          return below.length === 0 || !isTested ? [] : [frameworksOf(dir, below)];
        }),
      ];
    },
  },
  {
    id: 'test.files',
    says: 'How many files hold tests; those of examples, benchmarks and documentation are none of the repository.',
    of: 'the repository, or a directory',
    value: z.number(),
    from: 'names of files, cases in files below test directories',
    rollup: 'sum',
    state: ({ directories }, spine) => {
      const own = ofProduct(directories, spine);
      const total = own.reduce((sum, { files }) => sum + files, 0);
      return [
        total === 0
          ? none('.', { because: 'counted', how: 'no file is named like a test' })
          : known('.', total, { ...aboutFiles(own), evidence: samplesOf(own) }),
        // Only what lies in the directory itself: a question about a directory adds up what is below it.
        ...below(directories).map((one) =>
          known(`${one.path}/*`, one.files, { ...aboutFiles([one]), evidence: samplesOf([one]) }),
        ),
      ];
    },
  },
  {
    id: 'test.cases',
    says: 'How many test cases are written, each counted once.',
    of: 'the repository, or a directory',
    value: z.number(),
    from: 'syntax trees of test files',
    rollup: 'sum',
    state: ({ directories }, spine) => {
      const own = ofProduct(directories, spine);
      return [
        ...(own.length === 0 ? [] : [aboutCases('.', own)]),
        ...below(directories).map((one) => aboutCases(`${one.path}/*`, [one])),
      ];
    },
  },
]);

type Directory = z.output<typeof testInventorySection>['directories'][number];

/** Tests of tests are the product's; what an example or a benchmark tests is not. */
function ofProduct<T extends { readonly path: string }>(places: readonly T[], spine: Spine): readonly T[] {
  return places.filter(({ path }) => {
    const around = componentAround(spine, path);
    return around === undefined || around.kind === 'test' || isProduct(around);
  });
}

type Shown = z.output<typeof testInventorySection>['framework_evidence'][number];

/** What a file of the framework says, where that the file is there is all the evidence. */
const telling: Readonly<Partial<Record<TestFramework | E2eFramework, readonly string[]>>> = {
  go_test: ['"testing"', 'func Test'],
  cargo_test: ['#[test]', '::test]', '#[test', '#[rstest', '#[cfg(test)]'],
  exunit: ['use ExUnit', 'ExUnit'],
  minitest: ['Minitest', 'TestCase', 'minitest'],
  pytest: ['import pytest', 'from pytest', '@pytest', 'pytest'],
};

function tellingOf(framework: TestFramework | E2eFramework): readonly (string | null)[] {
  return [...(telling[framework] ?? names[framework]), null];
}

function frameworksOf(scope: string, shown: readonly Shown[]): Statement {
  const found = [...new Set(shown.flatMap(({ framework }) => names[framework]))].sort(compareCodeUnits);
  const evidence = shown.map(({ framework, path, shows }) => ({ path, shows: shows ?? tellingOf(framework) }));
  return known(scope, found, { because: 'follows', how: 'configuration, dependencies and imports of tests', evidence });
}

function below(directories: readonly Directory[]): readonly Directory[] {
  return directories.filter(({ path }) => path !== '.');
}

/** How a case begins, in the languages whose cases are counted. */
const caseWords = [
  // How names begin comes first: these are parts of words.
  'func Test',
  'def test_',
  'public function test',
  'test(',
  'it(',
  'describe(',
  '@Test',
  '@ParameterizedTest',
  '#[test]',
  '::test]',
  '#[rstest',
  '[Fact]',
  '[Test]',
  '[TestMethod]',
  'it "',
  "it '",
  'test "',
  "test '",
  null,
];

function samplesOf(directories: readonly Directory[]) {
  return directories.slice(0, 3).map(({ sample: path }) => ({ path, shows: caseWords }));
}

/** Whether code with tests inside is a test file, people count in two ways. */
function aboutFiles(directories: readonly Directory[]) {
  return directories.some(({ inline }) => inline > 0)
    ? ({ because: 'resembles', how: 'files that hold tests, code with tests inside among them' } as const)
    : // Which file is a test, names and directories say.
      ({ because: 'follows', how: 'files that are named like a test, or hold cases in a test directory' } as const);
}

function aboutCases(scope: string, directories: readonly Directory[]): Statement {
  const value = directories.reduce((sum, { cases }) => sum + cases.value, 0);
  const evidence = samplesOf(directories);
  if (directories.every(({ cases }) => cases.relation === 'eq'))
    return known(scope, value, { because: 'counted', how: 'cases in test files', evidence });
  const uncounted = directories.filter(({ cases }) => cases.relation === 'gte' && cases.value === 0);
  const files = (some: readonly Directory[]) => some.reduce((sum, one) => sum + one.files, 0);
  // Where most files show no case, the number of the others says nothing.
  if (value === 0 || files(uncounted) * 2 > files(directories)) {
    const how = 'cases are imported, inherited or made at run time, or their language is not counted';
    return unknown(scope, { because: 'incomplete', how });
  }
  const how = 'at least; tables, loops and other files make more of them, or a file could not be read as code';
  return known(scope, value, { because: 'incomplete', how, evidence });
}
