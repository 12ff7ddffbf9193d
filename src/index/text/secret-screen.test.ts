import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { apartSamples, scrambled, secretSamples } from '../../../test/support/secret-samples.ts';
import { findSecrets } from '../../kernel/secrets/find-secrets.ts';
import { redactForIndex } from './scan-text.ts';
import { type SecretScreen, screenSecrets } from './secret-screen.ts';
import { addTrigrams, dropTrigrams } from './trigrams.ts';

const key = Buffer.alloc(32, 7);

function screen(text: string): SecretScreen {
  const bytes = Buffer.from(text);
  addTrigrams(bytes);
  const answer = screenSecrets(text, bytes);
  dropTrigrams();
  return answer;
}

const samples = Object.entries(secretSamples).flatMap(([name, list]) => list.map((sample) => ({ name, ...sample })));

test.each(samples)('the screen lets a text with $name pass', ({ name, text }) => {
  expect(screen(text)).toBe(name === 'entropy' ? 'random' : 'named');
  expect(screen(`größe\r\n${text}\n`)).not.toBe('none');
});

test('the screen lets a text pass whose secret stands apart from its name', () => {
  for (const { text } of apartSamples) expect(screen(text), text).toBe('named');
});

test('the screen lets a token pass that is written with escapes', () => {
  const token = `ghp_${scrambled(36, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 5)}`;
  const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0');
  for (const write of [
    (char: string) => `%${hex(char, 2)}`,
    (char: string) => `\\x${hex(char, 2)}`,
    (char: string) => `\\u${hex(char, 4)}`,
    (char: string) => `\\u{${hex(char, 2)}}`,
    (char: string) => `&#x${hex(char, 2)};`,
    (char: string) => `&#${char.charCodeAt(0)};`,
  ])
    expect(screen(`const key = "${[...token].map(write).join('')}";\n`)).toBe('named');
});

test('where the screen says none, nothing is found', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-';
  const part = fc.oneof(
    fc.constantFrom(...samples.flatMap(({ text, mutation }) => [text, mutation])),
    fc.constantFrom(...apartSamples.map(({ text }) => text)),
    fc.tuple(fc.nat(90), fc.nat()).map(([length, seed]) => scrambled(length, alphabet, seed)),
    fc.constantFrom(
      'pass',
      'word',
      'token',
      ' = ',
      ': ',
      '"',
      "'",
      '\n',
      '\\n',
      '://',
      '@',
      'a',
      '_',
      'ENV ',
      'sk-',
      'AKIA',
      '12345678:',
    ),
    fc.string({ maxLength: 8 }),
  );
  let found = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const secrets = findSecrets(text, { entropy: true });
      found += secrets.length;
      if (secrets.length > 0) expect(screen(text)).not.toBe('none');
      if (secrets.some(({ class: name }) => name !== 'entropy')) expect(screen(text)).toBe('named');
    }),
    { numRuns: 1_500 },
  );
  expect(found).toBeGreaterThan(500);
});

test('most files of this program are told to hold none without being searched', () => {
  const directory = new URL('../../kernel/', import.meta.url);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  let none = 0;
  for (const name of files) {
    const text = readFileSync(new URL(name, directory), 'utf8');
    const answer = screen(text);
    if (answer === 'none') none += 1;
    if (findSecrets(text, { entropy: true }).length > 0) expect(answer, name).not.toBe('none');
  }
  expect(none).toBeGreaterThan(files.length / 2);
});

test.each(samples)('$name is replaced by a keyed hash of its length', ({ secret, text }) => {
  const around = `before größe\r\n${text}\nafter`;
  const { text: clean, redacted } = redactForIndex(around, key);
  expect(redacted).toBe(true);
  expect(clean).toHaveLength(around.length);
  expect(clean.replace(/[^\r\n]/g, '')).toBe(around.replace(/[^\r\n]/g, ''));
  for (const line of secret.split('\n')) if (line.length > 3) expect(clean).not.toContain(line);
  expect(redactForIndex(around, key).text).toBe(clean);
  expect(redactForIndex(around, Buffer.alloc(32, 8)).text).not.toBe(clean);
});

test('a text without secrets is left as it is', () => {
  for (const { mutation } of samples)
    expect(redactForIndex(mutation, key)).toEqual({ text: mutation, redacted: false });
});

test('a secret that another one hid is found too', () => {
  const npm = `${'np'}m_${scrambled(36, 'abcdefghijklmnop', 3)}`;
  const aws = `${'AK'}IA${scrambled(16, 'ABCDEFGHIJKLMNOP', 4)}`;
  const { text } = redactForIndex(`${npm}${aws} end`, key);
  expect(text).not.toContain(aws);
  expect(text).not.toContain(npm);
});

test('G23 a certificate stays as it is, also where a private key stands within reach of it', () => {
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const { text: privateKey = '' } = secretSamples.private_key[0] ?? {};
  const certificate = (seed: number) =>
    `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 50 }, (_, line) => scrambled(64, base64, seed + line)).join('\n')}\n-----END CERTIFICATE-----\n`;
  const chain = [100, 200, 300].map(certificate).join('');
  expect(redactForIndex(`${chain}${privateKey}\n${chain}`, key).text.split(chain)).toHaveLength(3);
});
