import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIstanbul } from './parse-istanbul.ts';

const limits = { maxBytes: 1_000_000, maxDepth: 64 };
const parse = (value: unknown) => parseIstanbul(new TextEncoder().encode(JSON.stringify(value)), limits);

test('statements become lines, functions keep their names; a line has the hits of its busiest statement', () => {
  const file = {
    path: '/r/a.ts',
    statementMap: { 0: { start: { line: 1 } }, 1: { start: { line: 1 } }, 2: { start: { line: 3 } } },
    s: { 0: 0, 1: 4, 2: 0 },
    fnMap: { 0: { name: 'f', decl: { start: { line: 1 } } }, 1: { loc: { start: { line: 3 } } }, 2: { name: 'none' } },
    f: { 0: 4 },
  };
  expect(parse({ '/r/a.ts': file })).toMatchObject({
    ok: true,
    value: [
      {
        path: '/r/a.ts',
        testName: '',
        lines: [
          { line: 1, hits: 4 },
          { line: 3, hits: 0 },
        ],
        functions: [
          { name: 'f', line: 1, hits: 4 },
          { name: '', line: 3, hits: 0 },
        ],
      },
    ],
  });
});

test('a summary is no report of lines, another document none at all', () => {
  expect(parse({ total: { lines: { total: 1 } } })).toMatchObject({ ok: true, value: 'summary' });
  expect(parse({ name: 'x', version: '1.0.0' })).toMatchObject({ ok: false, failure: { kind: 'malformed' } });
  expect(parse({})).toMatchObject({ ok: true, value: [] });
});

test('40: total on any document of that kind; lines and hits are counts', () => {
  const any = fc.jsonValue({ maxDepth: 3 });
  const file = fc.record({
    statementMap: fc.dictionary(fc.string(), any),
    s: fc.dictionary(fc.string(), any),
    fnMap: any,
    f: any,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), file), (report) => {
      const outcome = parse(report);
      if (!outcome.ok || outcome.value === 'summary') return;
      for (const { lines, functions } of outcome.value) {
        for (const { line, hits } of [...lines, ...functions]) {
          expect(Number.isSafeInteger(line) && line > 0).toBe(true);
          expect(Number.isSafeInteger(hits) && hits >= 0).toBe(true);
        }
      }
    }),
  );
});
