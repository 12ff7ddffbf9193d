/**
 * Which tests a repository has: framework, files, cases, commands, coverage (probes.md, test_inventory).
 * Cases are counted in syntax trees. The count is exact only when nothing in the sources can multiply or hide a case.
 */

import { defineProbe, type RepoSnapshot, type Slice } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { isTestFile } from '../../kernel/tree/file-roles.ts';
import { familyIds } from '../shared/probe-reading.ts';
import { hasTestName, linedTestGlobs, testSourceGlobs } from '../shared/source-globs.ts';
import { testFacts } from './test-inventory-facts.ts';
import { testInventoryInputs, testInventorySection } from './test-inventory-section.ts';

export default defineProbe({
  name: 'test_inventory',
  version: '0.9.0',
  layer: 'A',
  says: 'Test frameworks, test files and cases (exact or at least), test commands, and the totals of a coverage report.',
  heaviness: 'light',
  sections: { test_inventory: testInventorySection },
  facts: testFacts,
  requires: [{ probe: 'node_build_system', select: selectCommands, optional: true }],
  declaredInputs: testInventoryInputs,
  configKeys: ['coverage.paths'],
  timeoutSeconds: 60,
  warningIds: [
    'coverage.lcov_parse_error',
    'coverage.size_cap_exceeded',
    'test_framework.ambiguous',
    'e2e_framework.ambiguous',
    'test_inventory.no_tests_found',
  ],
  errorIds: familyIds('package_json'),
  confidenceRule:
    'high with a framework and at least one case; medium without either or with two equal frameworks; low without tests or with a broken package.json',
  applies: (repo) => mayHaveTests(repo) || 'not_applicable',
  async run(repo, ctx) {
    const { gatherTestInventory } = await import('./gather-test-inventory.ts');
    return gatherTestInventory(repo, ctx);
  },
  examples: [
    {
      shows: 'a vitest repository with an lcov report',
      files: {
        'package.json':
          '{"name":"x","scripts":{"test":"vitest run","build":"tsc"},"devDependencies":{"vitest":"5.1.0"}}',
        'vitest.config.ts': 'export default {};\n',
        'src/a.test.ts':
          "import { describe, expect, it } from 'vitest';\ndescribe('a', () => {\n  it('adds', () => { expect(1 + 1).toBe(2); });\n  it.skip('waits', () => {});\n});\n",
        'src/__tests__/b.tsx': "import { test } from 'vitest';\ntest('renders', () => <b />);\n",
        'src/a.ts': 'export const a = 1;\n',
        'coverage/lcov.info':
          'TN:\nSF:src/a.ts\nFN:1,a\nFNDA:1,a\nFNF:1\nFNH:1\nDA:1,1\nDA:2,0\nDA:3,4\nLF:3\nLH:2\nBRDA:1,0,0,1\nBRDA:1,0,1,-\nBRF:2\nBRH:1\nend_of_record\n',
      },
      gives: {
        test_inventory: {
          framework: 'vitest',
          frameworks: ['vitest'],
          e2e_framework: null,
          unit_test_file_count: 2,
          test_case_count: { value: 3, relation: 'eq' },
          commands: [{ name: 'test', command: 'vitest run' }],
          smoke_test_path: null,
          coverage_data: {
            present: true,
            path: 'coverage/lcov.info',
            parse_error: false,
            totals: {
              lines: { covered: 2, total: 3 },
              functions: { covered: 1, total: 1 },
              branches: { covered: 1, total: 2 },
            },
            line_coverage_pct: 66.67,
          },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'tables, loops and files that do not parse make the count a lower bound',
      files: {
        'jest.config.js': 'module.exports = {};\n',
        'a.spec.js': "it.each([1, 2])('n', (n) => {});\nfor (const c of cs) test(c, () => {});\n",
        'b.test.js': "test('one', () => {});\nconst = ;\n",
      },
      gives: {
        test_inventory: { framework: 'jest', unit_test_file_count: 2, test_case_count: { value: 3, relation: 'gte' } },
      },
      confidence: 'high',
    },
    {
      shows: 'node:test is found by its import; files in a test directory count when they hold cases',
      files: {
        'package.json': '{"scripts":{"test":"node --test","test:smoke":"node scripts/smoke.mjs"}}',
        'test/app.js':
          "const test = require('node:test');\ntest('works', async (t) => { await t.test('deeply', () => {}); });\n",
        'test/helper.js': 'exports.help = () => {};\n',
        'test/fixtures/case.js': "test('not a test of this repository', () => {});\n",
        'scripts/smoke.mjs': '',
      },
      gives: {
        test_inventory: {
          framework: 'node_test',
          unit_test_file_count: 1,
          test_case_count: { value: 2, relation: 'eq' },
          commands: [
            { name: 'test', command: 'node --test' },
            { name: 'test:smoke', command: 'node scripts/smoke.mjs' },
          ],
          smoke_test_path: 'scripts/smoke.mjs',
          coverage_data: { present: false, path: null, parse_error: false, totals: null, line_coverage_pct: null },
        },
      },
      confidence: 'high',
    },
    {
      shows: 'Python, Go, Rust and Java side by side: the family with most test files speaks for the repository',
      files: {
        'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n',
        'tests/test_a.py':
          'import pytest\n\ndef test_a():\n    pass\n\n@pytest.fixture\ndef test_client():\n    pass\n',
        'tests/test_b.py': 'class TestB:\n    def test_b(self):\n        pass\n',
        'pkg/a_test.go':
          'package pkg\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\nfunc TestMain(m *testing.M) {}\n',
        'src/lib.rs': 'pub fn f() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n',
        'src/other.rs': 'pub fn g() {}\n',
        'src/test/java/ATest.java': 'import org.junit.jupiter.api.Test;\nclass ATest {\n  @Test void works() {}\n}\n',
      },
      gives: {
        test_inventory: {
          framework: 'pytest',
          frameworks: ['cargo_test', 'go_test', 'junit', 'pytest'],
          unit_test_file_count: 5,
          test_case_count: { value: 5, relation: 'eq' },
        },
      },
      facts: [
        {
          id: 'test.framework',
          scope: '.',
          evidence: [
            'pkg/a_test.go:3',
            'pyproject.toml:1',
            'src/lib.rs:5',
            'src/test/java/ATest.java:1',
            'tests/test_a.py:1',
          ],
        },
      ],
      confidence: 'high',
    },
    {
      shows: 'where tests are named, a file that holds cases without the name is a helper; examples are counted apart',
      files: {
        'package.json': '{"devDependencies":{"vitest":"5"}}',
        ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`test/${n}.test.ts`, `it('${n}', () => {});\n`])),
        'test/shared-cases.ts': "export const cases = () => it('shared', () => {});\n",
        'test/sample/package.json': '{}',
        'test/sample/run.ts': "it('runs', () => {});\n",
        'src/__tests__/server.ts': 'export const start = () => 1;\n',
        'examples/a/package.json': '{}',
        'examples/a/a.test.ts': "it('a', () => {});\n",
      },
      gives: { test_inventory: { unit_test_file_count: 9 } },
      facts: [
        { id: 'test.files', scope: 'test/*', value: 8, confidence: 'medium' },
        { id: 'test.files', scope: 'examples/a/*', value: 1 },
      ],
    },
    {
      shows: 'cases that are imported are not none: not known of their directory, and at least the others of the whole',
      files: {
        'package.json': '{}',
        'src/common/router.case.test.ts':
          "import { it } from 'vitest';\nexport const runTest = (make) => {\n  it('a', () => {});\n  it('b', () => {});\n};\n",
        'src/smart/router.test.ts': "import { runTest } from '../common/router.case.test';\nrunTest(() => 1);\n",
        'src/plain/a.test.ts': "import { it } from 'vitest';\nit('c', () => {});\n",
      },
      gives: { test_inventory: { test_case_count: { value: 3, relation: 'gte' } } },
      facts: [
        { id: 'test.cases', scope: 'src/smart/*', state: 'unknown' },
        { id: 'test.cases', scope: 'src/plain/*', value: 1, confidence: 'high' },
        { id: 'test.cases', scope: '.', value: 3, confidence: 'low' },
      ],
    },
    {
      shows: 'where hardly any test is named as one, cases below a test directory decide',
      files: {
        'package.json': '{}',
        'test/test-a.js': "require('node:test')('a', () => {});\n",
        'test/test-b.js': "const test = require('node:test');\ntest('b', () => {});\ntest('c', () => {});\n",
        'test/c.test.js': "const test = require('node:test');\nfor (const x of [1, 2]) test('d' + x, () => {});\n",
        'test/mock.js': 'exports.mock = 1;\n',
      },
      gives: { test_inventory: { framework: 'node_test' } },
      facts: [{ id: 'test.cases', scope: '.', confidence: 'low' }],
    },
    {
      shows:
        'Ruby, C#, PHP and Java by the names that their runners look for; cases by directory where they can be counted',
      files: {
        'spec/models/story_spec.rb': 'describe Story do\nend\n',
        'spec/spec_helper.rb': "require 'rspec'\n",
        Gemfile: "gem 'rails'\ngem 'rspec-rails'\n",
        'composer.json': '{"require-dev":{"phpunit/phpunit":"^12"}}',
        'tests/t.csproj': '<Project>\n<PackageReference Include="xunit" Version="2" />\n</Project>\n',
        'tests/CartServiceTests.cs': 'class CartServiceTests {\n  [Fact]\n  public void A() {}\n}\n',
        'tests/BasketTests.cs': 'class BasketTests {}\n',
        'tests/Unit/UserTest.php': '<?php\n',
        'pom.xml': '<project/>',
        'src/test/java/AppTests.java':
          'import org.junit.jupiter.api.Test;\nclass AppTests {\n  @Test void a() {}\n  @Test void b() {}\n}\n',
        'src/test/java/TestApplication.java': 'class TestApplication {}\n',
      },
      gives: { test_inventory: { unit_test_file_count: 4, test_case_count: { value: 3, relation: 'gte' } } },
      facts: [
        { id: 'test.files', scope: '.', value: 4 },
        {
          id: 'test.framework',
          scope: '.',
          value: ['junit', 'phpunit', 'rspec', 'xunit'],
          evidence: ['Gemfile:2', 'composer.json:1', 'src/test/java/AppTests.java:1', 'tests/t.csproj:2'],
        },
        { id: 'test.files', scope: 'src/test/java/*', value: 1 },
        { id: 'test.cases', scope: 'src/test/java/*', value: 2, confidence: 'high' },
        { id: 'test.cases', scope: 'spec/models/*', state: 'unknown', value: null },
      ],
    },
    {
      shows:
        'Django: its `tests.py` holds tests or is what the generator left; without pytest, what the cases are made of runs them',
      files: {
        'manage.py': '',
        'requirements.txt': 'django\n',
        'blog/tests.py':
          'from django.test import TestCase\n\nclass BlogTests(TestCase):\n    def test_a(self):\n        pass\n',
        'shop/tests.py': 'from django.test import TestCase\n\n# Create your tests here.\n',
        'docs/tests/test_views.py':
          'from unittest import mock\nfrom django.test import TestCase\n\nclass A(TestCase):\n    def test_b(self):\n        pass\n',
      },
      gives: { test_inventory: { framework: 'django_test', frameworks: ['django_test'], unit_test_file_count: 2 } },
      facts: [
        { id: 'test.files', scope: '.', value: 2, confidence: 'medium' },
        { id: 'test.framework', scope: '.', value: ['django', 'unittest'], evidence: ['blog/tests.py:1'] },
      ],
      confidence: 'high',
    },
    {
      shows: 'what a compiled list has only because another package needs it tests nothing',
      files: {
        'load/requirements.txt': 'locust==2.43.0\n    # via -r requirements.in\npytest==8.4.2\n    # via locust\n',
        'more/requirements.txt': 'pytest==8.4.2\n    # via\n    #   locust\n    #   other\n',
        'go.mod': 'module x\n',
        'a_test.go': 'package x\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
      },
      gives: { test_inventory: { frameworks: ['go_test'] } },
      confidence: 'high',
    },
    {
      shows: 'a compiled list that a list of the repository asked for',
      files: {
        'requirements-dev.txt': 'pytest==8.4.2\n    # via\n    #   -r requirements-dev.in\n    #   pytest-cov\n',
        'tests/test_a.py': 'def test_a():\n    pass\n',
      },
      gives: { test_inventory: { framework: 'pytest' } },
      confidence: 'high',
    },
    {
      shows: 'cases whose base is an application’s, in a project that Django manages',
      files: {
        'manage.py': '',
        'shop/tests/test_page.py':
          'from shop.testing import PageCase\n\nclass A(PageCase):\n    def test_a(self):\n        pass\n',
      },
      gives: { test_inventory: { framework: 'django_test' } },
      facts: [{ id: 'test.framework', scope: '.', value: ['django', 'unittest'], evidence: ['manage.py:1'] }],
    },
    {
      shows: 'what the standard library tests with; a package of its own kind for tests has its own framework',
      files: {
        'setup.py': 'from setuptools import setup\nsetup(name="x")\n',
        'x/__init__.py': '',
        'tests/test_x.py': 'import unittest\n\nclass X(unittest.TestCase):\n    def test_x(self):\n        pass\n',
        'src/Shop/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web" />\n',
        'src/Shop/Program.cs': 'var app = 1;\n',
        'tests/Shop.UnitTests/Shop.UnitTests.csproj': '<Project Sdk="MSTest.Sdk/3.8.0">\n</Project>\n',
        'tests/Shop.UnitTests/CartTests.cs': '[TestMethod]\npublic void A() {}\n',
      },
      gives: { test_inventory: { frameworks: ['mstest', 'unittest'] } },
      facts: [{ id: 'test.framework', scope: '.', value: ['mstest', 'unittest'] }],
    },
    {
      shows:
        'where nearly every test of the repository is named, cases without the name are helpers in a small package, too',
      files: {
        'package.json': '{"devDependencies":{"vitest":"5"}}',
        ...Object.fromEntries(
          [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`p${n}/__tests__/a.spec.ts`, `it('${n}', () => {});\n`]),
        ),
        ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`p${n}/package.json`, '{}'])),
        'css/package.json': '{}',
        'css/__tests__/css.spec.ts': "import { all } from './tests.ts';\nit('css', all);\n",
        'css/__tests__/tests.ts': "export const all = () => it('shared', () => {});\n",
      },
      gives: { test_inventory: { unit_test_file_count: 10 } },
    },
    {
      shows: 'tests of the browser by the name that Cypress looks for; translations to Welsh are none',
      files: {
        'package.json': '{"devDependencies":{"cypress":"1"}}',
        'cypress.config.ts': 'export default {};\n',
        'cypress/e2e/login.cy.ts': "it('x', () => {});\nit('y', () => {});\n",
        'lang/messages.cy.json': '{}',
        'lang/cy.ts': 'export default {};\n',
      },
      gives: { test_inventory: { unit_test_file_count: 1, test_case_count: { value: 2 }, e2e_framework: 'cypress' } },
      facts: [{ id: 'test.files', scope: '.', value: 1 }],
    },
    {
      shows: 'two frameworks with equal evidence, two e2e frameworks; coverage from istanbul after a broken lcov file',
      files: {
        'package.json': '{"devDependencies":{"jest":"1","mocha":"1","cypress":"1","@playwright/test":"1"}}',
        'a.test.js': "it('x', () => {});\n",
        'coverage/lcov.info': 'this is no lcov file\nDA:x\n',
        'coverage/coverage-final.json':
          '{"/r/a.js":{"path":"/r/a.js","statementMap":{"0":{"start":{"line":1}},"1":{"start":{"line":1}},"2":{"start":{"line":2}}},"fnMap":{},"branchMap":{},"s":{"0":0,"1":3,"2":0},"f":{"0":1},"b":{"0":[1,0]}}}',
      },
      gives: {
        test_inventory: {
          framework: 'jest',
          frameworks: ['jest', 'mocha'],
          e2e_framework: 'playwright',
          coverage_data: {
            path: 'coverage/coverage-final.json',
            parse_error: true,
            totals: {
              lines: { covered: 1, total: 2 },
              functions: { covered: 1, total: 1 },
              branches: { covered: 1, total: 2 },
            },
            line_coverage_pct: 50,
          },
        },
      },
      warnings: ['coverage.lcov_parse_error', 'e2e_framework.ambiguous', 'test_framework.ambiguous'],
      confidence: 'medium',
    },
    {
      shows: 'what each part is tested with; a companion of the built-in harness beside it',
      files: {
        'Cargo.toml': '[workspace]\nmembers = ["a", "m"]\n',
        'a/Cargo.toml': '[package]\nname = "a"\n',
        'a/src/lib.rs': '#[test]\nfn one() {}\n',
        'm/Cargo.toml': '[package]\nname = "m"\n[dev-dependencies]\ntrybuild = "1"\n',
        'm/src/lib.rs': '#[test]\nfn ui() {}\n',
      },
      gives: { test_inventory: { framework: 'cargo_test', frameworks: ['cargo_test', 'trybuild'] } },
      facts: [{ id: 'test.framework', scope: '.', value: ['cargo test', 'trybuild'] }],
      warnings: [],
    },
    {
      shows: 'a test script without tests; a summary of coverage',
      files: {
        'package.json': '{"scripts":{"test":"jest"}}',
        'coverage/coverage-summary.json':
          '{"total":{"lines":{"total":4,"covered":3,"skipped":0,"pct":75},"functions":{"total":1,"covered":1},"branches":{"total":0,"covered":0}}}',
      },
      gives: {
        test_inventory: {
          framework: 'jest',
          unit_test_file_count: 0,
          test_case_count: { value: 0, relation: 'eq' },
          coverage_data: { present: true, path: 'coverage/coverage-summary.json', line_coverage_pct: 75 },
        },
      },
      warnings: ['test_inventory.no_tests_found'],
      confidence: 'low',
    },
    {
      shows:
        'test files of a language without a grammar are counted by name, their cases by the lines that begin one: at least so many',
      files: {
        'spec/a_spec.rb': "describe 'a' do\n  it 'is' do\n  end\n  # it 'was'\n  it { is_expected.to be }\nend\n",
        'tests/ATest.php':
          '<?php\nclass ATest {\n  public function testA() {}\n  #[Test]\n  public function it_b() {}\n  function helper() {}\n}\n',
        'T/ATests.cs': '[Fact]\npublic void A() {}\n[Theory, InlineData(1)]\npublic void B(int x) {}\n',
        'package.json': '{bad',
      },
      gives: {
        test_inventory: { framework: null, unit_test_file_count: 3, test_case_count: { value: 6, relation: 'gte' } },
      },
      errors: ['package_json.malformed'],
      confidence: 'low',
    },
    {
      shows: 'tests of Ruby by their names are written with what Ruby brings along; beside specs they are not',
      files: {
        'shop/Gemfile': "gem 'rails'\n",
        'shop/test/models/cart_test.rb': 'class CartTest < ActiveSupport::TestCase\n  test "adds" do\n  end\nend\n',
      },
      gives: { test_inventory: { framework: 'minitest', unit_test_file_count: 1 } },
      facts: [{ id: 'test.framework', scope: '.', value: ['minitest'] }],
    },
    {
      shows: 'in a test project or directory a file without the name of a test is one if it holds a case',
      files: {
        'tests/UnitTests/UnitTests.csproj':
          '<Project><ItemGroup><PackageReference Include="xunit" /></ItemGroup></Project>',
        'tests/UnitTests/Baskets/AddItem.cs': '[Fact]\npublic void A() {}\n[Fact]\npublic void B() {}\n',
        'tests/UnitTests/Builders/Basket.cs': 'class Basket {}\n',
        'Shop.Tests/Orders.cs': '[TestMethod]\npublic void A() {}\n',
        'src/Order.cs': '[Fact]\nclass Order {}\n',
      },
      gives: { test_inventory: { unit_test_file_count: 2, test_case_count: { value: 3, relation: 'gte' } } },
      facts: [{ id: 'test.files', scope: '.', value: 2 }],
    },
    {
      shows: 'neither tests nor a test script',
      files: { 'package.json': '{"scripts":{"build":"tsc"}}' },
      gives: {},
      skipped: 'not_applicable',
    },
  ],
});

function selectCommands(slice: Slice): Json {
  const build = slice['build_system'];
  return isJsonObject(build) ? (build['commands'] ?? null) : null;
}

/** A test script can only be known by reading package.json; `run` skips when there is none. */
function mayHaveTests({ scope }: RepoSnapshot): boolean {
  return (
    scope.exists('package.json') ||
    scope.match([...testSourceGlobs, ...linedTestGlobs]).length > 0 ||
    scope.files.some(({ path }) => isTestFile(path) || hasTestName(path))
  );
}
