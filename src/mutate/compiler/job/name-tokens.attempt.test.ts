import { expect, test } from 'vitest';
import { askOr } from './name-tokens.ts';

function fail(error: Error): () => string {
  return () => {
    throw error;
  };
}

test('M18 a question the compiler fails on has the weak answer, and a mistake of our own is thrown on', () => {
  expect(askOr(() => 'asked', 'weak')).toBe('asked');
  expect(askOr(fail(new Error('panic: nil pointer')), 'weak')).toBe('weak');
  expect(() => askOr(fail(new TypeError('x is undefined')), 'weak')).toThrow(TypeError);
  expect(() => askOr(fail(new Error('SyncRpcChannel is closed')), 'weak')).toThrow('closed');
});
