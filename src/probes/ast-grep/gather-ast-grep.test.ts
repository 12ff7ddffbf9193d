import { expect, test } from 'vitest';
import { parseAstGrepLine, parseSummary } from './gather-ast-grep.ts';

const line = (parts: object) =>
  JSON.stringify({
    file: './a.ts',
    ruleId: 'r',
    severity: 'error',
    message: 'm',
    range: { start: { line: 0 } },
    ...parts,
  });

test('a finding; lines are counted from one', () => {
  expect(parseAstGrepLine(line({}))).toEqual({ rule_id: 'r', severity: 'high', path: 'a.ts', line: 1, message: 'm' });
});

test.each([
  ['half a line', line({}).slice(0, 40)],
  ['a number', '7'],
  ['null', 'null'],
  ['a line that is text', line({ range: { start: { line: '0' } } })],
  ['no rule', line({ ruleId: undefined })],
])('G32 %s is no finding', (_, text) => {
  expect(parseAstGrepLine(text)).toBeUndefined();
});

test('the summary says how many files were read', () => {
  const text =
    'sg: summary|file: scannedFileCount=4,skippedFileCount=0\nsg: summary|rule: effectiveRuleCount=23,skippedRuleCount=0\n';
  expect(parseSummary(text)).toEqual({ files: 4, unread: 0, rules: 23 });
  expect(parseSummary(text.replace('skippedFileCount=0', 'skippedFileCount=3'))).toMatchObject({ files: 1, unread: 3 });
  expect(parseSummary('Error: no such rule\n')).toBeUndefined();
});
