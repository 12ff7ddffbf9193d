/**
 * How many test cases a file declares, and which test libraries it imports.
 * `cases` is a lower bound; `exact` is true only when nothing in the file can make more of them at run time (tables, loops,
 * helpers that are called several times, parametrised tests) and no part of it was unreadable.
 */

import { assert } from '../../kernel/base/assert.ts';
import type { GrammarName } from '../../languages/languages.ts';
import type { PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { listChildren, type Visitors, walkTree } from '../../languages/parsing/walk-tree.ts';

export type TestCaseFacts = {
  readonly cases: number;
  readonly exact: boolean;
  /** Modules of known test libraries, sorted: `node:test`, `vitest`, `pytest`, `org.junit` … */
  readonly libraries: readonly string[];
};

const visitorsByGrammar: Partial<Record<GrammarName, (tally: TestCaseTally) => Visitors>> = {
  typescript: javascriptTestVisitors,
  tsx: javascriptTestVisitors,
  javascript: javascriptTestVisitors,
  python: pythonTestVisitors,
  go: goTestVisitors,
  rust: rustTestVisitors,
  java: javaTestVisitors,
} satisfies Record<PinnedGrammar, unknown>;

export function extractTestCases({ grammar, root, hasErrors }: ParsedSource): TestCaseFacts {
  const tally: TestCaseTally = { cases: 0, exact: !hasErrors, takesOver: false, modules: new Set() };
  const visitors = visitorsByGrammar[grammar];
  assert(visitors !== undefined, `no test is recognised in ${grammar}`);
  walkTree(root, visitors(tally));
  const libraries = [...tally.modules].filter((module) => testLibraryModules.has(module)).sort();
  // A file that shows no case, and imports a test library or takes over what others wrote, has them in a way that is not understood here.
  const isElsewhere = tally.cases === 0 && (libraries.length > 0 || tally.takesOver);
  return { cases: tally.cases, exact: tally.exact && !isElsewhere, libraries };
}

// `it`, `test` and their kin in JavaScript and TypeScript: `it.only`, `test.each(table)(…)`, `test.skipIf(x)(…)`, `t.test(…)`.
// A case is counted once where it is written. It may exist many times when it stands in a loop, in a function that is not the
// body of a suite, or below a table (`each`, `for`); then the tally is no longer exact.

const modifiers = new Set(
  'only skip todo concurrent sequential fails failing fail fixme serial each for skipIf runIf'.split(' '),
);
const tables = new Set(['each', 'for']);
/** Calls that return the real function: `it.each(table)('title', body)`. */
const builders = new Set(['each', 'for', 'skipIf', 'runIf']);
const groups = new Set(['describe', 'suite', 'context', 'fdescribe', 'xdescribe']);
const functions = new Set(['arrow_function', 'function_expression', 'generator_function']);
/** Without one of these words there is no case. */
const mention = /\b(?:it|test|specify|[xf]it|xtest|xspecify)\b/;
/** A real chain is short; a hostile one must not be walked to its end once per link. */
const maxChain = 12;

type Chain = { readonly head: string; readonly properties: readonly string[]; readonly calls: number };

function javascriptTestVisitors(tally: TestCaseTally): Visitors {
  const caseNames = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest', 'xspecify']);
  const runOnce = new Set<number>();
  const caseBodies = new Set<number>();
  let repeats = 0;
  let casesAround = 0;
  let hasAliases = false;

  const repeated = () => {
    repeats += 1;
    return () => {
      repeats -= 1;
    };
  };
  const functionBody = (node: Node) => {
    if (runOnce.delete(node.id)) return undefined;
    return caseBodies.delete(node.id) ? caseBody(node) : repeated();
  };
  // Most of a test file is the inside of its cases; what cannot hold another case is not walked. Asked at the outermost case
  // only, so that no text is searched twice.
  const caseBody = (node: Node) => {
    if (casesAround === 0 && !hasAliases && !mention.test(node.text)) return 'skip';
    casesAround += 1;
    return () => {
      casesAround -= 1;
    };
  };

  const noteModule = (module: string) => {
    tally.modules.add(module);
    if (module.startsWith('.')) tally.takesOver = true;
  };

  function visitCall(call: Node): (() => void) | undefined {
    const callee = call.childForFieldName('function');
    const parameters = call.childForFieldName('arguments');
    if (callee === null || parameters === null) return undefined;
    if (callee.type === 'parenthesized_expression') {
      for (const child of listChildren(callee)) if (functions.has(child.type)) runOnce.add(child.id);
      return undefined;
    }
    const chain = readChain(callee);
    if (chain === undefined) return undefined;
    if (chain.head === 'require' && chain.properties.length === 0) {
      const [module] = listChildren(parameters);
      if (module?.type === 'string') noteModule(module.text.slice(1, -1));
      return undefined;
    }
    const last = chain.properties.at(-1);
    const isGroup = groups.has(chain.head) || (caseNames.has(chain.head) && chain.properties.includes('describe'));
    const isCase = caseNames.has(chain.head) && chain.properties.every((property) => modifiers.has(property));
    const isSubtest = !isGroup && !isCase && chain.calls === 0 && (last === 'test' || last === 'it');
    if (!isGroup && !isCase && !isSubtest) return undefined;
    // The inner half of `it.each(table)(…)`: the outer half is the case.
    if (parameters.type !== 'arguments' || (chain.calls === 0 && last !== undefined && builders.has(last)))
      return undefined;

    const given = listChildren(parameters);
    const bodies = given.filter((argument) => functions.has(argument.type));
    const titled = given[0]?.type === 'string' || given[0]?.type === 'template_string';
    if (isSubtest && !(titled && bodies.length > 0)) return undefined;
    if (isCase && !titled && bodies.length === 0 && (chain.properties.length > 0 || given.length < 2)) return undefined;
    for (const body of bodies) (isGroup ? runOnce : caseBodies).add(body.id);
    const fromTable = chain.properties.some((property) => tables.has(property));
    if (!isGroup) {
      tally.cases += 1;
      if (repeats > 0 || fromTable) tally.exact = false;
      return undefined;
    }
    return fromTable ? repeated() : undefined;
  }

  return {
    call_expression: visitCall,
    for_statement: repeated,
    for_in_statement: repeated,
    while_statement: repeated,
    do_statement: repeated,
    arrow_function: functionBody,
    function_expression: functionBody,
    generator_function: functionBody,
    function_declaration: repeated,
    generator_function_declaration: repeated,
    method_definition: repeated,
    import_statement(statement) {
      const module = statement.childForFieldName('source')?.text.slice(1, -1);
      if (module !== undefined) noteModule(module);
      return undefined;
    },
    import_specifier(specifier) {
      const alias = specifier.childForFieldName('alias');
      if (alias === null || !caseNames.has(specifier.childForFieldName('name')?.text ?? '')) return undefined;
      hasAliases = true;
      caseNames.add(alias.text);
      return undefined;
    },
  };
}

/** `test.only.each(table)` → head `test`, properties `only`, `each`, one call. */
function readChain(callee: Node): Chain | undefined {
  const properties: string[] = [];
  let calls = 0;
  let node: Node | null = callee;
  for (let step = 0; step < maxChain && node !== null; step += 1) {
    if (node.type === 'identifier') return { head: node.text, properties: properties.reverse(), calls };
    if (node.type === 'member_expression') {
      properties.push(node.childForFieldName('property')?.text ?? '');
      node = node.childForFieldName('object');
    } else if (node.type === 'call_expression') {
      calls += 1;
      node = node.childForFieldName('function');
    } else return undefined;
  }
  return undefined;
}

// `def test_…` at module level or in a test class. `parametrize`, parametrised fixtures and loops make the count a lower bound.

const parametrised = /\bparametri[sz]e|\bparameterized\b|\bparams\s*=/;

function pythonTestVisitors(tally: TestCaseTally): Visitors {
  const fixtures = new Set<number>();
  let functions = 0;
  let loops = 0;
  let closedClasses = 0;

  function decorated(node: Node): undefined {
    const definition = node.childForFieldName('definition');
    for (const decorator of node.namedChildren) {
      if (decorator.type !== 'decorator') continue;
      const { text } = decorator;
      if (parametrised.test(text)) tally.exact = false;
      if (/\bfixture\b/.test(text) && definition !== null) fixtures.add(definition.id);
    }
  }
  const loop = () => {
    loops += 1;
    return () => {
      loops -= 1;
    };
  };

  return {
    decorated_definition: decorated,
    for_statement: loop,
    while_statement: loop,
    class_definition(node) {
      const bases = node.childForFieldName('superclasses');
      const collected = bases !== null || (node.childForFieldName('name')?.text ?? '').startsWith('Test');
      if (bases !== null) tally.takesOver = true;
      if (collected) return undefined;
      closedClasses += 1;
      return () => {
        closedClasses -= 1;
      };
    },
    function_definition(node) {
      const name = node.childForFieldName('name')?.text ?? '';
      if (/^test(_|[A-Z0-9]|$)/.test(name) && functions === 0 && closedClasses === 0 && !fixtures.has(node.id)) {
        tally.cases += 1;
        if (loops > 0) tally.exact = false;
      }
      if (name === 'pytest_generate_tests') tally.exact = false;
      functions += 1;
      return () => {
        functions -= 1;
      };
    },
    import_statement(node) {
      for (const child of node.namedChildren) {
        const module = child.type === 'aliased_import' ? child.childForFieldName('name')?.text : child.text;
        tally.modules.add(pythonModule(module ?? ''));
      }
      return undefined;
    },
    wildcard_import() {
      tally.takesOver = true;
      return undefined;
    },
    import_from_statement(node) {
      const module = pythonModule(node.childForFieldName('module_name')?.text ?? '');
      // Mocks are taken from it by tests of every kind.
      if (module !== 'unittest' || /\bTestCase\b/.test(node.text)) tally.modules.add(module);
      return undefined;
    },
  };
}

/** The package; the tests of a framework stand in a module of it. */
function pythonModule(name: string): string {
  if (/^django\.test(?:\.|$)/.test(name)) return 'django.test';
  return name === 'unittest.mock' ? name : (name.split('.')[0] ?? '');
}

// `func Test…(t *testing.T)` and suite methods without parameters. A subtest (`t.Run`) makes the count a lower bound.

/** As `go test` decides: what follows `Test` does not begin with a lower-case letter. */
const testName = /^Test(?!\p{Ll})/u;

function goTestVisitors(tally: TestCaseTally): Visitors {
  let inTest = 0;
  const visitFunction = (parametersOfTest: number) => (node: Node) => {
    const parameters = listChildren(node.childForFieldName('parameters'));
    const isTest = testName.test(node.childForFieldName('name')?.text ?? '') && parameters.length === parametersOfTest;
    if (!isTest || parameters[0]?.text.endsWith('testing.M')) return undefined;
    tally.cases += 1;
    inTest += 1;
    return () => {
      inTest -= 1;
    };
  };
  return {
    function_declaration: visitFunction(1),
    method_declaration: visitFunction(0),
    call_expression(node) {
      if (inTest === 0) return undefined;
      const callee = node.childForFieldName('function');
      if (callee?.type === 'selector_expression' && callee.childForFieldName('field')?.text === 'Run')
        tally.exact = false;
      return undefined;
    },
  };
}

// Functions under `#[test]` or an attribute macro that stands for it (`#[tokio::test]`). Tables of cases make it a lower bound.

const testAttributes = new Set(['test', 'rstest', 'test_case', 'wasm_bindgen_test', 'quickcheck', 'proptest']);
const tableAttributes = new Set(['rstest', 'test_case', 'case', 'values', 'parameterized']);

function rustTestVisitors(tally: TestCaseTally): Visitors {
  let isTest = false;
  let hasTable = false;
  const noteTestsInTokens: Visitors[string] = (node) => {
    if (/#\[(?:\w+::)?test\b/.test(node.text)) tally.exact = false;
    return undefined;
  };
  return {
    attribute_item(node) {
      const path = node.namedChildren.find((child) => child.type === 'attribute')?.namedChildren[0]?.text ?? '';
      const name = path.slice(path.lastIndexOf(':') + 1);
      if (testAttributes.has(name)) isTest = true;
      if (tableAttributes.has(name)) hasTable = true;
      return undefined;
    },
    function_item() {
      if (isTest) {
        tally.cases += 1;
        if (hasTable) tally.exact = false;
      }
      isTest = false;
      hasTable = false;
      return undefined;
    },
    // `proptest! { #[test] fn … }` and `macro_rules!` that write tests: tokens, not functions.
    macro_invocation: noteTestsInTokens,
    macro_definition: noteTestsInTokens,
  };
}

// Methods under JUnit's `@Test`; parametrised, repeated and dynamic tests make the count a lower bound.

const manyCases = new Set(['ParameterizedTest', 'RepeatedTest', 'TestFactory', 'TestTemplate']);

function javaTestVisitors(tally: TestCaseTally): Visitors {
  return {
    superclass() {
      tally.takesOver = true;
      return undefined;
    },
    method_declaration(node) {
      const annotations = node.namedChildren.find((child) => child.type === 'modifiers')?.namedChildren ?? [];
      for (const annotation of annotations) {
        const path = annotation.childForFieldName('name')?.text ?? '';
        const name = path.slice(path.lastIndexOf('.') + 1);
        if (name !== 'Test' && !manyCases.has(name)) continue;
        tally.cases += 1;
        if (name !== 'Test' || annotation.text.includes('dataProvider')) tally.exact = false;
        break;
      }
      return undefined;
    },
    import_declaration(node) {
      if (node.text.includes('org.junit.')) tally.modules.add('org.junit');
      return undefined;
    },
  };
}

// What the visitors of one file add to.

type TestCaseTally = {
  cases: number;
  exact: boolean;
  /** Cases may stand in a module that the file imports and calls, or in a class that its own extends. */
  takesOver: boolean;
  readonly modules: Set<string>;
};

const testLibraryModules: ReadonlySet<string> = new Set([
  'node:test',
  'vitest',
  '@jest/globals',
  'mocha',
  'ava',
  'tap',
  '@playwright/test',
  'cypress',
  'pytest',
  'unittest',
  'django.test',
  'org.junit',
]);
