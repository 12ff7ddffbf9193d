import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenSources, checkFacts, extractText, interfaceHash } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax/python');
const [orders, dynamic] = ['orders.py', 'dynamic.py'].map((name) => readFileSync(join(fixtures, name), 'utf8'));

/** A function with its place, its parameters and a body of statements; `returns` is its annotation, if it has one. */
type Declared = {
  readonly inClass: boolean;
  readonly returns: string | null;
  readonly body: readonly string[];
  readonly parameters: readonly string[];
};
/** How the same tokens are laid out. */
type Layout = { readonly indent: string; readonly comments: boolean; readonly blank: number; readonly spaced: boolean };

const statement = fc.constantFrom(
  'x = 1',
  'if x:\n\treturn [x,\n  2]',
  'return x',
  'for y in x:\n\tx += y',
  'pass',
  'return "#"',
);
const declared: fc.Arbitrary<Declared> = fc.record({
  inClass: fc.boolean(),
  returns: fc.constantFrom(null, 'int', 'list[str]'),
  body: fc.array(statement, { minLength: 1, maxLength: 3 }),
  parameters: fc.uniqueArray(fc.constantFrom('a', 'b: int', 'c=1', '*args', '**more'), { maxLength: 3 }),
});
const layout: fc.Arbitrary<Layout> = fc.record({
  indent: fc.constantFrom(' ', '  ', '    ', '\t'),
  comments: fc.boolean(),
  blank: fc.nat(2),
  spaced: fc.boolean(),
});

function render(all: readonly Declared[], { indent, comments, blank, spaced }: Layout): string {
  const note = comments ? '  # def note(): "' : '';
  const gap = spaced ? ' ' : '';
  const lines = all.flatMap(({ inClass, returns, body, parameters }, index) => {
    const arrow = returns === null ? '' : `${gap}->${gap}${returns}`;
    const list = parameters.join(`,${gap}${spaced && comments ? `${note}\n      ` : ''}`);
    const inner = body.flatMap((text) => text.split('\n').map((line) => indent + line.replace(/^\t/, indent)));
    const lines = [`def f${index}(${gap}${list}${gap})${arrow}:${note}`, ...inner.map((line) => line + note)];
    const own = inClass ? [`class C${index}:${note}`, ...lines.map((line) => indent + line)] : lines;
    return [...own, ...Array(blank).fill('')];
  });
  return `${lines.join('\n')}\n`;
}

test('S2 layout, comments and bodies with a declared return type leave the interface hash as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(declared, { maxLength: 4 }), layout, layout, statement, async (all, one, two, other) => {
      const changed = all.map((each) => (each.returns === null ? each : { ...each, body: [...each.body, other] }));
      const before = await interfaceHash('python', render(all, one));
      expect(before).toBeDefined();
      expect(await interfaceHash('python', render(changed, two))).toBe(before);
    }),
  );
});

test('S3 the body of a function without a return type is part of the interface', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(declared, { minLength: 1, maxLength: 4 }),
      layout,
      fc.nat(),
      async (all, style, which) => {
        const chosen = which % all.length;
        const open = all.map((each, index) => (index === chosen ? { ...each, returns: null } : each));
        const changed = open.map((each, index) =>
          index === chosen ? { ...each, body: [...each.body, 'raise'] } : each,
        );
        expect(await interfaceHash('python', render(changed, style))).not.toBe(
          await interfaceHash('python', render(open, style)),
        );
      },
    ),
  );
});

test('S3 indentation is meaning: a statement that leaves its block changes an inferred interface', async () => {
  const inside = 'def f(x):\n  if x:\n    a()\n    b()\n';
  const outside = 'def f(x):\n  if x:\n    a()\n  b()\n';
  expect(await interfaceHash('python', inside)).not.toBe(await interfaceHash('python', outside));
});

test.each([
  ['a default that appears', 'class A:\n  x: int\n', 'class A:\n  x: int = 1\n'],
  [
    'an attribute set on self',
    'class A:\n  def __init__(self) -> None:\n    self.x = 1\n',
    'class A:\n  def __init__(self) -> None:\n    pass\n',
  ],
  ['a base', 'class A(B): ...\n', 'class A(C): ...\n'],
  ['a decorator', '@a\ndef f() -> int: ...\n', '@b\ndef f() -> int: ...\n'],
  ['a value', 'LIMIT = 1\n', 'LIMIT = 2\n'],
  ['a forwarded module', 'from a import *\n', 'from b import *\n'],
  ['a name that comes from elsewhere', 'from a import x\n', 'from a import y as x\n'],
  [
    'the list of public names',
    '__all__ = ["f"]\ndef f() -> int: ...\ndef g() -> int: ...\n',
    '__all__ = ["f", "g"]\ndef f() -> int: ...\ndef g() -> int: ...\n',
  ],
  ['a private helper that a public value mentions', '_a = 1\nB = _a\n', '_a = "x"\nB = _a\n'],
])('S3 %s changes the interface hash', async (_, before, after) => {
  expect(await interfaceHash('python', before)).not.toBe(await interfaceHash('python', after));
});

test.each([
  ['a docstring', 'def f(x):\n  "one"\n  return x\n', 'def f(x):\n  """two"""\n  return x\n'],
  ['the value of an annotated variable', 'LIMIT: int = 1\n', 'LIMIT: int = 2\n'],
  ['a private name without a mention', '_a = 1\n', '_a = 2\n'],
  ['a name that __all__ leaves out', '__all__ = []\nx = 1\n', '__all__ = []\nx = 2\n'],
])('S2 %s leaves the interface hash as it was', async (_, before, after) => {
  expect(await interfaceHash('python', before)).toBe(await interfaceHash('python', after));
});

test('S3 a parse error makes the interface unknown, except inside a private declaration', async () => {
  expect((await extractText('python', 'def f(:\n  pass\n')).interfaceRecords).toBeNull();
  expect((await extractText('python', 'def f() -> int:\n  return 1 +* 2\n')).interfaceRecords).toBeNull();
  expect((await extractText('python', 'def _f() -> int:\n  return 1 +* 2\n')).interfaceRecords).not.toBeNull();
});

test('S1 no text makes the extractor throw', async () => {
  await fc.assert(fc.asyncProperty(brokenSources(orders ?? '', dynamic ?? ''), (text) => checkFacts('python', text)));
});

test.each([
  ['parentheses', `x = ${'('.repeat(20_000)}`],
  ['calls', `x = ${'a('.repeat(20_000)}${')'.repeat(20_000)}`],
  ['attributes', `x = a${'.getattr'.repeat(20_000)}`],
  ['chained targets', `${'self.x = '.repeat(20_000)}1`],
  ['classes', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}class A:\n`).join('')],
  ['functions', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}def f(x):\n`).join('')],
])('S6 deep nesting of %s overflows nothing', async (_, text) => {
  await checkFacts('python', text);
});
