import { expect, test } from 'vitest';
import { attempt } from './attempt.ts';

function fail(error: Error): () => string {
  return () => {
    throw error;
  };
}

test('M18 a question the compiler fails on has the weak answer, and a mistake of our own is thrown on', () => {
  expect(attempt(() => 'asked', 'weak')).toBe('asked');
  expect(attempt(fail(new Error('panic: nil pointer')), 'weak')).toBe('weak');
  expect(() => attempt(fail(new TypeError('x is undefined')), 'weak')).toThrow(TypeError);
  expect(() => attempt(fail(new Error('SyncRpcChannel is closed')), 'weak')).toThrow('closed');
});
