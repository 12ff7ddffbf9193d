import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { scrambled, secretSamples } from '../../../test/support/secret-samples.ts';
import { blake3Hex } from '../base/hash.ts';
import { findSecrets } from './find-secrets.ts';
import { constantFingerprintClasses, secretClasses } from './patterns.ts';
import { redactString } from './redact-string.ts';

const withEntropy = { entropy: true };

for (const secretClass of secretClasses) {
  for (const [index, { secret, text, mutation }] of secretSamples[secretClass].entries()) {
    test(`G23 ${secretClass} ${index + 1} is replaced, and nothing around it`, () => {
      const redacted = redactString(text, withEntropy);
      expect(redacted.findings.map((finding) => finding.class)).toContain(secretClass);
      expect(redacted.text).not.toContain(secret);
      const finding = redacted.findings.find((found) => found.class === secretClass);
      const fingerprint = constantFingerprintClasses.has(secretClass) ? '00000000' : blake3Hex(secret).slice(0, 8);
      expect(finding).toEqual({ class: secretClass, fingerprint, length: secret.length });
      const [before, after] = text.split(secret) as [string, string];
      if (secretClass !== 'aws_secret_key') {
        expect(redacted.text).toBe(`${before}<REDACTED:fingerprint=${fingerprint}>${after}`);
      }
    });
    test(`G23 the mutation of ${secretClass} ${index + 1} stays as it is`, () => {
      expect(redactString(mutation, withEntropy)).toEqual({ text: mutation, findings: [] });
    });
  }
}

test('G23 placeholders and hashes stay as they are', () => {
  const hex64 = scrambled(64, '0123456789abcdef', 1);
  const base64 = scrambled(86, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 2);
  for (const text of [
    '<REDACTED:fingerprint=1a2b3c4d>',
    `token = "<REDACTED:fingerprint=1a2b3c4d>"`,
    `"integrity": "sha512-${base64}=="`,
    `resolved sha1-${base64.slice(0, 27)}=`,
    `sha256:${hex64} blake3:${hex64} sha256:${base64.slice(0, 43)}`,
    `commit ${hex64.slice(0, 40)}`,
    '9b2f6f0e-58e4-4c6b-9d3c-6a1c0f6f2f11',
    hex64.toUpperCase(),
  ]) {
    expect(redactString(text, withEntropy)).toEqual({ text, findings: [] });
  }
});

test('G23 paths, URLs without credentials, package names and symbols are not random', () => {
  for (const text of [
    'packages/@acme/QuickBrown2/__tests__/Widget-Jumps_Over.LazyDog.test.tsx',
    '/usr/lib/x86_64-linux-gnu/Qt6Quick/VkLayer_MESA_Device-Select.so',
    './src/components/WizardStepXyz2/UseFormBackQuickly',
    'https://fonts.gstatic.com/s/inter/v12/UcCO3FwrK3iLTeHuS_fvQtMwCp50KnMw2boKoduKmMEVuLyfAZ9hiA.woff2',
    '@babel/plugin-bugfix-Safari_Id-Destructuring2-Collision',
    'scip-typescript npm codegenie 0.1.0 src/gather/`redact.ts`/createRedactedZygoteQuickWithMaxBytes2().',
    'shouldReturnNullWhenQuickJumpsOverLazyFoxAtVersion2',
  ]) {
    expect(redactString(text, withEntropy)).toEqual({ text, findings: [] });
  }
});

test('G23 a random name in a path is redacted, the path around it stays', () => {
  const token = secretSamples.entropy[0]?.secret ?? '';
  const { text } = redactString(`src/fixtures/${token}.ts`, withEntropy);
  expect(text).toMatch(/^src\/fixtures\/<REDACTED:fingerprint=[0-9a-f]{8}>\.ts$/);
});

test('G23 entropy is left out on request, named patterns never are', () => {
  const token = secretSamples.entropy[0]?.text ?? '';
  const named = secretSamples.github_token[0]?.text ?? '';
  expect(redactString(token, { entropy: false }).findings).toEqual([]);
  expect(redactString(named, { entropy: false }).findings).toHaveLength(1);
});

