import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import {
  type Descriptor,
  descriptorSuffixes,
  kindName,
  kindOfDescriptor,
  type ParsedSymbol,
  parseDescriptors,
  parseScipSymbol,
  renderDescriptors,
  renderScipSymbol,
} from './scip.ts';

const plain = fc.stringMatching(/^[A-Za-z0-9_+$-]{1,6}$/);
const name = fc.oneof(
  plain,
  fc.string({
    minLength: 1,
    maxLength: 8,
    unit: fc.constantFrom('`', ' ', 'a', '/', '.', '(', ')', '[', '#', 'é', '😀'),
  }),
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }),
);
const descriptor: fc.Arbitrary<Descriptor> = fc
  .record({ name, suffix: fc.constantFrom(...descriptorSuffixes), disambiguator: fc.oneof(fc.constant(''), plain) })
  .map((made) => (made.suffix === 'method' ? made : { ...made, disambiguator: '' }));
// The grammar cannot write a field that begins with a space, nor one that is the placeholder itself.
const field = fc
  .string({ maxLength: 8, unit: fc.constantFrom(' ', 'a', '.', '@', '/', 'é') })
  .filter((text) => !text.startsWith(' ') && text !== '.');
const symbol: fc.Arbitrary<ParsedSymbol> = fc.oneof(
  plain.map((id) => ({ kind: 'local' as const, id })),
  fc.record({
    kind: fc.constant('global' as const),
    scheme: field.filter((text) => text !== '' && !text.startsWith('local')),
    manager: field,
    package: fc.record({ name: field, version: field }),
    descriptors: fc.array(descriptor, { minLength: 1, maxLength: 5 }),
  }),
);

test('a symbol that is written and read is the same symbol', () => {
  fc.assert(
    fc.property(symbol, (given) => {
      const text = renderScipSymbol(given);
      expect(parseScipSymbol(text)).toEqual(given);
    }),
    { numRuns: 2000 },
  );
});

test('whatever can be read is written in one spelling, and reads as the same again', () => {
  const piece = fc.constantFrom(
    'a',
    '`',
    '``',
    ' ',
    '  ',
    '.',
    '#',
    '/',
    '(',
    ')',
    ').',
    '[',
    ']',
    ':',
    '!',
    'local ',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const parsed = parseScipSymbol(`s m n v ${pieces.join('')}`);
      if (parsed === undefined) return;
      const canonical = renderScipSymbol(parsed);
      expect(parseScipSymbol(canonical)).toEqual(parsed);
    }),
    { numRuns: 5000 },
  );
});

const spelled: readonly (readonly [string, string])[] = [
  [
    'scip-typescript npm @scope/pkg 1.0.0 src/`a.ts`/Class#`<constructor>`().',
    '@scope/pkg 1.0.0 namespace:src namespace:a.ts type:Class method:<constructor>',
  ],
  ['scip-typescript npm . . `a.ts`/f().(x)', ' namespace:a.ts method:f parameter:x'],
  ['scip-python python snapshot 0.1 `src.mod`/__init__:', 'snapshot 0.1 namespace:src.mod meta:__init__'],
  [
    'rust-analyzer cargo demo 0.1.0 impl#[`Foo<T>`][Trait]go().',
    'demo 0.1.0 type:impl type_parameter:Foo<T> type_parameter:Trait method:go',
  ],
  ['semanticdb maven . . com/Example#add(+1).(a)', ' namespace:com type:Example method:add+1 parameter:a'],
  [
    'scip-go gomod github.com/a/b v1.2.3 `github.com/a/b/c`/T#Field.',
    'github.com/a/b v1.2.3 namespace:github.com/a/b/c type:T term:Field',
  ],
  ['cxx . . $ `src/a.h:3:9`!', ' $ macro:src/a.h:3:9'],
  ['s m a  b 1 x.', 'a b 1 term:x'],
  ['s m n v `a``b`.', 'n v term:a`b'],
  ['s m n v été.', 'n v term:été'],
];

test.each(spelled)('%s', (text, told) => {
  const parsed = parseScipSymbol(text);
  if (parsed?.kind !== 'global') throw new Error('not a global symbol');
  const { package: named, descriptors } = parsed;
  const tail = descriptors.map((one) => `${one.suffix}:${one.name}${one.disambiguator}`).join(' ');
  expect([named.name, named.version, tail].join(' ').replace(/^ +/, ' ')).toBe(told);
});

test('locals are ids and nothing more', () => {
  expect(parseScipSymbol('local 0')).toEqual({ kind: 'local', id: '0' });
  expect(parseScipSymbol('local a.b')).toBeUndefined();
  expect(parseScipSymbol('local ')).toBeUndefined();
});

test.each([
  '',
  'x',
  ' m n v a.',
  's m n v ',
  's m n v',
  's m n v a',
  's m n v a(',
  's m n v a()',
  's m n v a(x)/',
  's m n v [a',
  's m n v (a]',
  's m n v `a',
  's m n v ``.',
  's m n v a b.',
  'localhost m n v a.',
])('not a symbol: %j', (text) => {
  expect(parseScipSymbol(text)).toBeUndefined();
});

test('a plain name in backticks is understood and loses them', () => {
  const descriptors = parseDescriptors('`plain`/`not plain`#');
  expect(renderDescriptors(descriptors ?? [])).toBe('plain/`not plain`#');
});

test('hostile: a symbol of a million marks is refused in linear time', () => {
  const marks = 1_000_000;
  expect(parseScipSymbol(`s m n v ${'`'.repeat(marks)}`)).toBeUndefined();
  expect(parseScipSymbol(' '.repeat(marks))).toBeUndefined();
  expect(parseScipSymbol(`s m n v ${'a/'.repeat(marks)}`)?.kind).toBe('global');
});

type GeneratedSchema = {
  readonly scip: { readonly SymbolInformation: { readonly Kind: Record<string, string | number> } };
};

test('every number that the generated schema of scip-typescript knows has the same word here', () => {
  const require = createRequire(import.meta.url);
  const { scip } = require('@sourcegraph/scip-typescript/dist/src/scip.js') as GeneratedSchema;
  const numbers = Object.entries(scip.SymbolInformation.Kind).filter(([, value]) => typeof value === 'number');
  expect(numbers.length).toBeGreaterThan(60);
  for (const [name, number] of numbers) {
    const word = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    expect([number, kindName(number as number)]).toEqual([number, number === 0 ? null : word]);
  }
});

test('numbers that only the current schema knows', () => {
  expect([66, 72, 73, 80, 82, 84, 85, 86].map(kindName)).toEqual([
    'abstract_method',
    'accessor',
    'delegate',
    'static_method',
    'static_variable',
    'extension',
    'mixin',
    'concept',
  ]);
});

test('unspecified and unknown numbers have no word', () => {
  expect([0, -1, 83, 87, 2 ** 31 - 1, 1.5].map(kindName)).toEqual([null, null, null, null, null, null]);
});

test('every suffix is answered', () => {
  expect(descriptorSuffixes.map((suffix) => kindOfDescriptor({ suffix }))).toHaveLength(descriptorSuffixes.length);
  expect(kindOfDescriptor({ suffix: 'meta' })).toBeNull();
});
