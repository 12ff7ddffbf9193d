/** Names that PHP reaches at run time: variable variables, functions, methods, properties and classes, and calls that take a name. */

import type { Node } from 'web-tree-sitter';
import type { DynamicKind, DynamicSite } from '../../facts.ts';
import { listChildren } from '../../walk-tree.ts';
import { stringLiteral } from './literal.ts';

/** Function → kind and the position of the name. */
const reachingCalls: Readonly<Record<string, readonly [DynamicKind, number]>> = {
  call_user_func: ['send', 0],
  call_user_func_array: ['send', 0],
  forward_static_call: ['send', 0],
  is_callable: ['send', 0],
  method_exists: ['reflection', 1],
  property_exists: ['reflection', 1],
  constant: ['reflection', 0],
  eval: ['eval', -1],
  extract: ['computed_member', -1],
  compact: ['computed_member', 0],
};

const reflectionClass = /^\\?Reflection(?:Class|Object|Method|Property|Function|ClassConstant|Enum)$/i;

export function readFunctionCall(call: Node, text: string): DynamicSite[] {
  const callee = call.childForFieldName('function');
  if (callee === null) return [];
  const given = listArguments(call.childForFieldName('arguments'));
  if (callee.type !== 'name' && callee.type !== 'qualified_name') {
    // `foo()()` and `(fn() => 1)()` call a value, not a name.
    const callsValue = /call_expression$|^parenthesized_expression$|function$/.test(callee.type);
    return callsValue ? [] : [siteAt(call, 'send', callableName(callee, text))];
  }
  const name = text.slice(callee.startIndex, callee.endIndex).replace(/^\\/, '').toLowerCase();
  const reaching = Object.hasOwn(reachingCalls, name) ? reachingCalls[name] : undefined;
  if (reaching === undefined) return [];
  const [kind, position] = reaching;
  if (name === 'compact' && given.length > 0) return given.map((item) => siteAt(call, kind, stringLiteral(item, text)));
  return [siteAt(call, kind, position < 0 ? null : callableName(given[position], text))];
}

/** `->$name`, `->{'x'}`, `::{$x}`: a member whose name is not written as one. */
export function readMember(node: Node, kind: DynamicKind, text: string): DynamicSite | undefined {
  const name = node.childForFieldName('name');
  if (name === null || name.type === 'name') return undefined;
  // `Foo::$count` is how a static property is written.
  if (node.type === 'scoped_property_access_expression') return undefined;
  return siteAt(node, kind, stringLiteral(name, text));
}

/** `new $class`, and reflection by name. */
export function readCreation(node: Node, text: string): DynamicSite | undefined {
  const [made, second] = listChildren(node);
  if (made === undefined || made.type === 'anonymous_class' || made.type === 'arguments') return undefined;
  if (made.type !== 'name' && made.type !== 'qualified_name') return siteAt(node, 'reflection', null);
  const name = text.slice(made.startIndex, made.endIndex);
  if (!reflectionClass.test(name)) return undefined;
  const given = listArguments(second?.type === 'arguments' ? second : null);
  return siteAt(node, 'reflection', stringLiteral(given[/Method|Property|Constant/i.test(name) ? 1 : 0], text));
}

export function readVariableVariable(node: Node, text: string): DynamicSite {
  return siteAt(node, 'computed_member', stringLiteral(listChildren(node)[0], text));
}

/** `'name'`, or the method of `[$object, 'name']`. */
function callableName(node: Node | undefined, text: string): string | null {
  if (node?.type !== 'array_creation_expression') return stringLiteral(node, text);
  const items = listChildren(node);
  return items.length === 2 ? stringLiteral(listChildren(items[1] ?? null)[0], text) : null;
}

function listArguments(node: Node | null): Node[] {
  return listChildren(node).flatMap((argument) => listChildren(argument).at(-1) ?? []);
}

/** Of `Acme\Order::total` the name that is reached for is `total`. */
function siteAt(node: Node, kind: DynamicKind, written: string | null): DynamicSite {
  const name = written === null ? null : written.replace(/^.*(?:\\|::)/s, '') || null;
  return { start: node.startIndex, end: node.endIndex, kind, name };
}
