/**
 * `it`, `test` and their kin in JavaScript and TypeScript: `it.only`, `test.each(table)(…)`, `test.skipIf(x)(…)`, `t.test(…)`.
 * A case is counted once where it is written. It may exist many times when it stands in a loop, in a function that is not the
 * body of a suite, or below a table (`each`, `for`); then the tally is no longer exact.
 */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import type { TestCaseTally } from './tally.ts';

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

export function javascriptTestVisitors(tally: TestCaseTally): Visitors {
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
      if (module?.type === 'string') tally.modules.add(module.text.slice(1, -1));
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
      if (module !== undefined) tally.modules.add(module);
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
