import { expect, test } from 'vitest';
import { apartMutations, apartSamples } from '../../../test/support/secret-samples.ts';
import { apartLiterals } from './literals.ts';
import { redactString } from './redact-string.ts';

const shown = (text: string) => JSON.stringify(text).slice(0, 60);

test.each(apartSamples.map(({ secret, text }) => [shown(text), secret, text] as const))(
  'G23 what stands apart from its name is a secret: %s',
  (_, secret, text) => {
    for (const around of [text, `größe\n${text}\nafter\n`, `${'x '.repeat(400)}\n${text}`]) {
      const redacted = redactString(around, { entropy: false });
      expect(redacted.text).not.toContain(secret);
      expect(redactString(redacted.text, { entropy: false })).toEqual({ text: redacted.text, findings: [] });
    }
  },
);

test.each(apartMutations.map((text) => [shown(text), text] as const))('G23 nothing is secret in %s', (_, text) => {
  expect(redactString(text, { entropy: false })).toEqual({ text, findings: [] });
});

test('G23 of a block exactly the values are replaced, whatever ends its lines', () => {
  const [value, other] = ['Wv4-k9Zq7x', 'Zq7-Wv4k9x1'];
  const hidden = '<REDACTED:fingerprint=00000000>';
  for (const end of ['\n', '\r\n']) {
    const lines = (one: string, two: string) =>
      ['kind: Secret', 'stringData:', `  a: ${one}`, '  b: |', `    ${two}`, 'other: text', ''].join(end);
    expect(redactString(lines(value, other), { entropy: false }).text).toBe(lines(hidden, hidden));
    const below = (one: string) => ['db:', '  password: >-', `    ${one}`, '  user: somebody-else1', ''].join(end);
    expect(redactString(below(value), { entropy: false }).text).toBe(below(hidden));
  }
});

test('G16 every beginning, five thousand times over, is walked in bounded steps', () => {
  const beginnings = [
    ...Object.values(apartLiterals).flat(),
    ...apartSamples.flatMap(({ text }) => [text.slice(0, 12), text.slice(0, 24), text.slice(-24)]),
    ...['LS0tLS1CRUdJTi', 'kind: Secret\n', 'password:\n', `\${password:-`, 'a.', '//a/', '-----', '%2D'],
  ];
  for (const beginning of new Set(beginnings))
    for (const tail of ['', '\n', '  ']) {
      const once = redactString((beginning + tail).repeat(5000), { entropy: false }).text;
      expect(once.length).toBeGreaterThan(0);
    }
});
