// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are programs

import { expect, test } from 'vitest';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { isDeclarationFile, mayReflect } from './gather-node-reflection.ts';
import { extractReflection } from './reflective-code.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  'eval("1")',
  'new Function("a")',
  'require (name)',
  'import(`./${a}`)',
  'x.__proto__ = y',
  'A.prototype.b = c',
  'Object.setPrototypeOf(a, b)',
  'a\n  [k]()',
  "a['x' + k]",
  'a[`x${k}`]',
  'f()[k]',
  'a?.[k]',
  'größe[k]',
  '"abc"[k]',
  'a /* which */ [k]',
  'process.env.A',
  'import.meta.env.A',
  '@Own() class A {}',
  'const app = express(); app . use (a)',
  'consumer.apply(A)',
])('%s is parsed, for there is something in it', async (text) => {
  const facts = await withParsedSource('typescript', text, extractReflection);
  expect(Object.values(facts).some((value) => (typeof value === 'number' ? value > 0 : value.length > 0))).toBe(true);
  expect(mayReflect(bytesOf(text))).toBe(true);
});

test('what holds none of it is left out', () => {
  expect(mayReflect(bytesOf('const a: string[] = []; a[0]; b["c"]; export const f = (x: number) => x + 1;'))).toBe(
    false,
  );
});

test.each([
  ['a.d.ts', true],
  ['a.d.mts', true],
  ['a.d.css.ts', true],
  ['a.ts', false],
  ['d.ts', false],
])('%s declares only: %s', (path, expected) => {
  expect(isDeclarationFile(path)).toBe(expected);
});
