import { expect, test } from 'vitest';
import { policyId, policyKind } from './gather-policy.ts';

test.each([
  ['a/b.rego', 'rego'],
  ['a/b_test.rego', undefined],
  ['a.yml', 'yaml'],
  ['a.cue', 'cue'],
  ['a.cedar', 'other'],
  ['README.md', undefined],
  ['.hidden.yaml', undefined],
  ['LICENSE', undefined],
  ['x.constructor', undefined],
])('%s is %s', (path, kind) => {
  expect(policyKind(path)).toBe(kind);
});

test.each([
  ['a/b.rego', 'rego', '# c\npackage k8s.deny["x"]\n', 'k8s.deny["x"]'],
  ['a/b.cue', 'cue', 'package base\n', 'base'],
  ['a/b.yaml', 'yaml', 'metadata: {name: limits}\n', 'limits'],
  ['a/b.yaml', 'yaml', 'id: one\n', 'one'],
  ['a/b.yaml', 'yaml', '{{ helm }}\n', 'a/b'],
  ['a.b/c.json', 'other', '{"id":"x"}', 'a.b/c'],
] as const)('%s calls itself by what it says', (path, kind, text, id) => {
  expect(policyId(path, kind, new TextEncoder().encode(text))).toBe(id);
});
