/** The order in which Python evaluates a function, as far as one variable can tell. */

import { childByField, childByType, firstChild, isNamed, listChildNodes, textOf } from '../parsing/flat-tree.ts';
import type { FlowModel, FlowWalk } from '../scopes/flow-graph.ts';

const jumps: ReadonlySet<string> = new Set([
  'break_statement',
  'continue_statement',
  'return_statement',
  'raise_statement',
]);

const comprehension = /_comprehension$|^generator_expression$/;

const pythonFlow: FlowModel = {
  walk: walkPython,
  jumps,
  owners: /^(?:module|function_definition|lambda|class_definition|.*_comprehension|generator_expression)$/,
};

export default pythonFlow;

function walkPython(walk: FlowWalk): void {
  const { tree, flow, matters, placeAt, placeUse, placeDefinition, enter, leave, owner } = walk;
  const parameters = childByField(tree, owner, 'parameters');
  if (tree.type[owner] === 'module' || tree.type[owner] === 'class_definition') {
    const body = childByField(tree, owner, 'body');
    runAll(body >= 0 ? body : owner);
  } else if (comprehension.test(tree.type[owner] ?? '')) runComprehension(owner);
  else {
    if (parameters >= 0) run(parameters);
    runField(owner, 'body');
  }

  function runAll(node: number): void {
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) run(child);
  }

  function runField(node: number, field: string): void {
    const child = childByField(tree, node, field);
    if (child >= 0) run(child);
  }

  function runFields(node: number, ...fields: readonly string[]): void {
    for (const field of fields) runField(node, field);
  }

  function run(node: number): void {
    if (!matters(node) || placeAt(node) || !enter()) return;
    step(node, tree.type[node] ?? '');
    leave();
  }

  function step(node: number, type: string): void {
    if (comprehension.test(type)) {
      runComprehension(node);
      return;
    }
    switch (type) {
      case 'function_definition':
        // Defaults and annotations run here, the body later.
        for (const child of listChildNodes(tree, childByField(tree, node, 'parameters'))) runField(child, 'value');
        runField(node, 'name');
        return;
      case 'lambda':
        for (const child of listChildNodes(tree, childByField(tree, node, 'parameters'))) runField(child, 'value');
        return;
      case 'class_definition':
        runFields(node, 'superclasses', 'body', 'name');
        return;
      case 'default_parameter':
      case 'typed_default_parameter':
        runField(node, 'name');
        return;
      case 'assignment':
        runFields(node, 'right', 'left');
        return;
      case 'augmented_assignment': {
        const left = childByField(tree, node, 'left');
        const isPlace = left >= 0 && placeUse(left);
        if (left >= 0 && !isPlace) run(left);
        runField(node, 'right');
        if (isPlace) placeDefinition(left);
        return;
      }
      case 'named_expression':
        runFields(node, 'value', 'name');
        return;
      case 'as_pattern':
        runAll(node);
        return;
      case 'boolean_operator':
        runField(node, 'left');
        flow.choose([() => runField(node, 'right')], true);
        return;
      case 'conditional_expression': {
        const [consequence, condition, alternative] = listChildNodes(tree, node).filter((child) =>
          isNamed(tree.type[child] ?? ''),
        );
        if (condition !== undefined) run(condition);
        flow.choose(
          [consequence, alternative].map((way) => () => {
            if (way !== undefined) run(way);
          }),
          false,
        );
        return;
      }
      case 'if_statement':
        runIf(node);
        return;
      case 'while_statement':
        flow.loop({
          test: () => runField(node, 'condition'),
          body: () => runField(node, 'body'),
          otherwise: () => runField(node, 'alternative'),
          canEnd: textOf(tree, childByField(tree, node, 'condition')) !== 'True',
          testsFirst: true,
          labels: new Set(),
        });
        return;
      case 'for_statement':
        flow.loop({
          before: () => runField(node, 'right'),
          body: () => runFields(node, 'left', 'body'),
          otherwise: () => runField(node, 'alternative'),
          canEnd: true,
          testsFirst: true,
          labels: new Set(),
        });
        return;
      case 'try_statement':
        runTry(node);
        return;
      case 'match_statement':
        runMatch(node);
        return;
      case 'break_statement':
        flow.jumpBreak(null);
        return;
      case 'continue_statement':
        flow.jumpContinue(null);
        return;
      case 'return_statement':
        runAll(node);
        flow.jumpReturn();
        return;
      case 'raise_statement':
        runAll(node);
        flow.jumpThrow();
        return;
      case 'assert_statement':
        runAll(node);
        return;
      default:
        runAll(node);
    }
  }

  function runIf(node: number): void {
    const clauses = listChildNodes(tree, node).filter((child) => /^el(?:if|se)_clause$/.test(tree.type[child] ?? ''));
    runField(node, 'condition');
    runRest(() => runField(node, 'consequence'), 0);

    function runRest(then: () => void, index: number): void {
      const clause = clauses[index];
      if (clause === undefined) flow.choose([then], true);
      else if (tree.type[clause] === 'else_clause') flow.choose([then, () => run(clause)], false);
      else
        flow.choose(
          [
            then,
            () => {
              if (!enter()) return;
              runField(clause, 'condition');
              runRest(() => runField(clause, 'consequence'), index + 1);
              leave();
            },
          ],
          false,
        );
    }
  }

  function runTry(node: number): void {
    const children = listChildNodes(tree, node);
    const handlers = children.filter((child) => /^except(?:_group)?_clause$/.test(tree.type[child] ?? ''));
    const otherwise = childByType(tree, node, 'else_clause');
    const last = childByType(tree, node, 'finally_clause');
    flow.guarded(
      () => runField(node, 'body'),
      handlers.map((handler) => () => runAll(handler)),
      otherwise >= 0 ? () => runAll(otherwise) : null,
      last >= 0 ? () => runAll(last) : null,
    );
  }

  function runMatch(node: number): void {
    runField(node, 'subject');
    const body = childByField(tree, node, 'body');
    const cases = body < 0 ? [] : listChildNodes(tree, body).filter((child) => tree.type[child] === 'case_clause');
    // A pattern may bind some of its names and still fail, so the cases are tried as if each could leave its names behind.
    for (const clause of cases) {
      flow.choose(
        [
          () => {
            for (const child of listChildNodes(tree, clause)) if (tree.field[child] !== 'consequence') run(child);
          },
        ],
        true,
      );
    }
    flow.choose(
      cases.map((clause) => () => runField(clause, 'consequence')),
      true,
    );
  }

  function runComprehension(node: number): void {
    const children = listChildNodes(tree, node);
    const clauses = children.filter((child) => /^(?:for_in|if)_clause$/.test(tree.type[child] ?? ''));
    nest(0);

    function nest(index: number): void {
      const clause = clauses[index];
      if (clause === undefined) {
        runField(node, 'body');
        return;
      }
      if (!enter()) return;
      if (tree.type[clause] === 'if_clause') {
        runAll(clause);
        flow.choose([() => nest(index + 1)], true);
      } else
        flow.loop({
          before: () => runField(clause, 'right'),
          body() {
            runField(clause, 'left');
            nest(index + 1);
          },
          canEnd: true,
          testsFirst: true,
          labels: new Set(),
        });
      leave();
    }
  }
}
