import { expect, test } from 'vitest';
import { recogniseOnce, recogniseSecrets } from './recognise-secrets.ts';

const secret = 'hV7nqZ2xW9dK4sTyB8mLp3Rc';
const text = (password: string) => Buffer.from(`export const password = '${password}';\n`);

test('S12 what is remembered of bytes is what is recognised in them, and of other bytes nothing is', () => {
  const recognised = recogniseSecrets(text(secret));
  expect([...recognised.keys()]).toEqual([secret]);
  expect([...recognised.values()].join()).not.toContain(secret);
  expect(recogniseOnce(text(secret))).toEqual(recognised);
  expect(recogniseOnce(text(secret))).toBe(recogniseOnce(text(secret)));
  expect([...recogniseOnce(text(`${secret}more`)).keys()]).toEqual([`${secret}more`]);
});

test('S12 a literal is also known as a compiler writes it', () => {
  const quoted = String.raw`hV7nq\'Z2xW9dK4sTyB8mLp3Rc`;
  expect([...recogniseSecrets(text(quoted)).keys()]).toContain("hV7nq'Z2xW9dK4sTyB8mLp3Rc");
});
