/**
 * What the index of `object[index]` is: static (a literal, a well-known symbol), a number by its form, or a name whose declarations
 * decide. Only the form is looked at: a property that is reached by a number is an element of a list, not a member by name.
 */

import type { Node } from 'web-tree-sitter';

export type IndexForm =
  | { readonly kind: 'static' }
  /** A number, if all of these names are numbers. */
  | { readonly kind: 'number'; readonly names: readonly string[] }
  /** A name, or a member of one: static, if the name is a table of constants or a literal. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'dynamic' };

const wrappers: ReadonlySet<string> = new Set([
  'parenthesized_expression',
  'non_null_expression',
  'as_expression',
  'satisfies_expression',
]);
const literals: ReadonlySet<string> = new Set(['string', 'number', 'true', 'false', 'null', 'undefined']);
const arithmetic: ReadonlySet<string> = new Set(['-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const numberCall = /^(?:Math\.|Number\(|parseInt\(|Number\.parse|[\w$.]{1,100}\.(?:lastIndexOf|indexOf|charCodeAt)\()/;
/** Longer sums are nobody's index. */
const termsMax = 16;

export function readIndexForm(index: Node, text: string): IndexForm {
  if (isSaidToBeNumber(index, text)) return { kind: 'number', names: [] };
  const node = unwrap(index);
  if (isLiteral(node)) return { kind: 'static' };
  const source = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 120));
  if (node.type === 'member_expression') {
    if (/^Symbol\s*\./.test(source)) return { kind: 'static' };
    if (/\.\s*(?:length|size)$/.test(text.slice(Math.max(node.startIndex, node.endIndex - 12), node.endIndex)))
      return { kind: 'number', names: [] };
    const object = node.childForFieldName('object');
    return object?.type === 'identifier'
      ? { kind: 'name', name: text.slice(object.startIndex, object.endIndex) }
      : { kind: 'dynamic' };
  }
  if (node.type === 'identifier') return { kind: 'name', name: text.slice(node.startIndex, node.endIndex) };
  const names = numbersIn(node, text);
  return names === undefined ? { kind: 'dynamic' } : { kind: 'number', names };
}

/** Names it takes for a number to be the result; none where arithmetic itself makes one; undefined where nothing says so. */
export function numbersIn(node: Node, text: string): readonly string[] | undefined {
  const names: string[] = [];
  const pending = [node];
  for (let terms = 0; terms < termsMax; terms += 1) {
    const next = pending.pop();
    if (next === undefined) return names;
    if (isSaidToBeNumber(next, text)) continue;
    const term = unwrap(next);
    const source = text.slice(term.startIndex, Math.min(term.endIndex, term.startIndex + 120));
    if (term.type === 'identifier') names.push(source);
    else if (term.type === 'binary_expression') {
      const operator = term.childForFieldName('operator')?.type ?? '';
      if (operator === '+') pending.push(...term.namedChildren);
      else if (!arithmetic.has(operator)) return undefined;
    } else if (term.type === 'unary_expression') {
      if (!/^[-+~]/.test(source)) return undefined;
    } else if (term.type === 'call_expression') {
      if (!numberCall.test(source)) return undefined;
    } else if (term.type === 'member_expression') {
      if (!/\.\s*(?:length|size)$/.test(text.slice(Math.max(term.startIndex, term.endIndex - 12), term.endIndex)))
        return undefined;
    } else if (term.type !== 'number' && term.type !== 'update_expression') return undefined;
  }
  return undefined;
}

export function isLiteral(node: Node): boolean {
  return literals.has(node.type) || (node.type === 'template_string' && !hasSubstitution(node));
}

/** `x as number`: the author's word, as good as an annotation. */
function isSaidToBeNumber(node: Node, text: string): boolean {
  if (node.type !== 'as_expression') return false;
  const type = node.namedChildCount === 2 ? node.lastNamedChild : null;
  return type !== null && text.slice(type.startIndex, type.endIndex) === 'number';
}

/** `x as const` says that it never changes. */
export function isAsConst(node: Node): boolean {
  return node.type === 'as_expression' && node.namedChildCount === 1;
}

function hasSubstitution(node: Node): boolean {
  return node.namedChildren.some((child) => child.type === 'template_substitution');
}

function unwrap(node: Node): Node {
  let inner = node;
  for (let depth = 0; depth < termsMax && wrappers.has(inner.type); depth += 1) {
    const next = inner.firstNamedChild;
    if (next === null) break;
    inner = next;
  }
  return inner;
}
