import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { parseLcov } from './lcov.ts';

const limits = { maxBytes: 1 << 22 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseLcov(utf8(text), limits);

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  const lines = fc.constantFrom(
    'TN:',
    'SF:a',
    'end_of_record',
    'DA:1,1',
    'DA:x',
    'FN:1,f',
    'FNDA:1,f',
    'BRDA:1,0,0,-',
    'LF:1',
    '?',
    ':',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 100 }),
        fc.array(lines, { maxLength: 12 }).map((all) => utf8(all.join('\n'))),
      ),
      (bytes) => {
        expect(typeof parseLcov(bytes, limits).ok).toBe('boolean');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('G40 a report that was written comes back equal', () => {
  const count = fc.nat(1000);
  const file = fc.record({
    path: fc.stringMatching(/^[a-z/.]{1,10}$/),
    testName: fc.stringMatching(/^[a-z_]{0,5}$/),
    lines: fc.array(fc.record({ line: count, hits: count })),
    functions: fc.uniqueArray(
      fc.record({ name: fc.stringMatching(/^[a-z(][a-z0-9_ )]{0,5}[a-z]$/), line: count, hits: count }),
      {
        selector: (each) => each.name,
      },
    ),
    branches: fc.array(fc.record({ line: count, block: count.map(String), branch: count.map(String), hits: count })),
  });
  fc.assert(
    fc.property(fc.array(file), (files) => {
      const text = files.map((each) =>
        [
          `TN:${each.testName}`,
          `SF:${each.path}`,
          ...each.functions.map(({ name, line }) => `FN:${line},${name}`),
          ...each.functions.map(({ name, hits }) => `FNDA:${hits},${name}`),
          ...each.lines.map(({ line, hits }) => `DA:${line},${hits}`),
          ...each.branches.map(({ line, block, branch, hits }) => `BRDA:${line},${block},${branch},${hits}`),
          'end_of_record',
        ].join('\n'),
      );
      const outcome = parse(text.join('\n'));
      expect(outcome.ok && outcome.value.files).toEqual(files);
    }),
  );
});

const report = `TN:first test
SF:src/a.ts
FN:1,10,main
FN:20,(anonymous_1)
FNDA:3,main
FNDA:0,(anonymous_1)
FNF:2
FNH:1
DA:1,3
DA:2,0,abcdef
LF:2
LH:1
BRDA:5,0,0,3
BRDA:5,0,1,-
BRF:2
BRH:1
end_of_record
`;

test('records, end lines, checksums, branches that were not taken', () => {
  expect(parse(report)).toEqual({
    ok: true,
    notes: [],
    value: {
      files: [
        {
          path: 'src/a.ts',
          testName: 'first test',
          lines: [
            { line: 1, hits: 3 },
            { line: 2, hits: 0 },
          ],
          functions: [
            { name: 'main', line: 1, hits: 3 },
            { name: '(anonymous_1)', line: 20, hits: 0 },
          ],
          branches: [
            { line: 5, block: '0', branch: '0', hits: 3 },
            { line: 5, block: '0', branch: '1', hits: 0 },
          ],
        },
      ],
      totals: { lines: { found: 2, hit: 1 }, functions: { found: 2, hit: 1 }, branches: { found: 2, hit: 1 } },
    },
  });
});

test('two tests over one file count it once, hit when either hit it', () => {
  const second = report.replace('first', 'second').replace('DA:1,3', 'DA:1,0').replace('DA:2,0', 'DA:2,1');
  expect(parse(report + second)).toMatchObject({ value: { totals: { lines: { found: 2, hit: 2 } } } });
});

test('LCOV 2: functions by index, branches as expressions', () => {
  expect(parse('SF:a\nFNL:0,4,9\nFNA:0,2,f<a,b>\nBRDA:4,e0,a == (1,2),1\nend_of_record\n')).toMatchObject({
    value: {
      files: [
        {
          functions: [{ name: 'f<a,b>', line: 4, hits: 2 }],
          branches: [{ block: 'e0', branch: 'a == (1,2)', hits: 1 }],
        },
      ],
    },
  });
});

test('a record without data counts what it declares', () => {
  expect(parse('SF:a\nLF:10\nLH:4\nend_of_record\n')).toMatchObject({
    value: { totals: { lines: { found: 10, hit: 4 } } },
  });
});

test('nothing is an empty report, unknown lines are noted', () => {
  expect(parse('')).toMatchObject({ value: { files: [] }, notes: [] });
  expect(parse('SF:a\nVER:1\nend_of_record')).toMatchObject({ notes: [{ id: 'unknown_line', line: 2 }] });
});

test.each([
  ['no record at all', '<html>\n', 1],
  ['a truncated report', 'SF:a\nDA:1,1\n', 1],
  ['a record inside a record', 'SF:a\nSF:b\nend_of_record\n', 1],
  ['data outside a record', 'DA:1,1\n', 1],
  ['an end without a record', 'SF:a\nend_of_record\nend_of_record\n', 3],
  ['hits that are no number', 'SF:a\nDA:1,x\nend_of_record\n', 2],
  ['negative hits', 'SF:a\nDA:1,-1\nend_of_record\n', 2],
  ['a branch with too few fields', 'SF:a\nBRDA:1,0,1\nend_of_record\n', 2],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});
