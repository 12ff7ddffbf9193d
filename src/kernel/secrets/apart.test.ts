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
