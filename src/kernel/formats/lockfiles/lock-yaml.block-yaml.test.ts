import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../base/json.ts';
import { parseYamlStrings } from '../yaml.ts';
import { readBlockYaml } from './lock-yaml.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 8 };
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Where the reader answers, the library must agree. */
function check(text: string): void {
  const fast = readBlockYaml(text, limits.maxDepth);
  if (fast === undefined) return;
  const slow = parseYamlStrings(utf8(text), limits);
  // As text: the matchers overlook an own `__proto__`.
  expect({ text, value: slow.ok ? canonicalJson(slow.value) : slow.failure }).toEqual({
    text,
    value: canonicalJson(fast),
  });
}

const scalar = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom(
      ...[
        'a',
        '/x@1.0.0(y@2)',
        "'@s/n'",
        '"q: r"',
        "'it''s'",
        '"\\n\\u0041"',
        '~',
        '1.10',
        '-1',
        'a#b',
        'a:b',
        '{}',
        '[]',
        'é',
      ],
      ...[
        '{a: b, c: "d"}',
        '[x64, arm64]',
        '{a: [b, {c: d}]}',
        '__proto__',
        '{__proto__: a}',
        '|-\n        x\n\n         y',
        '>=1 <2',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '- ',
        '-',
        '?',
        ':',
        'a: b',
        'a #b',
        'a:',
        '|-',
        '|',
        '>-',
        '&a',
        '*a',
        '!t',
        '<<',
        '{a:b}',
        '[a,b]',
        '{a: b,}',
        '',
      ],
      ...[
        '[a, ]',
        '{a}',
        '[',
        '}',
        "'",
        '"',
        '%',
        '@',
        '`',
        '---',
        '...',
        'a ',
        ' a',
        '\ta',
        '\u2028',
        '\ufeff',
        '\u0085',
      ],
      ...[
        'a\rb',
        '# c',
        "'a' ",
        '{a: b: c}',
        '|-\n\n  x',
        '|-\n  x\n y',
        "'a'b",
        '{"a":b}',
        '[-]',
        '{a: -}',
        '-a',
        '?a',
        ':a',
      ],
    ),
  },
);
const key = fc.oneof(
  { weight: 20, arbitrary: fc.stringMatching(/^[a-z]{2,4}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("'d e'", '"f"', '__proto__', 'g h', "'i'j", '-k', '? l', '- m', '"n\\"o"', 'p:q'),
  },
);
const line = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`) },
  { weight: 2, arbitrary: scalar.map((value) => `? x\n  : ${value}`) },
  { weight: 2, arbitrary: fc.constantFrom('', '# c', '   ', '    # d') },
  { weight: 1, arbitrary: fc.oneof(scalar, fc.constantFrom(':', 'a:', '\t', '- a', '? b')) },
);
type Block = { readonly head: string; readonly items: boolean; readonly lines: readonly (readonly [number, string])[] };
const block: fc.Arbitrary<Block> = fc.record({
  head: key,
  items: fc.constantFrom(false, false, true),
  lines: fc.array(fc.tuple(fc.constantFrom(...Array<number>(20).fill(2), 4, 0), line), { maxLength: 4 }),
});

/** Mostly what a lockfile writer emits, with something foreign in about every second text. */
const document = fc
  .tuple(fc.array(block, { maxLength: 4 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([blocks, end, last]) => {
    const lines = blocks.flatMap(({ head, items, lines: inner }, index) => [
      `${head}${index}:`,
      ...inner.map(
        ([indent, text]) => ' '.repeat(indent) + (items ? `- ${text.replace(/^[a-z]+: |\n.*/gs, '')}` : text),
      ),
    ]);
    return lines.join('\n').replaceAll('\n', end) + (last ? end : '');
  });

test('40: what the reader answers is what the library answers', () => {
  fc.assert(fc.property(document, check), { numRuns: 5_000 });
});

test('40: arbitrary text never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), check), { numRuns: 1_000 });
});

test.each([
  ['mappings and lists', 'a:\n  b: 1\n  c:\n    - x\n    - "y"\nd: e\n', { a: { b: '1', c: ['x', 'y'] }, d: 'e' }],
  ['flow collections', 'a: {b: c, d: [e, f]}\ng: []\n', { a: { b: 'c', d: ['e', 'f'] }, g: [] }],
  ['literal text', 'a: |-\n  x\n\n    y\n\nb: z\n', { a: 'x\n\n  y', b: 'z' }],
  ['explicit keys', '? "a, b"\n:\n  c: d\n? e\n: f\n', { 'a, b': { c: 'd' }, e: 'f' }],
  ['CRLF, comments, blank lines', '# h\r\n\r\na: b\r\n# c\r\nd:\r\n  e: f\r\n', { a: 'b', d: { e: 'f' } }],
  ['numbers stay as written', 'version: 1.10\n', { version: '1.10' }],
  ['a key without a value', 'a:\nb: c\n', { a: '', b: 'c' }],
])('reads %s', (_, text, value) => {
  expect(readBlockYaml(text, 8)).toEqual(value);
  check(text);
});

test.each([
  ['a second document', 'a: b\n---\n'],
  ['a value over two lines', 'a: b\n  c\n'],
  ['a list of mappings', 'a:\n  - b: c\n'],
  ['a folded text', 'a: >-\n  b\n'],
  ['an anchor', 'a: &x b\n'],
  ['a duplicate key', 'a: b\na: c\n'],
  ['a merge key', '<<: {a: b}\n'],
  ['a key of more than a thousand characters', `${'k'.repeat(1_100)}: v\n`],
  ['nesting beyond the cap', 'a:\n b:\n  c:\n   d: e\n'],
  ['nothing', '# c\n'],
])('leaves to the library: %s', (_, text) => {
  expect(readBlockYaml(text, 2)).toBeUndefined();
});

test('10: five thousand of everything stays linear', () => {
  for (const piece of ['[', '{a: ', "'", '"\\', '? ', ': ', '- ', 'a: ', '\n', ' ', '#', '|-\n ', "''"]) {
    const many = piece.repeat(5_000);
    for (const text of [many, `a: ${many}`, `a: |-\n  ${many}`]) check(text);
  }
});
