/** JavaScript and TypeScript. */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import { type ContractTag, type HintNotes, readTags } from './hints.ts';
import { createValidatorNames } from './javascript-validators.ts';

const asserts = /^(?:console\.)?assert(?:\.[A-Za-z]+){0,2}$/;
const invariants = /^(?:invariant|tinyInvariant|precondition|postcondition)$/;
/** Functions whose argument has the type `never`, by the names they are given. */
const exhaustive = /^(?:assertNever|assertUnreachable|unreachable|exhaustive|exhaustiveCheck|absurd)$/;
const cases = /^(?:it|test|specify|[xf]it|xtest|xspecify)(?:\.(?!describe\b)[A-Za-z]+){0,4}$/;
/** `it.each(table)` and its kin, whose call is the case. */
const builtCases = /^(?:it|test|specify)(?:\.[A-Za-z]+){0,3}\.(?:each|for|skipIf|runIf)\b/;
const subtests = /^[A-Za-z_$][\w$]{0,40}\.(?:test|it)$/;
/** Every call above begins like this. */
const interesting =
  /(?:console\.)?(?:assert|invariant|tinyInvariant|precondition|postcondition|unreachable|exhaustive|absurd|it|test|specify|[xf]it|xtest|xspecify)[\w.(]|[A-Za-z_$][\w$]{0,40}\.(?:test|it)\(/y;
const functions = new Set(['arrow_function', 'function_expression', 'generator_function']);
const calleeChars = 80;

const tagPattern =
  /^[ \t]{0,80}(?:\/\*\*)?[ \t*]{0,40}@(throws|exception|deprecated|internal|invariant|pre|precondition|post|postcondition)\b/gm;
const tags: Readonly<Record<string, ContractTag>> = {
  throws: 'throws',
  exception: 'throws',
  deprecated: 'deprecated',
  internal: 'internal',
  invariant: 'invariant',
  pre: 'pre',
  precondition: 'pre',
  post: 'post',
  postcondition: 'post',
};

export function javascriptHintVisitors(notes: HintNotes): Visitors {
  const validators = createValidatorNames(notes);
  return {
    ...validators.visitors,
    call_expression(call) {
      if (!notes.beginsWith(call, interesting)) return undefined;
      const callee = call.childForFieldName('function');
      if (callee === null) return undefined;
      const name = notes.head(callee, calleeChars);
      if (asserts.test(name)) notes.assertion('assert', call);
      else if (invariants.test(name)) notes.assertion('invariant', call);
      else if (exhaustive.test(name)) notes.assertion('exhaustive_never', call);
      else readCase(call, callee, name);
      return undefined;
    },
    if_statement(node) {
      const body = node.childForFieldName('consequence');
      const first = body?.type === 'statement_block' ? listChildren(body)[0] : body;
      if (first?.type !== 'throw_statement' || node.childForFieldName('alternative') !== null) return undefined;
      // What is only passed on was somebody else's rule.
      if (listChildren(first)[0]?.type !== 'identifier') notes.assertion('throw_guard', node);
      return undefined;
    },
    type_predicate_annotation: typeGuard,
    asserts_annotation: typeGuard,
    variable_declarator(node) {
      validators.declarator(node);
      const type = node.childForFieldName('type');
      if (type !== null && /^:\s{0,20}never$/.test(notes.head(type, 30))) notes.assertion('exhaustive_never', node);
      return undefined;
    },
    satisfies_expression(node) {
      const type = node.namedChildren.at(-1);
      if (type !== undefined && notes.head(type, 10) === 'never') notes.assertion('exhaustive_never', node);
      return undefined;
    },
    comment(node) {
      if (notes.head(node, 3) === '/**') readTags(notes, node, tagPattern, tags);
      return undefined;
    },
  };

  function typeGuard(node: Node): undefined {
    const { parent } = node;
    if (parent !== null) notes.assertion('type_guard', parent, { start: parent.startIndex, end: node.endIndex });
  }

  function readCase(call: Node, callee: Node, name: string): void {
    const isBuilt = callee.type === 'call_expression' && builtCases.test(name);
    const isSubtest = subtests.test(name);
    if (!isBuilt && !isSubtest && !cases.test(name)) return;
    const parameters = call.childForFieldName('arguments');
    if (parameters?.type !== 'arguments') return;
    const given = listChildren(parameters);
    const [title] = given;
    if (title?.type !== 'string' && title?.type !== 'template_string') return;
    if (isSubtest && !given.some(({ type }) => functions.has(type))) return;
    notes.title(call, notes.head(title, 1_000));
  }
}
