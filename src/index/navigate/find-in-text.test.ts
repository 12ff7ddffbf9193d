import { expect, test } from 'vitest';
import { findNames, mayHold, mayPassOn } from './find-in-text.ts';

const sourceOf = (text: string) => {
  const bytes = Buffer.from(text);
  return { bytes, text, bom: false, isAscii: bytes.length === text.length };
};
const found = (text: string, language: string, ...names: string[]) =>
  findNames(sourceOf(text), new Set(names), language).map(({ start, end }) => text.slice(start, end));

test('whole names only, in order', () => {
  expect(found('a ab $a a$ ba a.b b', 'typescript', 'a', 'b')).toEqual(['a', 'a', 'b', 'b']);
  expect(found('café cafés décafé', 'typescript', 'café')).toEqual(['café']);
});

test('S5: other spellings of a name are found where the language has them', () => {
  expect(found('caf\\u00e9 + x', 'typescript', 'café')).toEqual(['caf\\u00e9']);
  expect(found('ﬁle = 1', 'python', 'file')).toEqual(['ﬁle']);
});

test('S5: a text is ruled out only if no spelling is possible', () => {
  const holds = (text: string, language: string) => mayHold(sourceOf(text), new Set(['file']), language);
  expect(holds('const x = 1', 'typescript')).toBe(false);
  expect(holds('const é = 1', 'typescript')).toBe(false);
  expect(holds('profile', 'typescript')).toBe(true);
  expect(holds('\\u0066ile', 'typescript')).toBe(true);
  expect(holds('ﬁle', 'python')).toBe(true);
});

test('a module is passed on where its name is not followed by a dot', () => {
  const statement = 'import * as ns from "./a";';
  const passes = (rest: string) => mayPassOn(statement + rest, 'ns', { start: 0, end: statement.length });
  expect(passes('ns.a(); ns?.b; nsx; xns; ns\n  .c')).toBe(false);
  expect(passes('f(ns)')).toBe(true);
  expect(passes('({ ...ns })')).toBe(true);
  expect(passes('ns[key]')).toBe(true);
  expect(passes('ns...rest')).toBe(true);
});
