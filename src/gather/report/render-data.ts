/**
 * Any value as indented JSON that a person can read: cut at a size and a depth, without the fields that differ from run to run.
 * Unlike `JSON.stringify` it cannot overflow the stack and never builds more text than it may return.
 */

import { stripControls } from '../../kernel/base/text.ts';
import { volatileFields } from '../envelope.ts';

export type DataOptions = {
  readonly maxChars: number;
  readonly maxDepth?: number;
  readonly volatile?: 'kept' | 'dropped';
};

const names: ReadonlySet<string> = new Set(volatileFields);

type Member = readonly [label: string, value: unknown];

export function renderData(value: unknown, options: DataOptions): string {
  const { maxChars, maxDepth = 24, volatile = 'dropped' } = options;
  const parts: string[] = [];
  let left = maxChars;
  const put = (text: string): void => {
    if (left > 0) parts.push(text.slice(0, left));
    left -= text.length;
  };
  const print = (node: unknown, indent: string, depth: number): void => {
    if (left <= 0) return;
    if (typeof node !== 'object' || node === null) {
      put(scalar(node));
      return;
    }
    const members = listMembers(node, volatile);
    const [open, close] = Array.isArray(node) ? ['[', ']'] : ['{', '}'];
    if (members.length === 0) put(open + close);
    else if (depth >= maxDepth) put(`${open}…${close}`);
    else if (fitOneLine(members))
      put(`${open} ${members.map(([label, item]) => label + scalar(item)).join(', ')} ${close}`);
    else {
      members.forEach(([label, item], position) => {
        put(`${position === 0 ? open : ','}\n${indent}  ${label}`);
        print(item, `${indent}  `, depth + 1);
      });
      put(`\n${indent}${close}`);
    }
  };
  print(value, '', 0);
  return left < 0 ? `${parts.join('')}\n… cut here` : parts.join('');
}

function listMembers(node: object, volatile: 'kept' | 'dropped'): readonly Member[] {
  if (Array.isArray(node)) return node.map((item) => ['', item]);
  return Object.entries(node)
    .filter(([key]) => volatile === 'kept' || !names.has(key))
    .map(([key, item]) => [`${scalar(key)}: `, item]);
}

/** Only scalars, and not many characters of them. */
function fitOneLine(members: readonly Member[]): boolean {
  let width = 0;
  for (const [label, item] of members) {
    if (typeof item === 'object' && item !== null) return false;
    width += label.length + (typeof item === 'string' ? item.length + 4 : 8);
    if (width > 100) return false;
  }
  return true;
}

function scalar(item: unknown): string {
  return typeof item === 'string' ? JSON.stringify(stripControls(item)) : String(item);
}
