/**
 * How many test cases a file declares, and which test libraries it imports.
 * `cases` is a lower bound; `exact` is true only when nothing in the file can make more of them at run time (tables, loops,
 * helpers that are called several times, parametrised tests) and no part of it was unreadable.
 */

import { assert } from '../../../kernel/base/assert.ts';
import type { ProbeGrammar } from '../grammar-of-path.ts';
import type { GrammarName } from '../grammars.ts';
import type { ParsedSource } from '../parse-source.ts';
import { type Visitors, walkTree } from '../walk-tree.ts';
import { goTestVisitors } from './test-cases/go.ts';
import { javaTestVisitors } from './test-cases/java.ts';
import { javascriptTestVisitors } from './test-cases/javascript.ts';
import { pythonTestVisitors } from './test-cases/python.ts';
import { rustTestVisitors } from './test-cases/rust.ts';
import { type TestCaseTally, testLibraryModules } from './test-cases/tally.ts';

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
} satisfies Record<ProbeGrammar, unknown>;

export function extractTestCases({ grammar, root, hasErrors }: ParsedSource): TestCaseFacts {
  const tally: TestCaseTally = { cases: 0, exact: !hasErrors, modules: new Set() };
  const visitors = visitorsByGrammar[grammar];
  assert(visitors !== undefined, `no test is recognised in ${grammar}`);
  walkTree(root, visitors(tally));
  const libraries = [...tally.modules].filter((module) => testLibraryModules.has(module)).sort();
  // A file that imports a test library and shows no case declares them in a way that is not understood here.
  return { cases: tally.cases, exact: tally.exact && (tally.cases > 0 || libraries.length === 0), libraries };
}
