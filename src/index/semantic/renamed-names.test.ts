import { expect, test } from 'vitest';
import { createSignatures, type NameClass, type NameHolders, type SignatureOwner } from './renamed-names.ts';

const signatures = createSignatures({ oldName: 'item', newName: 'thing' });
const { mentions } = signatures;
const rewrite = (text: string, owner: SignatureOwner, held: NameHolders, mayMean = true) =>
  signatures.rewrite(text, owner, held, () => mayMean);
const nobody: SignatureOwner = { name: null, isRenamed: false, parameter: 'none' };
const holders = (renamed: NameClass, ...others: NameClass[]) => ({
  renamed: new Set([renamed]),
  others: new Set(others),
});

test('E9 where no other symbol has the name, every word of it is meant', () => {
  expect(mentions('var items: Item')).toBe(false);
  expect(rewrite('var x: item | { item: item; }', nobody, holders('top'))).toBe('var x: thing | { thing: thing; }');
});

test('a type that may come from outside may be another of that name', () => {
  expect(() => rewrite('var x: item', nobody, holders('top'), false)).toThrow('from outside');
  const own = { ...nobody, name: 'item', isRenamed: true };
  expect(rewrite('class item', own, holders('top'), false)).toBe('class thing');
});

test('a symbol says its own name first', () => {
  const own = { ...nobody, name: 'item' };
  expect(rewrite('var item: number', { ...own, isRenamed: true }, holders('top', 'top'))).toBe('var thing: number');
  expect(rewrite('var item: number', own, holders('top', 'top'))).toBe('var item: number');
});

test('what stands before a colon is a member, and what does not is none', () => {
  const text = 'var x: { item: item; }';
  expect(rewrite(text, nobody, holders('top', 'member'))).toBe('var x: { item: thing; }');
  expect(rewrite(text, nobody, holders('member', 'top'))).toBe('var x: { thing: item; }');
  expect(() => rewrite(text, nobody, holders('member', 'member'))).toThrow('may speak of another');
  expect(() => rewrite('(x: any) => item is string', nobody, holders('member', 'top'))).toThrow('may speak of another');
});

test('a parameter is named in the signature of its function', () => {
  const text = 'function f(item: number): void';
  const of = (parameter: SignatureOwner['parameter']) => ({ ...nobody, parameter });
  expect(rewrite(text, of('renamed'), holders('member', 'member'))).toBe('function f(thing: number): void');
  expect(rewrite(text, of('other'), holders('member', 'member'))).toBe(text);
});

test('texts are no names, unless they may be the keys of a type', () => {
  expect(rewrite('module "item.ts"', nobody, holders('member'))).toBe('module "item.ts"');
  expect(rewrite('var x: "item"', nobody, holders('top'))).toBe('var x: "item"');
  expect(() => rewrite('var x: "item" | "b"', nobody, holders('member'))).toThrow('quotes');
});

test('a long type may be cut elsewhere once a name has another length', () => {
  const long = `var x: { item: ${'string | '.repeat(14)}number; }`;
  expect(() => rewrite(long, nobody, holders('member'))).toThrow('cut elsewhere');
  expect(rewrite(long, nobody, holders('top', 'member'))).toBe(long);
});
