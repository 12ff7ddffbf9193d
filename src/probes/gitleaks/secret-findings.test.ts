import { expect, test } from 'vitest';
import { secretClasses } from '../../kernel/secrets/patterns.ts';
import { parseGitleaksReport, renderGitleaksConfig, scannedBytes } from './gitleaks-run.ts';
import {
  classOfRule,
  describeClass,
  indexSecrets,
  isLikelySecret,
  locateSecrets,
  parseIgnoreFile,
  placeLeak,
} from './secret-findings.ts';

const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
const leak = { rule: 'aws-access-token', description: 'd', path: 'a.py', line: 2, commit: null };

test('the place of a secret is the line it begins in', () => {
  const text = `first\nkey = "${key}"\n\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx ${key}\n`;
  expect(locateSecrets('a.py', text).map(({ line, class: found }) => [line, found])).toEqual([
    [2, 'aws_access_key'],
    [4, 'private_key'],
    [7, 'aws_access_key'],
  ]);
});

test('in YAML the outermost key above a secret says what it is of', () => {
  const [first, second] = [
    ['9aKq27Zx', 'Wm41Lr88', 'Vt03'],
    ['4bHs61Qy', 'Nc92Td07', 'Px58'],
  ].map((parts) => parts.join(''));
  const text = `development:\n  app:\n    secret: ${first}\nproduction:\n  app:\n    secret: ${second}\n`;
  const standings = (path: string) => locateSecrets(path, text).map(({ line, standing }) => [line, standing]);
  expect(standings('config/secrets.yml')).toEqual([
    [3, 'development'],
    [6, 'probable'],
  ]);
});

test('a rule of gitleaks becomes a class of ours, and the secret has the redactor’s fingerprint', () => {
  expect(placeLeak(leak, indexSecrets(locateSecrets('a.py', `\nkey = "${key}"\n`)))).toMatchObject({
    rule_id: 'aws_access_key',
    match_fingerprint: '11b9e73f',
    description: 'AWS access key id',
  });
});

test('what our patterns do not know keeps its name and has no fingerprint to guess by', () => {
  expect(placeLeak({ ...leak, rule: 'alibaba-access-key-id' }, indexSecrets([]))).toMatchObject({
    rule_id: 'gitleaks.alibaba-access-key-id',
    match_fingerprint: '00000000',
    description: 'd',
  });
});

test('another secret in the same line is not taken for one that has no class', () => {
  expect(
    placeLeak({ ...leak, rule: 'alibaba-access-key-id' }, indexSecrets(locateSecrets('a.py', `\nkey = "${key}"\n`))),
  ).toMatchObject({ rule_id: 'gitleaks.alibaba-access-key-id' });
});

test('G40 a hundred thousand secrets in one line are placed in one pass', () => {
  const located = indexSecrets(locateSecrets('a.py', `\n${`${key} `.repeat(100_000)}\n`));
  const places = Array.from({ length: 100_000 }, (_, nth) => placeLeak(leak, located, nth));
  expect(new Set(places.map(({ match_fingerprint }) => match_fingerprint))).toEqual(new Set(['11b9e73f']));
});

test.each([
  ['github-fine-grained-pat', 'github_token'],
  ['generic-api-key', 'assignment'],
  ['hashicorp-tf-api-token', null],
  ['vault-service-token', 'vault_token'],
  ['huggingface-access-token', 'hf_token'],
  ['private-key', 'private_key'],
])('%s → %s', (rule, ours) => {
  expect(classOfRule(rule)).toBe(ours);
});

test('every class has words', () => {
  for (const secretClass of secretClasses) expect(describeClass(secretClass)).toMatch(/\w/);
});

test('a report; nothing of author and message is kept', () => {
  const row = {
    RuleID: 'r',
    Description: 'd',
    File: './a',
    StartLine: 1,
    Commit: 'a'.repeat(40),
    Message: 'm',
    Email: 'e',
  };
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  expect(parseGitleaksReport(bytes([row]))).toEqual([
    { rule: 'r', description: 'd', path: 'a', line: 1, commit: 'a'.repeat(40) },
  ]);
  expect(parseGitleaksReport(bytes(null))).toEqual([]);
  expect(parseGitleaksReport(bytes({ findings: [] }))).toBeUndefined();
  expect(parseGitleaksReport(bytes([{ ...row, StartLine: '1' }]))).toBeUndefined();
  expect(parseGitleaksReport(new Uint8Array())).toBeUndefined();
});

test('the bytes it says it scanned', () => {
  expect(scannedBytes('\u001b[90m8:18PM\u001b[0m INF scanned ~284 bytes (284 bytes) in 10ms')).toBe(284);
  expect(scannedBytes('INF no leaks found')).toBeUndefined();
});

test('entries of an ignore file, by place', () => {
  const text = `# why\nsrc/a.py:aws-access-token:1\n${'a'.repeat(40)}:b:c.py:rule:2\n\nnonsense\n`;
  expect([...parseIgnoreFile(text)]).toEqual(['src/a.py:1', 'b:c.py:2']);
});

test('names of ignored directories are text and no expressions', () => {
  expect(renderGitleaksConfig([])).not.toContain('allowlists');
  expect(renderGitleaksConfig(['node_modules', 'a+b (c)'])).toContain(
    String.raw`"^(?:node_modules|a\\+b \\(c\\))(?:/|$)"`,
  );
});

test.each([
  ['assignment', 'Tr0ub4dor-3', true],
  ['assignment', 'identifier', false],
  ['assignment', 'tokens[1].text', false],
  ['assignment', 'two words 2', false],
  ['url_credentials', 's3cr3t-pw', true],
  ['url_credentials', 'password', false],
  ['url_credentials', '%s', false],
  ['github_token', 'anything', true],
] as const)('%s %j is worth telling: %s', (secretClass, value, told) => {
  expect(isLikelySecret(secretClass, value)).toBe(told);
});
