/** The order in which TypeScript and JavaScript evaluate a function, as far as one variable can tell. */

import { childByField, childByType, firstChild, isNamed, listChildNodes, textOf } from '../parsing/flat-tree.ts';
import type { FlowModel, FlowWalk } from '../scopes/flow-graph.ts';

const jumps: ReadonlySet<string> = new Set([
  'break_statement',
  'continue_statement',
  'return_statement',
  'throw_statement',
]);

/** Run at another time than where they are written. */
const deferred = new Set([
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
  'field_definition',
  'public_field_definition',
  'class_static_block',
]);
const declared = new Set(['function_declaration', 'generator_function_declaration', 'function_signature']);
const conditionalSigns = new Set(["'&&'", "'||'", "'??'"]);
const conditionalAssignments = new Set(["'&&='", "'||='", "'??='"]);

const javascriptFlow: FlowModel = {
  walk: walkJavaScript,
  jumps,
  owners: /^(?:program|.*function.*|method_definition|class_static_block)$/,
};

export default javascriptFlow;

function walkJavaScript(walk: FlowWalk): void {
  const { tree, flow, matters, hasPlaces, placeAt, placeUse, placeDefinition, enter, leave, owner } = walk;
  const optional = listOptionalChains();
  const parameters = childByField(tree, owner, 'parameters');
  const single = childByField(tree, owner, 'parameter');
  const body = childByField(tree, owner, 'body');
  placeBareVars();
  if (tree.type[owner] === 'program' || body < 0) runAll(owner);
  else {
    if (parameters >= 0) run(parameters);
    if (single >= 0) runTarget(single);
    run(body);
  }

  function runAll(node: number): void {
    hoistFunctions(node);
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) run(child);
  }

  /** `var x;` does nothing where it stands: its definition is that of the function's entry. */
  function placeBareVars(): void {
    const names: number[] = [];
    for (let node = owner; node < (tree.after[owner] ?? 0); node++) {
      if (tree.type[node] !== 'variable_declarator' || childByField(tree, node, 'value') >= 0) continue;
      const name = childByField(tree, node, 'name');
      if (tree.type[tree.parent[node] ?? -1] === 'variable_declaration' && hasPlaces(name)) names.push(name);
    }
    flow.choose(
      names.map((name) => () => placeAt(name)),
      names.length === 0,
    );
  }

  /** A function is defined where its block begins. */
  function hoistFunctions(node: number): void {
    if (!hasPlaces(node)) return;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      const inner = tree.type[child] === 'export_statement' ? childByField(tree, child, 'declaration') : child;
      if (inner < 0 || !declared.has(tree.type[inner] ?? '')) continue;
      const name = childByField(tree, inner, 'name');
      if (name >= 0) placeAt(name);
    }
  }

  function runField(node: number, field: string): void {
    const child = childByField(tree, node, field);
    if (child >= 0) run(child);
  }

  function run(node: number): void {
    if (!matters(node) || placeAt(node) || !enter()) return;
    step(node, tree.type[node] ?? '');
    leave();
  }

  function step(node: number, type: string): void {
    if (deferred.has(type)) {
      const key = childByType(tree, node, 'computed_property_name');
      if (key >= 0) run(key);
      return;
    }
    if (declared.has(type)) return;
    switch (type) {
      case 'assignment_expression':
        runAssignment(node);
        return;
      case 'augmented_assignment_expression':
        runAugmented(node);
        return;
      case 'variable_declarator': {
        runField(node, 'value');
        const name = childByField(tree, node, 'name');
        if (name >= 0) runTarget(name);
        return;
      }
      case 'required_parameter':
      case 'optional_parameter': {
        const value = childByField(tree, node, 'value');
        if (value >= 0) flow.choose([() => run(value)], true);
        const pattern = childByField(tree, node, 'pattern');
        if (pattern >= 0) runTarget(pattern);
        return;
      }
      case 'formal_parameters':
        for (const child of listChildNodes(tree, node)) {
          if (tree.type[child]?.endsWith('_parameter') === true) run(child);
          else if (isNamed(tree.type[child] ?? '')) runTarget(child);
        }
        return;
      case 'ternary_expression':
      case 'if_statement': {
        runField(node, 'condition');
        const ways = ['consequence', 'alternative']
          .map((field) => childByField(tree, node, field))
          .filter((way) => way >= 0);
        flow.choose(
          ways.map((way) => () => run(way)),
          ways.length < 2,
        );
        return;
      }
      case 'binary_expression': {
        runField(node, 'left');
        const sign = childByField(tree, node, 'operator');
        if (conditionalSigns.has(tree.type[sign] ?? '')) flow.choose([() => runField(node, 'right')], true);
        else runField(node, 'right');
        return;
      }
      case 'call_expression':
      case 'member_expression':
      case 'subscript_expression':
        runChain(node);
        return;
      case 'while_statement':
      case 'do_statement':
        flow.loop({
          test: () => runField(node, 'condition'),
          body: () => runField(node, 'body'),
          canEnd: !/^\(\s*true\s*\)$/.test(textOf(tree, childByField(tree, node, 'condition'))),
          testsFirst: type === 'while_statement',
          labels: labelsOf(node),
        });
        return;
      case 'for_statement': {
        const condition = childByField(tree, node, 'condition');
        flow.loop({
          before: () => runField(node, 'initializer'),
          test: () => runField(node, 'condition'),
          body: () => runField(node, 'body'),
          update: () => runField(node, 'increment'),
          canEnd: condition >= 0 && tree.type[condition] !== 'empty_statement',
          testsFirst: true,
          labels: labelsOf(node),
        });
        return;
      }
      case 'for_in_statement': {
        const left = childByField(tree, node, 'left');
        flow.loop({
          before: () => runField(node, 'right'),
          body() {
            if (left >= 0) runTarget(left);
            runField(node, 'body');
          },
          canEnd: true,
          testsFirst: true,
          labels: labelsOf(node),
        });
        return;
      }
      case 'labeled_statement': {
        const inner = childByField(tree, node, 'body');
        if (inner >= 0) flow.breakable(labelsOf(inner), false, () => run(inner));
        return;
      }
      case 'switch_statement':
        runSwitch(node);
        return;
      case 'try_statement':
        runTry(node);
        return;
      case 'break_statement':
        flow.jumpBreak(labelIn(node));
        return;
      case 'continue_statement':
        flow.jumpContinue(labelIn(node));
        return;
      case 'return_statement':
        runAll(node);
        flow.jumpReturn();
        return;
      case 'throw_statement':
        runAll(node);
        flow.jumpThrow();
        return;
      default:
        runAll(node);
    }
  }

  function runAssignment(node: number): void {
    const left = childByField(tree, node, 'left');
    if (left < 0) {
      runAll(node);
      return;
    }
    const isPlace = /^(?:member|subscript)_expression$/.test(tree.type[left] ?? '');
    if (isPlace) run(left);
    runField(node, 'right');
    if (!isPlace) runTarget(left);
  }

  function runAugmented(node: number): void {
    const left = childByField(tree, node, 'left');
    const sign = childByField(tree, node, 'operator');
    if (left < 0) return;
    const isPlace = placeUse(left);
    if (!isPlace) run(left);
    const assign = (): void => {
      runField(node, 'right');
      if (isPlace) placeDefinition(left);
    };
    if (conditionalAssignments.has(tree.type[sign] ?? '')) flow.choose([assign], true);
    else assign();
  }

  /** What is assigned or declared: names are placed, defaults may run, members are evaluated. */
  function runTarget(node: number): void {
    if (!hasPlaces(node) || placeAt(node) || !enter()) return;
    const type = tree.type[node];
    if (type === 'assignment_pattern' || type === 'object_assignment_pattern') {
      const left = childByField(tree, node, 'left');
      flow.choose([() => runField(node, 'right')], true);
      if (left >= 0) runTarget(left);
    } else if (type === 'pair_pattern') {
      runField(node, 'key');
      const value = childByField(tree, node, 'value');
      if (value >= 0) runTarget(value);
    } else if (/_pattern$|^parenthesized_expression$|^non_null_expression$|^as_expression$/.test(type ?? '')) {
      for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) runTarget(child);
    } else step(node, type ?? '');
    leave();
  }

  /** After `?.` the rest of a chain may not run. */
  function runChain(node: number): void {
    const [first, ...rest] = listChildNodes(tree, node);
    if (first !== undefined) run(first);
    const runRest = (): void => {
      for (const child of rest) run(child);
    };
    if (optional[node] === 1) flow.choose([runRest], true);
    else runRest();
  }

  function runSwitch(node: number): void {
    runField(node, 'value');
    const body = childByField(tree, node, 'body');
    if (body < 0) return;
    hoistFunctions(body);
    const cases = listChildNodes(tree, body).filter((child) =>
      /^switch_(?:case|default)$/.test(tree.type[child] ?? ''),
    );
    const hasDefault = cases.some((child) => tree.type[child] === 'switch_default');
    flow.breakable(new Set(), true, () => {
      flow.cases(
        cases.map((child) => ({
          test: () => runField(child, 'value'),
          body() {
            for (const part of listChildNodes(tree, child)) if (tree.field[part] === 'body') run(part);
          },
        })),
        hasDefault,
      );
    });
  }

  function runTry(node: number): void {
    const handler = childByField(tree, node, 'handler');
    const last = childByField(tree, node, 'finalizer');
    const handle = (): void => {
      const parameter = childByField(tree, handler, 'parameter');
      if (parameter >= 0) runTarget(parameter);
      runField(handler, 'body');
    };
    flow.guarded(
      () => runField(node, 'body'),
      handler >= 0 ? [handle] : [],
      null,
      last >= 0 ? () => runField(last, 'body') : null,
    );
  }

  function labelsOf(node: number): ReadonlySet<string> {
    const labels = new Set<string>();
    for (
      let above = tree.parent[node] ?? -1;
      tree.type[above] === 'labeled_statement';
      above = tree.parent[above] ?? -1
    ) {
      const label = childByField(tree, above, 'label');
      if (label >= 0) labels.add(textOf(tree, label));
    }
    return labels;
  }

  function labelIn(node: number): string | null {
    const label = childByField(tree, node, 'label');
    return label < 0 ? null : textOf(tree, label);
  }

  function listOptionalChains(): Uint8Array {
    const found = new Uint8Array(tree.count);
    for (let node = tree.count - 1; node >= 0; node--) {
      const type = tree.type[node];
      if (type === 'optional_chain') found[tree.parent[node] ?? 0] = 1;
      else if (found[node] === 1 && tree.parent[node] === node - 1) {
        const above = tree.type[node - 1] ?? '';
        if (/^(?:call|member|subscript|non_null)_expression$/.test(above)) found[node - 1] = 1;
      }
    }
    return found;
  }
}
