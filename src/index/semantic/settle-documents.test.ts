import { expect, test } from 'vitest';
import { signatureOf } from '../../kernel/formats/scip.ts';
import { hashInterface, type InterfaceEntry, isTruncated } from './settle-documents.ts';

const said = (...documentation: string[]) => ({ documentation, signature: '' });

test('the signature is the first code block, on one line; a field for it comes first', () => {
  expect(signatureOf(said('```ts\nfunction f(\n  a: number,\n): void\n```', 'Words.'))).toBe(
    'function f( a: number, ): void',
  );
  expect(signatureOf(said('```python\ndef f(): ...\n```'))).toBe('def f(): ...');
  expect(signatureOf(said('(module) pkg'))).toBeNull();
  expect(signatureOf(said())).toBeNull();
  expect(signatureOf({ documentation: [], signature: 'func  F()\n' })).toBe('func F()');
});

test('a type that the compiler has cut is known as such, a rest or spread is not', () => {
  for (const cut of [
    'const x: { a: string; ... 5 more ...; z: 1; }',
    'type T = [...]',
    'const x: { ...; }',
    'f(a: A, ...): B',
  ]) {
    expect(isTruncated(cut, 'typescript')).toBe(true);
  }
  for (const whole of [
    'function f(...args: any[]): [...T, ...U[]]',
    'const s: "loading..."',
    'f({ a, ...rest }: R): void',
    'x: ...(A | B)[]',
  ]) {
    expect(isTruncated(whole, 'typescript')).toBe(false);
  }
  expect(isTruncated('def f() -> tuple[int, ...]', 'python')).toBe(false);
});

const entry = (key: string, ...signatures: (string | null)[]): InterfaceEntry => ({
  key,
  signatures,
  relations: [],
  needsSignature: true,
});

test('the interface follows what is exported, typed, related and written, and nothing else', () => {
  const hash = (entries: readonly InterfaceEntry[], syn = 's') => hashInterface(entries, syn, 'typescript');
  const base = hash([entry('a', 'const a: 1'), entry('b', 'const b: 1')]);
  expect(base).toMatch(/^[0-9a-f]{64}$/);
  expect(hash([entry('b', 'const b: 1'), entry('a', 'const a: 1')])).toBe(base);
  expect(hash([entry('a', 'const a: 2'), entry('b', 'const b: 1')])).not.toBe(base);
  expect(hash([entry('a', 'const a: 1')])).not.toBe(base);
  expect(hash([{ ...entry('a', 'const a: 1'), relations: ['implements c'] }, entry('b', 'const b: 1')])).not.toBe(base);
  // `type A` says the same whatever A is: what is written decides.
  expect(hash([entry('A', 'type A')], 's')).not.toBe(hash([entry('A', 'type A')], 't'));
});

test('an interface that could look like another one is unknown', () => {
  expect(hashInterface([entry('a', 'const a: { ... 3 more ...; }')], 's', 'typescript')).toBeNull();
  expect(hashInterface([entry('a', 'const a: 1'), entry('b')], 's', 'typescript')).toBeNull();
  expect(hashInterface([entry('a', 'const a: 1'), entry('b', null)], 's', 'typescript')).toBeNull();
  expect(hashInterface([], 's', 'typescript')).toBeNull();
});
