import { expect, test } from 'vitest';
import { withParsedSource } from './parse-source.ts';

const errorsIn = (text: string, grammar: 'typescript' | 'tsx' = 'typescript') =>
  withParsedSource(grammar, text, ({ root, text: read }) => ({
    errors: root.descendantsOfType('ERROR').length + (root.hasError ? 1 : 0),
    signatures: root.descendantsOfType('call_signature').map((node) => node?.startPosition.row),
    read,
  }));

test('S3: call signatures with type parameters on lines of their own are no errors, and stand where they stand', async () => {
  const text = [
    'interface Make {',
    '  name: string',
    '  <T>(one: T): T',
    '  <T, U>(one: T): U // two',
    '  <V>(a: V): V',
    '}',
  ].join('\n');
  expect(await errorsIn(text)).toEqual({ errors: 0, signatures: [2, 3, 4], read: text });
});

test('S3: what is an error to the language stays one, before and after such a line', async () => {
  const signature = 'type Make = {\n  name: string\n  <T>(one: T): T\n}\n';
  for (const text of [`const a = = 1\n${signature}`, `${signature}const a = = 1\n`]) {
    const { errors, signatures } = await errorsIn(text);
    expect(errors).toBe(2);
    expect(signatures).toHaveLength(1);
  }
  // A comparison that goes on in the next line is one expression.
  expect((await errorsIn('const a = b\n  < c\nconst d = = 1')).errors).toBe(2);
});

test('S3: an element that begins a line is no signature', async () => {
  const text = 'const a = (\n  <b>\n    text\n    <c />\n  </b>\n)\nconst d = = 1\nconst e = (\n  <b />\n)\n';
  const { errors, read } = await errorsIn(text, 'tsx');
  expect({ errors, read }).toEqual({ errors: 2, read: text });
});
