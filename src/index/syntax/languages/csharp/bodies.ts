/**
 * What is looked for inside a member: local functions, calls that reach a type or a member by a name in a string, and `dynamic`,
 * whose members are looked up when the program runs. `nameof` is no such call: the compiler checks it. The text is asked first, so
 * that most bodies are never searched; a reflective site begins at the method's name, because calls of one chain begin together.
 */

import type { Node } from 'web-tree-sitter';
import { addSymbol, type FactSheet } from '../shared/fact-sheet.ts';

const reflective = new Set([
  'GetMethod',
  'GetMethods',
  'GetProperty',
  'GetProperties',
  'GetField',
  'GetFields',
  'GetMember',
  'GetMembers',
  'GetEvent',
  'GetConstructor',
  'GetConstructors',
  'GetNestedType',
  'InvokeMember',
  'CreateInstance',
  'CreateDelegate',
  'GetType',
]);
const mayReflect = new RegExp(`\\b(?:${[...reflective].join('|')})\\b`);
const typesAsValues = /\btypeof\b|\bGetType\b|\bSystem\.Reflection\b|\bActivator\b|\bType\b|\bAssembly\b/;

const isDynamic = /\bdynamic\b/;

/** Two words and a parenthesis, `int Twice(`, where the words are not those of a statement or an expression. */
const mayHoldFunctions =
  /(?<=[\w>\]?])(?<!\b(?:new|return|await|throw|in|is|as|else|case|not|and|or|yield|out|ref|when|do))\s+(?!(?:if|for|foreach|while|switch|using|lock|catch|fixed|when|is|and|or|not|in)\b)\w+\s*(?:<[^()<>]*>\s*)?\(/;

export type BodySearch = (member: Node, from: number, parent: number) => void;

/** `from` is where the member's own signature ends. */
export function createBodySearch(sheet: FactSheet, text: string): BodySearch {
  const hasDynamic = isDynamic.test(text);
  const hasReflection = mayReflect.test(text) && typesAsValues.test(text);
  return (member, from, parent) => {
    const inside = text.slice(from, member.endIndex);
    const types: string[] = [];
    if (mayHoldFunctions.test(inside)) types.push('local_function_statement');
    if (hasReflection && mayReflect.test(inside)) types.push('invocation_expression');
    if (hasDynamic && isDynamic.test(text.slice(member.startIndex, member.endIndex))) types.push('identifier');
    if (types.length === 0) return;
    const around: { readonly end: number; readonly index: number }[] = [];
    for (const node of member.descendantsOfType(types)) {
      if (node === null) continue;
      while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node.startIndex) around.pop();
      if (node.type === 'local_function_statement') {
        around.push({ end: node.endIndex, index: addFunction(sheet, node, text, around.at(-1)?.index ?? parent) });
      } else if (node.type === 'identifier') addDynamic(sheet, node, text);
      else addCall(sheet, node, text);
    }
  };
}

function addFunction(sheet: FactSheet, node: Node, text: string, parent: number): number {
  const name = node.childForFieldName('name');
  if (name === null) return parent;
  const named = { text: text.slice(name.startIndex, name.endIndex), start: name.startIndex, end: name.endIndex };
  return addSymbol(sheet, 'function', named, { start: node.startIndex, end: node.endIndex }, parent, false);
}

function addDynamic(sheet: FactSheet, node: Node, text: string): void {
  const { startIndex: start, endIndex: end } = node;
  if (text.slice(start, end) === 'dynamic') sheet.dynamicSites.push({ kind: 'reflection', name: null, start, end });
}

function addCall(sheet: FactSheet, call: Node, text: string): void {
  const target = call.childForFieldName('function');
  // `a.b()`, and `a?.b()`, whose member stands in a binding of its own.
  const access = target?.type === 'conditional_access_expression' ? target.lastNamedChild : target;
  const name = access?.childForFieldName('name');
  if (!name) return;
  const method = text.slice(name.startIndex, name.endIndex).replace(/<[\s\S]*$/, '');
  const args = call.childForFieldName('arguments')?.namedChildren ?? [];
  // `x.GetType()` asks for the type of a value, which is no lookup by name.
  if (!reflective.has(method) || (method === 'GetType' && args.length === 0)) return;
  const site = { start: name.startIndex, end: call.endIndex };
  sheet.dynamicSites.push({ kind: 'reflection', name: firstString(args, text), ...site });
}

function firstString(args: readonly Node[], text: string): string | null {
  for (const argument of args) {
    const value = argument.firstNamedChild;
    if (value?.type !== 'string_literal') continue;
    const written = text.slice(value.startIndex, value.endIndex);
    return written.includes('\\') ? null : written.slice(1, -1);
  }
  return null;
}