test('G23 references, samples, types and expressions are not assigned secrets', () => {
  for (const text of [
    `password: \${DB_PASSWORD}`,
    'password = "{{ .Values.password }}"',
    "token: process.env['NPM_TOKEN_VALUE']",
    'API_KEY=<your api key>',
    'API_KEY=your-api-key-here',
    'secret: "xxxxxxxxxxxx"',
    'password: "example-password"',
    'token: CancellationToken): void',
    'function f(token: string, accessToken: undefined) {}',
    'const token = lexer.nextToken();',
    'this.token = previousToken',
    'if (token === "identifier") {}',
    'max_output_tokens: 1000000000',
    '"js-tokens": "^4.0.0 || ^5.0.0"',
    '"./lib/tokenize": "./lib/tokenize.js"',
    "console.log('password:', password);",
    `NPM_TOKEN: \${{ secrets.NPM_TOKEN }}`,
    'password: short',
  ]) {
    expect(redactString(text, withEntropy)).toEqual({ text, findings: [] });
  }
});

test('equal cleartext gives an equal placeholder, other cleartext another', () => {
  const [one, two] = [secretSamples.github_token[0]?.secret, secretSamples.github_token[1]?.secret];
  const { text, findings } = redactString(`${one} ${two} ${one}`, withEntropy);
  const [first, second, third] = text.split(' ');
  expect(first).toBe(third);
  expect(first).not.toBe(second);
  expect(findings).toHaveLength(3);
});

test('G23 of an assigned token only its own class counts', () => {
  const { secret = '' } = secretSamples.github_token[0] ?? {};
  const { findings } = redactString(`const token = "${secret}";`, withEntropy);
  expect(findings.map((finding) => finding.class)).toEqual(['github_token']);
});

test('a redacted line of JSON is still JSON', () => {
  const everything = secretClasses.filter((name) => name !== 'private_key').flatMap((name) => secretSamples[name]);
  for (const { text, secret } of everything) {
    const line = redactString(JSON.stringify({ event: 'x', detail: `first\n${text}` }), withEntropy).text;
    expect(() => JSON.parse(line)).not.toThrow();
    expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
});

test('G23 an AWS secret three lines away is found, four lines away it is judged by itself', () => {
  const { secret: id = '' } = secretSamples.aws_access_key[0] ?? {};
  const plain = 'A1b/'.repeat(10);
  const classes = (text: string) => findSecrets(text, withEntropy).map((span) => span.class);
  expect(classes(`${id}\n1\n2\n${plain}`)).toEqual(['aws_access_key', 'aws_secret_key']);
  expect(classes(`${plain}\n1\n2\n${id}`)).toEqual(['aws_secret_key', 'aws_access_key']);
  expect(classes(`${id}\n1\n2\n3\n${plain}`)).toEqual(['aws_access_key']);
});

const pieces = [
  ...secretClasses.flatMap((name) => secretSamples[name].flatMap(({ secret, text }) => [secret, text])),
  ...[
    'AK',
    'gh',
    'eyJ',
    '-----BEGIN ',
    'password=',
    'token: "',
    '://a:',
    '@',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    '/',
    '=',
    ';',
    '<',
    '>',
    '_',
  ],
  '<REDACTED:fingerprint=00000000>',
  '<REDACTED:fingerprint=',
];
const noise = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

test('G40 redacting twice is redacting once', () => {
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 12 }), fc.boolean(), (parts, entropy) => {
      const once = redactString(parts.join(''), { entropy }).text;
      expect(redactString(once, { entropy })).toEqual({ text: once, findings: [] });
    }),
    { numRuns: 3000 },
  );
});

test('G40 spans are in order, disjoint, and never inside a placeholder', () => {
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let last = 0;
      for (const { start, end } of findSecrets(text, withEntropy)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).not.toMatch(/^<REDACTED:fingerprint=[0-9a-f]{8}>$/);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 1000 },
  );
});

test('G16 every prefix of every pattern, five thousand times over, is walked in bounded steps', () => {
  const beginnings = [
    ...secretClasses.flatMap((name) =>
      secretSamples[name].flatMap(({ secret, text }) => [secret, secret.slice(0, 8), text.slice(0, 24)]),
    ),
    ...[
      'eyJ',
      'eyJ.',
      'eyJ.a.',
      'token',
      'token:',
      'token=',
      'secret="',
      'password: ',
      '://',
      'ENV TOKEN ',
      '\nENV ',
      '://a:',
      ':a@',
      'Password=',
      ';pwd=',
      '"private_key":"',
    ],
    ...[
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      '-----END ',
      'authorization: ',
      'A',
      'a1B/',
      '1234567:',
      'password=${',
      'token={{',
      'AKIA',
      '/',
      '\\',
      'é',
    ],
    '${{ secrets.',
  ];
  for (const beginning of beginnings) {
    for (const tail of ['', '!', '\n']) {
      const text = (beginning + tail).repeat(5000);
      const once = redactString(text, withEntropy).text;
      expect(redactString(once, withEntropy).text).toBe(once);
    }
  }
});
