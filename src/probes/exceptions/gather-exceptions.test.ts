import { expect, test } from 'vitest';
import { parseExceptionList } from './gather-exceptions.ts';

function parse(text: string) {
  return parseExceptionList(new TextEncoder().encode(text));
}

const good = '{repo_glob: "*", task: "*", reason: r, expires: 2026-01-31, approver: a}';

test('a bare list, a mapping, and an empty file', () => {
  const entry = { repo_glob: '*', task: '*', reason: 'r', expires: '2026-01-31', approver: 'a' };
  expect(parse(`- ${good}`)).toEqual({ kind: 'list', entries: [entry], malformed: [] });
  expect(parse(`exceptions:\n- ${good}`)).toEqual({ kind: 'list', entries: [entry], malformed: [] });
  expect(parse('')).toEqual({ kind: 'list', entries: [], malformed: [] });
});

test.each(['exceptions: 3', 'other: []', '"text"', 'exceptions: {a: 1}'])('%s is not a list', (text) => {
  expect(parse(text)).toEqual({ kind: 'not_list' });
});

test.each([
  good.replace('2026-01-31', '2026-02-30'),
  good.replace('2026-01-31', '31.01.2026'),
  good.replace('2026-01-31', '20260131'),
  good.replace('approver: a', 'approver: ""'),
  good.replace('reason: r, ', ''),
  'text',
])('a bad entry does not take the good one with it: %s', (bad) => {
  expect(parse(`- ${bad}\n- ${good}`)).toMatchObject({
    kind: 'list',
    entries: [{ reason: 'r' }],
    malformed: [/^entry 1: /],
  });
});

test('G10 what is no safe YAML is told', () => {
  expect(parse('- [')).toEqual({ kind: 'unsafe_yaml' });
  expect(parse(`- ${'['.repeat(20)}${']'.repeat(20)}`)).toEqual({ kind: 'unsafe_yaml' });
});
