import { expect, test } from 'vitest';
import { notAnswered } from '../../index/view/not-answered.ts';
import { notFound } from './answers.ts';

test('M1 what is near is named in the sentence, or nothing is said of it', () => {
  const detail = (near: readonly string[]) => {
    const { outcome } = notFound(notAnswered('not_found', 'no symbol Ordr; near it are', near));
    return outcome.kind === 'refused' ? outcome.detail : outcome.kind;
  };
  expect(detail(['Order', 'Orders'])).toBe('no symbol Ordr; near it are Order, Orders');
  expect(detail([])).toBe('no symbol Ordr');
});
