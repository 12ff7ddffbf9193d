/** `func Test…(t *testing.T)` and suite methods without parameters. A subtest (`t.Run`) makes the count a lower bound. */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import type { TestCaseTally } from './tally.ts';

/** As `go test` decides: what follows `Test` does not begin with a lower-case letter. */
const testName = /^Test(?!\p{Ll})/u;

export function goTestVisitors(tally: TestCaseTally): Visitors {
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
