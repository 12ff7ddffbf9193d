/**
 * The name inside a declarator. C writes types around names, `int *(*f(void))[3]`, so the name is looked for inwards; what stands
 * next to it says whether a function or a variable is declared.
 */

import type { Node } from 'web-tree-sitter';

export type Declared = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `a::B` of `a::B::c`, else empty. */
  readonly qualifier: string;
  readonly isFunction: boolean;
  readonly isPointer: boolean;
};

const wrappers = new Set([
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'init_declarator',
  'attributed_declarator',
  'pointer_type_declarator',
  'variadic_declarator',
  'bitfield_clause',
  'optional_type_declarator',
]);

export function findDeclared(declarator: Node, text: string): Declared | undefined {
  let node = declarator;
  let nearest = '';
  let isPointer = false;
  while (wrappers.has(node.type)) {
    if (node.type !== 'parenthesized_declarator' && node.type !== 'attributed_declarator') nearest = node.type;
    if (node.type === 'pointer_declarator') isPointer = true;
    const inner = node.childForFieldName('declarator') ?? innerOf(node);
    if (inner === null) return undefined;
    node = inner;
  }
  const isFunction = nearest === 'function_declarator';
  const outer = node.startIndex;
  while (node.type === 'qualified_identifier' || node.type === 'template_function' || node.type === 'template_method') {
    const name = node.childForFieldName('name');
    if (name === null) return undefined;
    node = name;
  }
  const start = node.startIndex;
  const end =
    node.type === 'operator_cast' ? (node.childForFieldName('type')?.endIndex ?? node.endIndex) : node.endIndex;
  const name = squeeze(text.slice(start, end));
  if (!/^[~\w$\x80-\uffff]/.test(name)) return undefined;
  const qualifier = text.slice(outer, start).replace(/\s+/g, '').replace(/::$/, '');
  return { text: name, start, end, qualifier, isFunction: isFunction || node.type === 'operator_cast', isPointer };
}

/** Declarators without a field for what they hold: the first child that could be one. */
function innerOf(node: Node): Node | null {
  return (
    node.namedChildren.find(
      (child) => wrappers.has(child.type) || /(?:identifier|_name|operator_cast|template_function)$/.test(child.type),
    ) ?? null
  );
}

/** `operator ==` and `operator==` are one name; `operator new` keeps its space. */
function squeeze(name: string): string {
  return name.replace(/\s+/g, ' ').replace(/ (?=[^\w])|(?<=~) /g, '');
}
