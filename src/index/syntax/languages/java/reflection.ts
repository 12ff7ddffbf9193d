/**
 * Calls that reach a class or a member by a name in a string. A name that other libraries use too (`invoke`, `getField`) counts only
 * in a file that speaks of classes as values. The site begins at the method's name: calls of one chain begin at the same place.
 */

import type { Node } from 'web-tree-sitter';
import type { FactSheet } from '../shared/fact-sheet.ts';

const certain = new Set([
  'forName',
  'getDeclaredMethod',
  'getDeclaredMethods',
  'getDeclaredField',
  'getDeclaredFields',
]);
const likely = new Set([
  'loadClass',
  'getMethod',
  'getMethods',
  'getField',
  'getFields',
  'getConstructor',
  'getConstructors',
  'getDeclaredConstructor',
  'getDeclaredConstructors',
  'getRecordComponents',
  'newInstance',
  'newProxyInstance',
  'invoke',
  'invokeExact',
  'findVirtual',
  'findStatic',
  'findSpecial',
  'findConstructor',
  'findGetter',
  'findSetter',
  'findStaticGetter',
  'findStaticSetter',
  'findVarHandle',
]);
const classesAsValues = /\bClass\b|\.\s*class\b|\bgetClass\b|\bjava\.lang\.(?:reflect|invoke)\b/;

export type ReflectionSearch = (node: Node, inside: string) => void;

/** Searches a body or an initialiser, whose text is asked first. */
export function createReflectionSearch(sheet: FactSheet, text: string): ReflectionSearch {
  const isLikely = classesAsValues.test(text);
  const mayReflect = callOf(isLikely ? [...certain, ...likely] : [...certain]);
  if (!mayReflect.test(text)) return () => {};
  return (node, inside) => {
    if (!mayReflect.test(inside)) return;
    for (const call of node.descendantsOfType('method_invocation')) {
      const name = call?.childForFieldName('name');
      if (!call || !name) continue;
      const method = text.slice(name.startIndex, name.endIndex);
      if (!certain.has(method) && !(isLikely && likely.has(method))) continue;
      sheet.dynamicSites.push({
        kind: 'reflection',
        name: firstString(call.childForFieldName('arguments'), text),
        start: name.startIndex,
        end: call.endIndex,
      });
    }
  };
}

function callOf(methods: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${methods.join('|')})\\s*\\(`);
}

function firstString(args: Node | null, text: string): string | null {
  const literal = args?.namedChildren.find((child) => child.type === 'string_literal');
  if (literal === undefined) return null;
  const written = text.slice(literal.startIndex, literal.endIndex);
  return written.startsWith('"""') || written.includes('\\') ? null : written.slice(1, -1);
}
