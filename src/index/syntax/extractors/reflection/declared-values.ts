/**
 * What the names of a file stand for, as far as an index can be judged by it: a number, a constant, or anything. Scopes are not
 * told apart: a name counts as a number or a constant only where every declaration and assignment in the file makes it one.
 */

import type { Node } from 'web-tree-sitter';
import { isAsConst, isLiteral, numbersIn } from './index-form.ts';

export type DeclaredValue = 'number' | 'constant' | 'any';

export interface DeclaredValues {
  declare(name: string, value: DeclaredValue): void;
  /** `for (const x of list)`: an element of a table of constants is a constant. */
  declareElement(name: string, list: string): void;
  find(name: string): DeclaredValue | undefined;
}

export function createDeclaredValues(): DeclaredValues {
  const values = new Map<string, DeclaredValue>();
  const lists = new Map<string, string>();
  const find = (name: string): DeclaredValue | undefined => {
    const list = lists.get(name);
    if (list === undefined) return values.get(name);
    return values.get(list) === 'constant' && !values.has(name) ? 'constant' : 'any';
  };
  return {
    declare(name, value) {
      const before = values.get(name);
      values.set(name, before === undefined || before === value ? value : 'any');
    },
    declareElement(name, list) {
      const before = lists.get(name);
      if (before === undefined || before === list) lists.set(name, list);
      else values.set(name, 'any');
    },
    find,
  };
}

export function classifyValue(value: Node | null, text: string, isConst: boolean): DeclaredValue {
  if (value === null) return 'any';
  if (value.type === 'number') return 'number';
  if (isAsConst(value) || (isConst && isLiteral(value))) return 'constant';
  // A number that depends on other names may be none.
  return numbersIn(value, text)?.length === 0 ? 'number' : 'any';
}
