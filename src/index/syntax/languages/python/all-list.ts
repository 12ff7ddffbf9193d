/** The names of `__all__`, built up over the statements of a module. It is unknown as soon as one of them is not plain strings. */

import type { Node } from 'web-tree-sitter';
import { listChildren } from '../../walk-tree.ts';
import { stringLiteral } from './string-literal.ts';

export type AllList = { names: Set<string>; literal: boolean; present: boolean };

/** `__all__ = [...]`, `__all__ += [...]`. */
export function assignAll(all: AllList, value: Node | null, augmented: boolean, text: string): void {
  if (!augmented) all.names = new Set();
  all.literal = (augmented ? all.literal : true) && addNames(all, value, text);
  all.present = true;
}

/** `__all__.extend([...])`, `__all__.append("x")`; any other method makes it unknown. */
export function callOnAll(all: AllList, statement: Node, text: string): void {
  const call = statement.firstNamedChild;
  const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
  const method = callee?.childForFieldName('attribute') ?? null;
  const given = listChildren(call?.childForFieldName('arguments') ?? null);
  const name = method === null ? '' : text.slice(method.startIndex, method.endIndex);
  const [first] = given;
  const string = name === 'append' ? stringLiteral(first, text) : null;
  if (string !== null) all.names.add(string);
  else all.literal = name === 'extend' && first !== undefined && addNames(all, first, text) && all.literal;
}

function addNames(all: AllList, value: Node | null, text: string): boolean {
  if (value?.type !== 'list' && value?.type !== 'tuple') return false;
  return listChildren(value).every((item) => {
    const name = stringLiteral(item, text);
    if (name !== null) all.names.add(name);
    return name !== null;
  });
}
