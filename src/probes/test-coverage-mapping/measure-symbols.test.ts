import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { type MeasuredFile, mergeRecords } from './coverage-reports.ts';
import { createRecordReader, listCandidates, measureSymbols, mergeSymbols } from './measure-symbols.ts';
import { extractDefinitions } from './source-definitions.ts';

const record = (lines: Record<number, number>, functions: MeasuredFile['functions'] = []): MeasuredFile => ({
  path: 'f',
  testName: '',
  lines: Object.entries(lines).map(([line, hits]) => ({ line: Number(line), hits })),
  functions,
});

async function sourceOf(grammar: GrammarName, text: string) {
  const facts = await withParsedSource(grammar, text, extractDefinitions);
  return listCandidates('f', facts, () => undefined);
}

/** `name covered/total`, with a star if it ran. */
async function measured(grammar: GrammarName, text: string, ...records: MeasuredFile[]): Promise<string[]> {
  return mergeSymbols(measureSymbols(await sourceOf(grammar, text), mergeRecords(records)).symbols).map(
    ({ symbol, lines_covered, lines_total, hit }) => `${symbol} ${lines_covered}/${lines_total}${hit ? '*' : ''}`,
  );
}

test('a function whose declaration ran and whose body did not was not run', async () => {
  const text = 'def f(x):\n    return x\n\ndef g(x):\n    return x\n';
  expect(await measured('python', text, record({ 1: 1, 2: 0, 4: 1, 5: 3 }))).toEqual(['f#f 1/2', 'f#g 2/2*']);
});

test('the record of a function decides, by its name or as the only one on its line', async () => {
  const text = 'export const a = () => 1;\nexport const b = () => 1;\nexport class C { m() { return 1; } }\n';
  const lines = { 1: 1, 2: 1, 3: 1 };
  const functions = [
    { name: '(anonymous_0)', line: 1, hits: 0 },
    { name: 'b', line: 2, hits: 2 },
    { name: 'C.m', line: 3, hits: 0 },
  ];
  expect(await measured('javascript', text, record(lines, functions))).toEqual([
    'f#a 1/1',
    'f#b 1/1*',
    'f#C 1/1',
    'f#C/m 1/1',
  ]);
});

test('a class ran when a function in it did; one without functions when a line of it did', async () => {
  const text = 'class A:\n    def m(self):\n        return 1\n\n\nclass B:\n    x = 1\n';
  expect(await measured('python', text, record({ 1: 1, 2: 1, 3: 0, 6: 1, 7: 1 }))).toEqual([
    'f#A 2/3',
    'f#A/m 1/2',
    'f#B 2/2*',
  ]);
});

test('types and what lies inside of functions have no entry; fields that hold functions do', async () => {
  const text =
    'export interface I { a: 1 }\nexport type T = 1;\nexport class C {\n  f = () => {\n    return 1;\n  };\n  n = 1;\n}\nfunction outer() {\n  function inner() {\n    return 1;\n  }\n}\n';
  const functions = [{ name: 'f', line: 4, hits: 1 }];
  expect(await measured('typescript', text, record({ 4: 1, 5: 1, 7: 1, 10: 0, 11: 0 }, functions))).toEqual([
    'f#C 3/3*',
    'f#C/f 2/2*',
    'f#outer 0/2',
  ]);
});

test('an empty function has a record and no line; an exported one without either is not known', async () => {
  const source = await sourceOf(
    'javascript',
    'export function noop() {}\nexport function other() {}\nfunction own() {}\n',
  );
  const { symbols, unmeasured } = measureSymbols(
    source,
    mergeRecords([record({}, [{ name: 'noop', line: 1, hits: 1 }])]),
  );
  expect(symbols).toMatchObject([{ symbol: 'f#noop', lines_total: 0, hit: true }]);
  expect(unmeasured).toBe(1);
});

test('several records of one file: what any of them ran, ran', async () => {
  const text = 'function f() {\n  return 1;\n}\n';
  const [none, one] = [
    record({ 2: 0 }, [{ name: 'f', line: 1, hits: 0 }]),
    record({ 2: 1 }, [{ name: 'f', line: 1, hits: 1 }]),
  ];
  expect(await measured('javascript', text, none, one)).toEqual(await measured('javascript', text, one, none));
  expect(await measured('javascript', text, none, one)).toEqual(['f#f 1/1*']);
});

test('overloads are one symbol, and their implementation is its place', async () => {
  const text =
    'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: any) {\n  return a;\n}\n';
  expect(await measured('typescript', text, record({ 4: 1 }))).toEqual(['f#f 1/1*']);
});

test('one record of one test: its functions, else its lines beyond the declaration, with the classes around', async () => {
  const source = await sourceOf(
    'javascript',
    'class C {\n  a() {\n    return 1;\n  }\n  b() {\n    return 2;\n  }\n}\n',
  );
  const read = createRecordReader(source);
  expect([...read(record({ 2: 1, 3: 0, 5: 1, 6: 1 }))].sort()).toEqual(['f#C', 'f#C/b']);
  expect([...read(record({ 3: 1, 6: 1 }, [{ name: 'b', line: 5, hits: 0 }]))].sort()).toEqual(['f#C', 'f#C/a']);
  expect([...read(record({ 1: 1, 2: 1 }))]).toEqual([]);
});

test('G40 counts are those of the lines in the range, whatever the lines are', async () => {
  const text = `${Array.from({ length: 12 }, (_, at) => `export function f${at}() {\n  return ${at};\n}`).join('\n')}\n`;
  const source = await sourceOf('javascript', text);
  const line = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 2 }));
  fc.assert(
    fc.property(fc.array(line), (pairs) => {
      const lines = pairs.map(([number, hits]) => ({ line: number, hits }));
      const coverage = mergeRecords([{ path: 'f', testName: '', lines, functions: [] }]);
      for (const { range, lines_total, lines_covered } of measureSymbols(source, coverage).symbols) {
        const within = [...new Set(lines.map((entry) => entry.line))].filter((n) => n >= range[0] && n <= range[1]);
        expect(lines_total).toBe(within.length);
        expect(lines_covered).toBe(
          within.filter((n) => lines.some((entry) => entry.line === n && entry.hits > 0)).length,
        );
      }
    }),
  );
});

test('a million lines and many tests of one file with many functions are read in one pass', async () => {
  const count = 5_000;
  const text = Array.from({ length: count }, (_, at) => `function f${at}() {\n  return ${at};\n}`).join('\n');
  const source = await sourceOf('javascript', text);
  const read = createRecordReader(source);
  const found = new Set<string>();
  for (let test = 0; test < 200_000; test += 1) {
    for (const symbol of read(record({ [(test % count) * 3 + 2]: 1 }))) found.add(symbol);
  }
  expect(found.size).toBe(count);
  const all = { ...record({}), lines: Array.from({ length: 1_000_000 }, (_, at) => ({ line: at + 1, hits: at % 2 })) };
  expect(measureSymbols(source, mergeRecords([all])).symbols).toHaveLength(count);
});
