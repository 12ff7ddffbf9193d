import { expect, test } from 'vitest';
import { parseSemgrepReport } from './gather-semgrep.ts';
import { isRegistryPack } from './semgrep-rules.ts';

const parse = (value: unknown) => parseSemgrepReport(new TextEncoder().encode(JSON.stringify(value)));
const result = (extra: object) => ({
  check_id: 'r',
  path: './src/a.js',
  start: { line: 3 },
  extra: { message: 'm', severity: 'ERROR', lines: 'const secret = 1', ...extra },
});
const report = (parts: object) => ({ results: [], errors: [], paths: { scanned: ['./src/a.js'] }, ...parts });

test('a finding, without the lines of the source', () => {
  const parsed = parse(report({ results: [result({})] }));
  expect(parsed?.findings).toEqual([{ rule_id: 'r', severity: 'high', path: 'src/a.js', line: 3, message: 'm' }]);
  expect(parsed?.scanned).toEqual(['src/a.js']);
  expect(JSON.stringify(parsed)).not.toContain('secret');
});

test.each([
  ['ERROR', 'high'],
  ['WARNING', 'medium'],
  ['INFO', 'info'],
  ['CRITICAL', 'critical'],
  ['low', 'low'],
  ['of another kind', 'medium'],
])('severity %s is %s', (severity, ours) => {
  expect(parse(report({ results: [result({ severity })] }))?.findings[0]?.severity).toBe(ours);
});

test('errors are told by kind and place, in the words of either format', () => {
  const errors = [
    { type: 'Syntax error', level: 'warn', path: './a.js', message: 'near `hunter2`' },
    { type: ['PartialParsing', [{ path: 'b.js' }]], level: 'warn', path: 'b.js' },
    { type: 7 },
  ];
  expect(parse(report({ errors }))?.errors).toEqual([
    { type: 'Syntax error', level: 'warn', path: 'a.js' },
    { type: 'PartialParsing', level: 'warn', path: 'b.js' },
    { type: 'unknown', level: 'unknown', path: null },
  ]);
});

test.each([
  ['a list', []],
  ['no results', { errors: [], paths: { scanned: [] } }],
  ['results that are no list', report({ results: {} })],
  ['a result without a line', report({ results: [{ ...result({}), start: {} }] })],
  ['a result that is null', report({ results: [null] })],
  ['paths that are numbers', report({ paths: { scanned: [1] } })],
])('G32 %s is no report', (_, value) => {
  expect(parse(value)).toBeUndefined();
});

test.each(['p/ci', 'r/javascript', 'auto', 'https://example.com/x.yml', 'supply-chain'])(
  '%s is of a registry',
  (entry) => {
    expect(isRegistryPack(entry)).toBe(true);
  },
);

test.each(['/home/me/rules', '/p/ci', 'rules', 'packs/ci'])('%s is a path', (entry) => {
  expect(isRegistryPack(entry)).toBe(false);
});
