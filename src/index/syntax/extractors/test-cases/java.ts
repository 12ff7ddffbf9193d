/** Methods under JUnit's `@Test`; parametrised, repeated and dynamic tests make the count a lower bound. */

import type { Visitors } from '../../walk-tree.ts';
import type { TestCaseTally } from './tally.ts';

const manyCases = new Set(['ParameterizedTest', 'RepeatedTest', 'TestFactory', 'TestTemplate']);

export function javaTestVisitors(tally: TestCaseTally): Visitors {
  return {
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
