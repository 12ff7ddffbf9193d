import { expect, test } from 'vitest';
import { parseTarget, type Target } from './question-target.ts';

const cases: readonly (readonly [text: string, first: Target])[] = [
  ['src/a.ts:3:14', { kind: 'position', path: 'src/a.ts', line: 3, col: 14 }],
  ['src/a.ts:3:14:', { kind: 'position', path: 'src/a.ts', line: 3, col: 14 }],
  ['src/a.ts:3', { kind: 'position', path: 'src/a.ts', line: 3, col: null }],
  ['odd:name.ts:3:1', { kind: 'position', path: 'odd:name.ts', line: 3, col: 1 }],
  ['Class/method', { kind: 'name', name: 'Class/method', path: null }],
  ['/top', { kind: 'name', name: '/top', path: null }],
  ['name[1]', { kind: 'name', name: 'name[1]', path: null }],
  ['src/a.ts#name', { kind: 'name', name: 'name', path: 'src/a.ts' }],
  ['a.ts:Class/method', { kind: 'name', name: 'Class/method', path: 'a.ts' }],
  ['Order::total', { kind: 'name', name: 'Order::total', path: null }],
  ['  x  ', { kind: 'name', name: 'x', path: null }],
];

test.each(cases)('%s', (text, first) => {
  expect(parseTarget(text)[0]).toEqual(first);
});

test('what may be a file and a name may also be a name alone', () => {
  expect(parseTarget('Order#total')).toEqual([
    { kind: 'name', name: 'total', path: 'Order' },
    { kind: 'name', name: 'Order#total', path: null },
  ]);
});
