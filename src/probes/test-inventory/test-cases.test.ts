// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source text of the languages under test

import { expect, test } from 'vitest';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractTestCases, type TestCaseFacts } from './test-cases.ts';

function factsOf(grammar: GrammarName, text: string): Promise<TestCaseFacts> {
  return withParsedSource(grammar, new TextEncoder().encode(text), extractTestCases);
}

/** Each case: what the source shows, the source, how many cases, whether that is all of them. */
async function check(
  grammar: GrammarName,
  cases: readonly (readonly [string, string, number, boolean])[],
): Promise<void> {
  for (const [shows, text, count, exact] of cases) {
    const facts = await factsOf(grammar, text);
    expect([shows, facts.cases, facts.exact]).toEqual([shows, count, exact]);
  }
}

test('JavaScript: cases, modifiers, subtests, and what is not a case', async () => {
  await check('typescript', [
    ['it and test in suites', `describe('a', () => { it('x', () => {}); test('y', async () => {}); });`, 2, true],
    [
      'modifiers',
      `it.only('x', f); it.skip('y', f); test.todo('z'); test.concurrent.skip('w', f); xit('v', f)`,
      5,
      true,
    ],
    ['conditional', `test.skipIf(process.env.CI)('x', () => {})`, 1, true],
    ['title that is computed', 'test(`a ${b}`, () => {}); it("a" + b, () => {}); it(title, body)', 3, true],
    ['regular expressions are not tests', `it('x', () => { /a/.test(s); pattern.test(s); })`, 1, true],
    [
      'hooks and steps are not tests',
      `test.beforeEach(() => {}); test.describe('g', () => { test('x', async () => { await test.step('s', f) }) })`,
      1,
      true,
    ],
    ['test.extend is not a test', `const test = base.extend({}); test('x', f)`, 1, true],
    ['subtests of node:test and tap', `test('x', async (t) => { await t.test('y', () => {}) })`, 2, true],
    ['words in comments and strings', `// it('x')\nconst s = "test('y')";`, 0, true],
    ['aliased import', `import { test as check } from 'node:test'; check('x', () => {})`, 1, true],
    ['a case inside a case', `it('x', () => { if (a) { it('y', () => {}) } })`, 2, true],
    ['immediately called function', `(async () => { test('x', () => {}) })()`, 1, true],
  ]);
});

test('JavaScript: tables, loops and helpers make the count a lower bound', async () => {
  await check('typescript', [
    ['each', `it.each([1, 2])('n %d', (n) => {})`, 1, false],
    ['each as a tagged template', 'test.each`a | b\n${1} | ${2}`("$a", () => {})', 1, false],
    ['test.for', `test.for([1])('x', () => {})`, 1, false],
    ['describe.each', `describe.each([1, 2])('g', () => { it('x', () => {}) })`, 1, false],
    ['for of', `for (const c of cases) { it(c.name, () => {}) }`, 1, false],
    ['forEach', `cases.forEach((c) => it(c, () => {}))`, 1, false],
    ['helper function', `function check(n: number) { it('x', () => {}) }`, 1, false],
    ['loop inside a case is its own matter', `it('x', () => { for (const a of b) expect(a) })`, 1, true],
    [
      'library without a recognised case',
      `const { test: check } = require('node:test'); check('x', () => {})`,
      0,
      false,
    ],
  ]);
});

test('cases that stand elsewhere: imported and called, or inherited', async () => {
  await check('typescript', [
    ['a suite of another file', `import { runTest } from '../common.case.test';\nrunTest({ name: 'a' });`, 0, false],
    ['required', `require('../cases')(createRouter)`, 0, false],
    ['beside cases of its own', `import { a } from './a';\nit('x', () => { a() })`, 1, true],
    ['nothing of others', `import fs from 'node:fs';\nexport const helper = fs;`, 0, true],
  ]);
  await check('python', [
    ['inherited', 'class TestA(Base):\n  make = 1\n', 0, false],
    ['all of a module', 'from .cases import *\n', 0, false],
    ['a helper', 'import os\ndef helper(): pass\n', 0, true],
  ]);
  await check('java', [
    ['inherited', 'class ATests extends AbstractTests { }', 0, false],
    ['inherited, and its own', 'class ATests extends AbstractTests { @Test void a() {} }', 1, true],
    ['neither', 'class ATests { }', 0, true],
  ]);
});

