import { expect, test } from 'vitest';
import { parse } from 'yaml';
import fc from '../../../test/support/properties.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { renderYaml } from './publish.ts';

test('P6: what is rendered reads back equal, for any document and both YAML versions', () => {
  const awkward = fc.constantFrom(
    'yes',
    'no',
    '~',
    '1e3',
    '.5',
    '.5e3',
    '0x1F',
    '-',
    '- a',
    'a: b',
    '# x',
    '%TAG',
    '012',
    '1:30',
    '2026-01-01',
    '',
    ' a',
    'a ',
    'null',
  );
  const text = fc.oneof(fc.string({ unit: 'binary' }), awkward);
  const { document } = fc.letrec<{ document: JsonObject; value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      tie('document'),
    ),
    document: fc.dictionary(text, tie('value')) as fc.Arbitrary<JsonObject>,
  }));
  fc.assert(
    fc.property(document, (value) => {
      const wellFormed = JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/g, '?')) as JsonObject;
      const yaml = renderYaml(wellFormed);
      expect(parse(yaml, { version: '1.2', uniqueKeys: false }) ?? {}).toEqual(wellFormed);
      expect(parse(yaml, { version: '1.1', uniqueKeys: false }) ?? {}).toEqual(wellFormed);
    }),
    { numRuns: 500 },
  );
});

test('lists of objects are compact and nothing is folded', () => {
  const long = 'word '.repeat(60).trim();
  expect(renderYaml({ a: [{ b: 1, c: ['x'] }, []], d: {}, e: long })).toBe(
    `a:\n  - b: 1\n    c:\n      - x\n  - []\nd: {}\ne: ${long}\n`,
  );
});
