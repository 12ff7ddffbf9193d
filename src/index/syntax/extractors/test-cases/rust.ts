/** Functions under `#[test]` or an attribute macro that stands for it (`#[tokio::test]`). Tables of cases make it a lower bound. */

import type { Visitors } from '../../walk-tree.ts';
import type { TestCaseTally } from './tally.ts';

const testAttributes = new Set(['test', 'rstest', 'test_case', 'wasm_bindgen_test', 'quickcheck', 'proptest']);
const tableAttributes = new Set(['rstest', 'test_case', 'case', 'values', 'parameterized']);

export function rustTestVisitors(tally: TestCaseTally): Visitors {
  let isTest = false;
  let hasTable = false;
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
    macro_invocation(node) {
      // `proptest! { #[test] fn … }`: tokens, not functions.
      if (node.text.includes('#[test]')) tally.exact = false;
      return undefined;
    },
  };
}
