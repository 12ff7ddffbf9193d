// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dockerfileLimits, substitute } from './dockerfile-instructions.ts';

const values: Readonly<Record<string, string>> = { A: '1', EMPTY: '', LONG: 'x'.repeat(5_000) };
const lookup = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);

test.each([
  ['$A', '1'],
  ['${A}b$A', '1b1'],
  ['${NONE:-y}', 'y'],
  ['${EMPTY:-y}', 'y'],
  ['${EMPTY-y}', ''],
  ['${NONE-y}', 'y'],
  ['${A:+set}', 'set'],
  ['${EMPTY:+set}', ''],
  ['${EMPTY+set}', 'set'],
  ['${NONE:+set}', ''],
  ['${NONE:-${A:-z}}', '1'],
  ['${NONE:-a}${NONE:-}', 'a'],
  ['\'$A\' "$A" \\$A', '$A 1 $A'],
  ['"a\\nb"', 'a\\nb'],
  ['$', '$'],
  ['$1 $$ ${', '$1 $$ ${'],
])('%s → %s', (raw, text) => {
  expect(substitute(raw, '\\', lookup)).toEqual({ text, unresolved: [] });
});

test.each([
  ['/bin:$PATH', ['PATH']],
  ['${NONE}', ['NONE']],
  ['${A#pattern}', ['A']],
  ['${A/x/y}', ['A']],
  ['${NONE:?must be there}', ['NONE']],
  ['${NONE:-$OTHER}', ['OTHER']],
])('%s stays as written and is named', (raw, unresolved) => {
  const { text, unresolved: named } = substitute(raw, '\\', lookup);
  expect(named).toEqual(unresolved);
  expect(text).toContain('$');
});

test('40: whatever the text, the answer comes and is bounded', () => {
  const part = fc.constantFrom('${', '$A', '${A:-', '}', '"', "'", '\\', '$LONG', 'x', ':', '{', '${NONE:+');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      expect(substitute(parts.join(''), '\\', lookup).text.length).toBeLessThanOrEqual(dockerfileLimits.valueChars);
    }),
  );
});
