import { expect, test } from 'vitest';
import type { SecretClass } from '../../kernel/secrets/patterns.ts';
import { judgeSecret, type Standing } from './judge-secret.ts';

const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const webToken = (claims: object) => [coded({ alg: 'HS256', typ: 'JWT' }), coded(claims), 'Rk3vQz81LmWx'].join('.');
const random = ['9aKq27Zx', 'Wm41Lr88', 'Vt03'].join('');

test.each<[SecretClass, string, string, Standing]>([
  ['assignment', random, `token = "${random}"`, 'probable'],
  ['assignment', random.slice(0, 8), `token = "${random.slice(0, 8)}"`, 'probable'],
  ['assignment', random.slice(0, 7), `token = "${random.slice(0, 7)}"`, 'placeholder'],
  ['assignment', 'password123', 'password = "password123"', 'placeholder'],
  ['assignment', 'P@ssw0rd1!', 'password = "P@ssw0rd1!"', 'placeholder'],
  ['assignment', 'correct-horse-battery-9', 'secret = "correct-horse-battery-9"', 'placeholder'],
  ['assignment', Buffer.from('admin-password').toString('base64'), 'password: …', 'placeholder'],
  ['assignment', random, `publicToken: "${random}"`, 'public'],
  ['assignment', random, `const tokenAddress = '${random}'`, 'public'],
  ['url_credentials', random, `postgres://app:${random}@db.acme.io/app`, 'probable'],
  ['url_credentials', random, `postgres://app:${random}@localhost/app`, 'placeholder'],
  ['url_credentials', 'redis', 'tcp://:redis@redis:6379', 'placeholder'],
  ['openai_key', `sk-loading-spinner-with-a-very-long-name-2`, 'class="…"', 'placeholder'],
  ['telegram_token', '21225780:Everymajordevelopmentinthehistoryof', '…', 'placeholder'],
  ['stripe_key', ['sk', '_test_', random].join(''), 'key', 'placeholder'],
  ['stripe_key', ['sk', '_live_', random].join(''), 'key', 'probable'],
  ['jwt', webToken({ sub: '1234567890', name: 'John Doe' }), 'key', 'placeholder'],
  ['jwt', webToken({ sub: '7730412', iss: 'https://id.acme.io' }), 'key', 'probable'],
  ['jwt', webToken({ sub: '7730412', aud: 'http://localhost:8080' }), 'key', 'placeholder'],
])('%s %s in «%s»: %s', (secretClass, value, line, standing) => {
  expect(judgeSecret({ path: 'src/a.ts', class: secretClass, value, line })).toBe(standing);
});

test('the frame of a private key is no key', () => {
  const framed = (body: string) => ['-----BEGIN ', 'PRIVATE KEY-----', body, '-----END ', 'PRIVATE KEY-----'].join('');
  const judge = (value: string) =>
    judgeSecret({ path: 'src/a.ts', class: 'private_key', value, line: 'const pem = …' });
  expect(judge(framed('\\n{encode(exported)}\\n'))).toBe('placeholder');
  const key = framed(`\n${random}${random}\n${'Qe5RtYuIoPsDfGhJkL7zXcVb'}${random}\n`);
  expect(judge(key)).toBe('probable');
  expect(judgeSecret({ path: 'src/a.kt', class: 'private_key', value: key, line: '   * -----BEGIN' })).toBe(
    'documentation',
  );
});

test('what stands under a key for development in a YAML file is of development', () => {
  const about = {
    path: 'config/secrets.yml',
    class: 'assignment',
    value: random,
    line: `  secret: ${random}`,
  } as const;
  expect(judgeSecret({ ...about, topKey: 'development' })).toBe('development');
  expect(judgeSecret({ ...about, topKey: 'production' })).toBe('probable');
});
