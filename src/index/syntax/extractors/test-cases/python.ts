/** `def test_…` at module level or in a test class. `parametrize`, parametrised fixtures and loops make the count a lower bound. */

import type { Node } from 'web-tree-sitter';
import type { Visitors } from '../../walk-tree.ts';
import type { TestCaseTally } from './tally.ts';

const parametrised = /\bparametri[sz]e|\bparameterized\b|\bparams\s*=/;

export function pythonTestVisitors(tally: TestCaseTally): Visitors {
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
      const collected =
        node.childForFieldName('superclasses') !== null ||
        (node.childForFieldName('name')?.text ?? '').startsWith('Test');
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
        tally.modules.add(module?.split('.')[0] ?? '');
      }
      return undefined;
    },
    import_from_statement(node) {
      tally.modules.add(node.childForFieldName('module_name')?.text.split('.')[0] ?? '');
      return undefined;
    },
  };
}