test('JavaScript: libraries are those the file imports', async () => {
  const esm = await factsOf(
    'tsx',
    `import test from 'node:test';\nimport assert from 'node:assert';\nconst a = <b/>; test('x', () => {})`,
  );
  expect(esm.libraries).toEqual(['node:test']);
  const cjs = await factsOf(
    'javascript',
    `const { test } = require('node:test'); const x = require('vitest'); test('x', () => {})`,
  );
  expect(cjs.libraries).toEqual(['node:test', 'vitest']);
});

test('Python: functions, methods of test classes, fixtures, parametrised tests', async () => {
  await check('python', [
    ['functions', 'def test_a(): pass\nasync def test_b(): pass\ndef helper(): pass\n', 2, true],
    ['test class', 'class TestA:\n  def test_a(self): pass\nclass Case(TestCase):\n  def testB(self): pass\n', 2, true],
    ['other class', 'class Data:\n  def test_a(self): pass\n', 0, true],
    ['fixture', 'import pytest\n@pytest.fixture\ndef test_client(): pass\ndef test_a(): pass\n', 1, true],
    ['parametrize', '@pytest.mark.parametrize("a", [1, 2])\ndef test_a(a): pass\n', 1, false],
    ['fixture with params', '@pytest.fixture(params=[1, 2])\ndef n(request): pass\ndef test_a(n): pass\n', 1, false],
    ['nested function', 'def test_a():\n  def test_inner(): pass\n', 1, true],
  ]);
  expect((await factsOf('python', 'import pytest\ndef test_a(): pass\n')).libraries).toEqual(['pytest']);
});

test('Go: test functions, not TestMain, not helpers; t.Run is a lower bound', async () => {
  await check('go', [
    [
      'functions',
      'package a\nfunc TestA(t *testing.T) {}\nfunc Test_b(t *testing.T) {}\nfunc Testing(t *testing.T) {}\n',
      2,
      true,
    ],
    ['TestMain', 'package a\nfunc TestMain(m *testing.M) {}\nfunc TestA(t *testing.T) {}\n', 1, true],
    ['suite methods', 'package a\nfunc (s *S) TestA() {}\nfunc (s *S) SetupTest() {}\n', 1, true],
    [
      'table',
      'package a\nfunc TestA(t *testing.T) { for _, c := range cs { t.Run(c.n, func(t *testing.T) {}) } }\n',
      1,
      false,
    ],
  ]);
});

test('Rust: attributes that mean test', async () => {
  await check('rust', [
    [
      'in a module',
      '#[cfg(test)]\nmod tests { #[test]\n fn a() {}\n #[tokio::test]\n async fn b() {}\n fn helper() {} }',
      2,
      true,
    ],
    ['several attributes', '#[test]\n#[should_panic]\nfn a() {}', 1, true],
    ['rstest', '#[rstest]\n#[case(1)]\n#[case(2)]\nfn a(#[case] n: u8) {}', 1, false],
    ['inside a macro', 'proptest! { #[test] fn a(n in 0..9) {} }', 0, false],
    ['written by a macro', 'macro_rules! case { ($n:ident) => { #[tokio::test] async fn $n() {} } }', 0, false],
  ]);
});

test('Java: JUnit annotations', async () => {
  await check('java', [
    ['Test', 'class A { @Test void a() {} @org.junit.Test(timeout = 1) public void b() {} void c() {} }', 2, true],
    ['parametrised', 'class A { @ParameterizedTest @ValueSource(ints = {1, 2}) void a(int n) {} }', 1, false],
  ]);
  expect((await factsOf('java', 'import org.junit.jupiter.api.Test;\nclass A {}')).libraries).toEqual(['org.junit']);
});

test('a file with a syntax error still yields its cases, as a lower bound', async () => {
  await check('typescript', [['broken tail', `it('x', () => {});\nit('y', () => {});\nconst = ;`, 2, false]]);
});

test('G16 long chains and deep nesting are counted in bounded time and do not exhaust the stack', async () => {
  await check('javascript', [
    ['member chain', `a${'.b()'.repeat(5_000)}; it('x', () => {})`, 1, true],
    ['nested suites', `${"describe('a', () => {".repeat(2_000)}it('x', () => {})${'})'.repeat(2_000)}`, 1, true],
    ['nested calls', `${'f('.repeat(5_000)}${')'.repeat(5_000)}; it('x', () => {})`, 1, true],
  ]);
});
