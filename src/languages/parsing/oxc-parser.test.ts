import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createOxcParser, type OxcReading, parseWithOxc } from './oxc-parser.ts';
import { withParsedSource } from './parse-source.ts';

const asModule: OxcReading = { lang: 'ts', sourceType: 'module' };

test('S6: offsets count UTF-16 units', () => {
  const program = parseWithOxc('const é = "😀", b = 1', asModule);
  expect(program).toMatchObject({ body: [{ declarations: [{ id: { start: 6 } }, { id: { start: 16, end: 17 } }] }] });
});

test('S6: an abort of the parser costs one file, and the next is read', () => {
  // So little memory that a long text makes the allocator give up, which ends the module as a fault of its own would.
  const parse = createOxcParser(1_000);
  for (let round = 0; round < 3; round += 1) {
    expect(parse('a;'.repeat(1_000_000), asModule)).toBeUndefined();
    expect(parse('a;', asModule)?.type).toBe('Program');
  }
});

test.each([
  ['parentheses', '('.repeat(50_000)],
  ['closed parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
  ['arrays', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['blocks', `${'{'.repeat(50_000)}${'}'.repeat(50_000)}`],
  ['signs', `${'!'.repeat(50_000)}1`],
  ['sums', `${'1+'.repeat(50_000)}1`],
  ['calls', `a${'.b()'.repeat(50_000)}`],
  ['arrows', `${'a=>'.repeat(50_000)}1`],
  ['else', `${'if(a);else '.repeat(20_000)};`],
  ['types', `type A=${'B<'.repeat(20_000)}C${'>'.repeat(20_000)}`],
  ['unions', `type A=${'B|'.repeat(20_000)}C`],
  ['elements', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`],
  ['templates', `${'`${'.repeat(20_000)}1${'}`'.repeat(20_000)}`],
])('S6: many nested %s overflow nothing, and the next file is read', async (_, text) => {
  const names = await withParsedSource('tsx', text, ({ root }) => root.descendantsOfType('identifier').length);
  expect(names).toBeGreaterThanOrEqual(0);
  expect(parseWithOxc('a', asModule)?.type).toBe('Program');
});

test('S6: no text makes it throw, and what it did before changes nothing', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: signs of programs
      ...'( ) [ ] { } < > ${ } ` / // /* */ " \' => ? : ; , . ... # @ \\u{61} \\ <!-- --> \0 \u2028 \ud800 😀'.split(
        ' ',
      ),
    ),
    fc.constantFrom(
      ...'class function async await yield type interface enum namespace declare abstract import export default from as satisfies using accessor infer keyof'.split(
        ' ',
      ),
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' '));
  const readings = fc.constantFrom<OxcReading>(
    asModule,
    { lang: 'tsx', sourceType: 'module' },
    { lang: 'dts', sourceType: 'module' },
    { lang: 'jsx', sourceType: 'unambiguous' },
    { lang: 'jsx', sourceType: 'commonjs' },
  );
  fc.assert(
    fc.property(texts, readings, (text, reading) => {
      const first = parseWithOxc(text, reading);
      expect(parseWithOxc(text, reading)).toEqual(first);
    }),
    { numRuns: 300 },
  );
});
