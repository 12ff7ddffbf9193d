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

const hex = (length: number, seed: number) => scrambled(length, '0123456789abcdef', seed);
const base64Of = (length: number, seed: number) =>
  scrambled(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', seed);
/** Checksums and public keys, each in its own syntax. */
const publicValues: Readonly<Record<string, string>> = {
  'go.sum': `github.com/x/secret-token v1.2.3 h1:${base64Of(43, 11)}=\ngithub.com/x/y v1.2.3/go.mod h1:${base64Of(43, 12)}=`,
  'package-lock.json': `"integrity": "sha512-${base64Of(86, 13)}=="`,
  'yarn berry': `  checksum: 10c0/${hex(128, 14)}`,
  'Cargo.lock': `name = "token"\nchecksum = "${hex(64, 15)}"`,
  pip: `secretstorage==3.3.3 \\\n    --hash=sha256:${hex(64, 16)} --hash=sha256:${hex(64, 17)}`,
  'Gemfile.lock': `CHECKSUMS\n  jwt-token (2.0.0) sha256=${hex(64, 18)}`,
  gradle: `<sha256 value="${hex(64, 19)}" origin="Generated"/>`,
  image: `image: registry.example/token-service:1.2@sha256:${hex(64, 20)}`,
  action: `- uses: actions/create-github-app-token@${hex(40, 21)} # v2`,
  nix: `hash = "sha256-${base64Of(43, 22)}="; outputHash = "${hex(52, 23)}"; "narHash": "sha256-${base64Of(43, 24)}="`,
  page: `<script src="a.js" integrity="sha384-${base64Of(64, 25)} sha512-${base64Of(86, 26)}==" crossorigin>`,
  terraform: `hashes = [\n    "h1:${base64Of(43, 27)}=",\n    "zh:${hex(64, 28)}",\n]`,
  nuget: `"resolved": "1.0.0",\n"contentHash": "${base64Of(86, 29)}=="`,
  bazel: `"bzlTransitiveDigest": "${base64Of(43, 30)}="`,
  'ssh key': `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB${base64Of(300, 31)} me@example.org`,
  'ssh key, elliptic': `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64Of(43, 32)}\necdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI${base64Of(80, 33)}`,
  'ssh fingerprint': `SHA256:${base64Of(43, 34)}`,
  certificate: `-----BEGIN CERTIFICATE-----\nMII${base64Of(61, 35)}\n${base64Of(40, 36)}==\n-----END CERTIFICATE-----`,
  'public key in a string': `"-----BEGIN PUBLIC KEY-----\\nMII${base64Of(61, 37)}\\n${base64Of(43, 38)}=\\n-----END PUBLIC KEY-----"`,
  'PGP key': `-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: GnuPG v2\n\n${base64Of(64, 39)}\n=${base64Of(4, 40)}\n-----END PGP PUBLIC KEY BLOCK-----`,
  'certificate in a program': `"-----BEGIN CERTIFICATE-----\\n" +\n  "MII${base64Of(61, 41)}==\\n" +\n  "-----END CERTIFICATE-----"`,
  minisign: `untrusted comment: minisign public key 1A2B\nRWQ${base64Of(53, 44)}`,
  age: `age1${scrambled(58, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l', 45)}`,
  'public key by name': `VAPID_PUBLIC_KEY=${base64Of(86, 46)} "publicKey": "${base64Of(43, 47)}=" trusted-public-keys = cache.example.org-1:${base64Of(43, 48)}=`,
};

for (const [kind, text] of Object.entries(publicValues)) {
  test(`G23 what is public stays as it is: ${kind}`, () => {
    expect(redactString(text, withEntropy)).toEqual({ text, findings: [] });
    const escaped = JSON.stringify({ text });
    expect(redactString(escaped, withEntropy)).toEqual({ text: escaped, findings: [] });
  });
}

test('G23 a secret that looks like a checksum is one where its name or its kind says so', () => {
  const token = secretSamples.github_token[0]?.secret ?? '';
  for (const [text, secret] of [
    [`PASSWORD=${hex(64, 51)}`, hex(64, 51)],
    [`password: sha256:${hex(64, 52)}`, hex(64, 52)],
    [`API_KEY="h1:${base64Of(43, 53)}="`, base64Of(43, 53)],
    [`token_digest = "${base64Of(43, 54)}="`, base64Of(43, 54)],
    [`"integrity": "${token}"`, token],
    [`checksum: ${base64Of(50, 55)}`, base64Of(50, 55)],
    [`checksum_key: "${base64Of(43, 56)}"`, base64Of(43, 56)],
    [`h1:${base64Of(60, 57)}`, base64Of(60, 57)],
    [`-----BEGIN CERTIFICATE-----\n${token}\n-----END CERTIFICATE-----`, token],
    [`has("-----BEGIN CERTIFICATE-----")\nseed = "${base64Of(43, 58)}"`, base64Of(43, 58)],
    [`-----BEGIN CERTIFICATE-----\n\n${base64Of(43, 42)}`, base64Of(43, 42)],
    [`-----END CERTIFICATE-----\n${base64Of(43, 59)}`, base64Of(43, 59)],
    [`RWQ${base64Of(90, 60)}`, base64Of(90, 60)],
  ] as const) {
    expect(redactString(text, withEntropy).text, text).not.toContain(secret);
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

const digitsOf = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0');
const escapes: readonly ((char: string) => string)[] = [
  (char) => `%${digitsOf(char, 2)}`,
  (char) => `%${digitsOf(char, 2).toUpperCase()}`,
  (char) => `\\x${digitsOf(char, 2)}`,
  (char) => `\\u${digitsOf(char, 4)}`,
  (char) => `\\u{${digitsOf(char, 1)}}`,
  (char) => `\\\\u${digitsOf(char, 4)}`,
  (char) => `&#x${digitsOf(char, 2)};`,
  (char) => `&#${char.charCodeAt(0)};`,
];
test('G23 a token that is written with escapes of any kind is one', () => {
  const token = `ghp_${scrambled(36, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 5)}`;
  // Every character as an escape, every third, or each in another way.
  for (const [n, write] of escapes.entries()) {
    const ways = [
      [...token].map(write),
      [...token].map((char, at) => (at % 3 === 0 ? write(char) : char)),
      [...token].map((char, at) => escapes[(at + n) % escapes.length]?.(char) ?? char),
    ];
    for (const written of ways.map((chars) => chars.join('')))
      for (const text of [`export const key = "${written}";\n`, `a ${written} b\n${'x '.repeat(400)}`]) {
        const redacted = redactString(text, { entropy: false });
        expect(redacted.findings, text).toHaveLength(1);
        expect(redacted.text).toBe(
          text.replace(written, redacted.text.match(/<REDACTED:fingerprint=\w+>/)?.[0] ?? 'nothing'),
        );
      }
  }
  const json = JSON.stringify({ a: `\\${[...token].map(escapes[3] ?? String).join('')}` });
  expect(() => JSON.parse(redactString(json, { entropy: false }).text)).not.toThrow();
  const plain = 'const a = "\\u00e9\\x41 100%25 &#169; C:\\users\\new"';
  expect(redactString(plain, { entropy: false }).text).toBe(plain);
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
  expect(classes(`\n${id}\n1\n2\n3\n${plain}`)).toEqual(['aws_access_key']);
});

const pieces = [
  ...Object.values(publicValues),
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

test('G40 what is public hides no secret beside it', () => {
  const planted = secretClasses.flatMap((name) => secretSamples[name]);
  const around = fc.constantFrom(...Object.values(publicValues));
  fc.assert(
    fc.property(around, fc.constantFrom(...planted), around, (before, { secret, text }, after) => {
      const redacted = redactString(`${before}\n\n${text}\n\n${after}`, withEntropy).text;
      expect(redacted).not.toContain(secret);
    }),
    { numRuns: 1000 },
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
