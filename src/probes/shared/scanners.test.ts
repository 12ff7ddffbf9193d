import { expect, test } from 'vitest';
import { expectedRulePackVersion, rulePackVersion } from './scanners.ts';

const a = { name: 'a', hash: 'blake3:1' };
const b = { name: 'b', hash: 'blake3:2' };

test('the version is of the files, in whatever order they are given', () => {
  expect(rulePackVersion('1.2.3', [a, b])).toMatch(/^1\.2\.3\+blake3:[0-9a-f]{16}$/);
  expect(rulePackVersion('1.2.3', [b, a])).toBe(rulePackVersion('1.2.3', [a, b]));
});

test.each([
  ['another tool', rulePackVersion('1.2.4', [a, b])],
  ['another content', rulePackVersion('1.2.3', [a, { ...b, hash: 'blake3:3' }])],
  ['another name', rulePackVersion('1.2.3', [a, { ...b, name: 'c' }])],
  ['a file more', rulePackVersion('1.2.3', [a, b, { name: 'c', hash: '' }])],
  ['a file less', rulePackVersion('1.2.3', [a])],
])('%s is another version', (_, version) => {
  expect(version).not.toBe(rulePackVersion('1.2.3', [a, b]));
});

test('a tool that is missing or does not say which it is has no version to compare', () => {
  expect(expectedRulePackVersion('absent', [a])).toBeNull();
  expect(expectedRulePackVersion('unknown', [a])).toBeNull();
  expect(expectedRulePackVersion('1.2.3', [a])).toBe(rulePackVersion('1.2.3', [a]));
});
