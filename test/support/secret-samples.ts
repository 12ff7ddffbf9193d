/**
 * One planted secret per redactor class, the text it stands in, and the nearest text that must be left alone.
 * Every sample is put together at run time, so that no scanner takes this file for a leak.
 */

import type { SecretClass } from '../../src/kernel/secrets/patterns.ts';

export type SecretSample = {
  /** The part that must vanish. */
  readonly secret: string;
  /** The text it is planted in. */
  readonly text: string;
  /** The same shape with one thing wrong: no class may match. */
  readonly mutation: string;
};

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
const digits = '0123456789';

/** Text that looks random and is the same on every run: a fixed walk over an alphabet. */
export function scrambled(length: number, alphabet: string, seed: number): string {
  let state = seed * 2654435761 + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}

const alnum = (length: number, seed: number) => scrambled(length, upper + lower + digits, seed);
const hex = (length: number, seed: number) => scrambled(length, '0123456789abcdef', seed);
const bare = (secret: string, mutation: string): SecretSample => ({ secret, text: `found ${secret} here`, mutation });
const base64url = (value: string) => Buffer.from(value).toString('base64url');

const awsId = ['AK', 'IA'].join('') + scrambled(16, upper + digits, 1);
const awsSecret = `${alnum(20, 2)}/${alnum(18, 3)}+`;
const jwtBody = `.${base64url('{"sub":"12"}')}.${alnum(43, 4)}`;
const pemBody = `\n${alnum(64, 5)}\n${alnum(64, 6)}\n`;
const dashes = '-'.repeat(5);
const pem = `${dashes}BEGIN RSA ${'PRIVATE'} KEY${dashes}${pemBody}${dashes}END RSA ${'PRIVATE'} KEY${dashes}`;
const hunter = ['hun', 'ter2-hun', 'ter2'].join('');

export const secretSamples: Readonly<Record<SecretClass, readonly SecretSample[]>> = {
  aws_access_key: [
    bare(awsId, `found ${awsId.slice(0, -1)} here`),
    bare(`${'AS'}IA${scrambled(16, upper, 7)}`, `found ${'AS'}IB${scrambled(16, upper, 7)} here`),
  ],
  aws_secret_key: [
    {
      secret: awsSecret,
      text: `id = ${awsId}\n\n\nvalue ${awsSecret}`,
      mutation: `value ${awsSecret.slice(0, 31)} end`,
    },
  ],
  github_token: [
    bare(`${'gh'}p_${alnum(36, 8)}`, `found ${'gh'}x_${'a'.repeat(36)} here`),
    bare(`${'github'}_pat_${alnum(30, 9)}`, `found ${'github'}_pat_${'a'.repeat(21)} here`),
  ],
  gitlab_token: [bare(`${'gl'}pat-${alnum(20, 10)}`, `found ${'gl'}pat-${alnum(19, 10)} here`)],
  npm_token: [
    bare(`${'np'}m_${alnum(36, 11)}`, `found ${'np'}m_${'a'.repeat(35)} here`),
    {
      secret: hex(36, 12),
      text: `//registry.example.com/:_auth${'Token'}=${hex(36, 12)}\n`,
      mutation: `//registry.example.com/:_auth${'Token'}=\${NPM_TOKEN}\n`,
    },
  ],
  pypi_token: [bare(`${'py'}pi-AgEI${alnum(60, 13)}`, `found ${'py'}pi-AgEJ${'a'.repeat(60)} here`)],
  anthropic_key: [bare(`${'sk'}-ant-api03-${alnum(60, 14)}`, `found ${'sk'}-ant-api03-short here`)],
  openai_key: [
    bare(`${'sk'}-proj-${alnum(40, 15)}`, `found ta${'sk'}-proj-${'a'.repeat(40)} here`),
    bare(`${'sk'}-${alnum(48, 16)}`, `found ${'sk'}-${'a'.repeat(31)} here`),
  ],
  google_key: [
    bare(`${'AI'}za${alnum(35, 17)}`, `found ${'AI'}za${'a'.repeat(34)} here`),
    bare(`${'ya'}29.${alnum(30, 18)}`, `found ${'ya'}29-${'a'.repeat(30)} here`),
    {
      secret: pem.replaceAll('\n', '\\n'),
      text: `{"type": "service_account", "private_key": "${pem.replaceAll('\n', '\\n')}"}`,
      mutation: '{"type": "service_account", "private_key": "<key>"}',
    },
  ],
  slack_token: [
    bare(`${'xo'}xb-${alnum(24, 19)}`, `found ${'xo'}xz-${alnum(24, 19)} here`),
    bare(`${'xa'}pp-1-${alnum(24, 20)}`, `found ${'xa'}pp-short here`),
    {
      secret: `T${alnum(8, 21)}/B${alnum(8, 22)}/${alnum(24, 23)}`,
      text: `https://hooks.${'slack'}.com/services/T${alnum(8, 21)}/B${alnum(8, 22)}/${alnum(24, 23)}`,
      mutation: `https://hooks.${'slack'}.com/services/docs/incoming/webhooks`,
    },
  ],
  stripe_key: [
    bare(`${'sk'}_live_${alnum(24, 24)}`, `found ${'sk'}_prod_${alnum(24, 24)} here`),
    bare(`${'wh'}sec_${alnum(24, 25)}`, `found ${'wh'}sec_${alnum(8, 25)} here`),
  ],
  sendgrid_key: [
    bare(`${'S'}G.${alnum(22, 26)}.${alnum(43, 27)}`, `found ${'S'}G.${'a'.repeat(21)}.${'b'.repeat(43)} here`),
  ],
  twilio_key: [bare(`${'S'}K${hex(32, 28)}`, `found ${'S'}K${hex(31, 28)} here`)],
  telegram_token: [bare(`123456789:${alnum(35, 29)}`, `found 1234567:${'a'.repeat(35)} here`)],
  azure_key: [
    {
      secret: `${alnum(86, 30)}==`,
      text: `DefaultEndpointsProtocol=https;AccountName=x;Account${'Key'}=${alnum(86, 30)}==;`,
      mutation: `AccountName=x;Account${'Key'}=${'a'.repeat(85)}==;`,
    },
  ],
  databricks_token: [bare(`${'da'}pi${hex(32, 31)}`, `found ${'da'}pi${hex(31, 31)} here`)],
  hf_token: [bare(`${'h'}f_${alnum(34, 32)}`, `found ${'h'}f_${'a'.repeat(33)} here`)],
  docker_pat: [bare(`${'dckr'}_pat_${alnum(27, 33)}`, `found ${'dckr'}_pat_${alnum(10, 33)} here`)],
  vault_token: [bare(`${'hv'}s.${alnum(24, 34)}`, `found ${'hv'}s.${alnum(23, 34)} here`)],
  linear_key: [bare(`${'lin'}_api_${alnum(40, 35)}`, `found ${'lin'}_api_${alnum(10, 35)} here`)],
  age_key: [bare(`AGE-${'SECRET'}-KEY-1${scrambled(58, upper + digits, 36)}`, `found AGE-${'SECRET'}-KEY-2 here`)],
  jwt: [
    bare(
      base64url('{"alg":"HS256","typ":"JWT"}') + jwtBody,
      `found ${base64url('{"alg":"HS256"')}.${'a'.repeat(12)}.${'b'.repeat(12)} here`,
    ),
  ],
  private_key: [
    {
      secret: pem,
      text: `before\n${pem}\nafter`,
      mutation: pem.replaceAll('PRIVATE', 'PUBLIC').replaceAll(pemBody, '\n'),
    },
    {
      secret: pem.slice(0, 90),
      text: `cut short: ${pem.slice(0, 90)}`,
      mutation: `${dashes}BEGIN CERTIFICATE${dashes}`,
    },
  ],
  url_credentials: [
    {
      secret: hunter,
      text: `postgres://app:${hunter}@db.internal:5432/x`,
      mutation: 'https://db.internal:5432/@scope/x',
    },
    { secret: 'pa@ss', text: 'redis://:pa@ss@cache', mutation: 'ssh://git@github.com:22/x.git' },
  ],
  connection_string: [
    {
      secret: 'p4ss',
      text: `Server=db;User Id=sa;Pass${'word'}=p4ss;`,
      mutation: `Server=db;User Id=sa;Pass${'word'}=\${DB_PASS};`,
    },
    { secret: 'dXNlcjpwYXNz', text: 'Authorization: Basic dXNlcjpwYXNz', mutation: 'Authorization: required' },
  ],
  assignment: [
    { secret: hunter, text: `DB_PASS${'WORD'}=${hunter}\n`, mutation: `DB_PASS${'WORD'}=\${DB_PASS}\n` },
    { secret: hunter, text: `"client_sec${'ret'}": "${hunter}",`, mutation: `"client_sec${'ret'}": "changeme",` },
    {
      secret: hunter,
      text: `const api${'Key'}: string = '${hunter}';`,
      mutation: `const api${'Key'}: string = process.env.API_KEY;`,
    },
    { secret: hunter, text: `pass${'word'}: ${hunter}\nuser: x`, mutation: `pass${'word'}: PasswordHash\nuser: x` },
    { secret: hunter, text: `ENV to${'ken'}=${hunter}`, mutation: `to${'ken'} === '${hunter}'` },
    { secret: hunter, text: `FROM x\nENV DB_PASS${'WORD'} ${hunter}\nRUN y`, mutation: `ENV DB_PASS${'WORD'} short\n` },
  ],
  argument: [
    {
      secret: 'Wv4-k9',
      text: `deploy --PRI${'VATE'}-KEY Wv4-k9 --x`,
      mutation: `deploy --PRI${'VATE'}-KEY $KEY --x`,
    },
    {
      secret: 'letmein',
      text: `curl -u admin:letmein https://api.internal/`,
      mutation: `docker run -u 1000:1000 node`,
    },
    {
      secret: 'Wv4-k9',
      text: `curl -s -u admin:Wv4-k9 https://api.internal/`,
      mutation: `docker run -u 1000:1000 \\\n  -p 8080:8080 node:22`,
    },
    {
      secret: 'Wv4-k9',
      text: `CMD ["mysql", "-uroot", "-pWv4-k9", "shop"]`,
      mutation: `CMD ["mysql", "-uroot", "-p$DB_PASS", "shop"]`,
    },
    {
      secret: 'Wv4-k9',
      text: `args:\n  - --to${'ken'}\n  - Wv4-k9\n`,
      mutation: `deploy --to${'ken'} <to${'ken'}> --to${'ken'}-file /run/x`,
    },
    { secret: 'Wv4-k9', text: `PGPASS${'WORD'}=Wv4-k9 psql -h db`, mutation: `PGPASS${'WORD'}=$PG psql -h db` },
    {
      secret: hunter,
      text: `DB_PA${'SS'}=${hunter}\n`,
      mutation: `args.push('--pass${'word'}', options.pass${'word'}, '--to${'ken'}', to${'ken'}Value)`,
    },
    {
      secret: 'Wv4-k9',
      text: `echo Wv4-k9 | docker login -u ci --pass${'word'}-stdin`,
      mutation: `echo $PW | docker login -u ci --pass${'word'}-stdin`,
    },
  ],
  entropy: [bare(alnum(40, 37), `found ${'abcdefgh'.repeat(5)} here`)],
};

const key = pem.replaceAll('\n', '\\n');
const basic = Buffer.from(`admin:${hunter}`).toString('base64');
const pw = ['Wv4', '-k9Zq7x'].join('');
/** Texts whose secret stands apart from its name, or has a fixed place in a format; `$` is the secret. */
const apartTexts: Readonly<Record<string, readonly string[]>> = {
  [pw]: [
    'machine api.internal\n  login admin\n  password $\n',
    'db.internal:5432:shop:app:$\n',
    '*:*:*:app:$\n',
    'kind: Secret\nmetadata:\n  name: db\nstringData:\n  anything: $\n',
    'kind: Secret\ntype: Opaque\ndata:\n  anything: $ # text\n',
    'env:\n  - name: DB_PASSWORD\n    value: $\n',
    'env:\n  - name: DB_PASSWORD\n    value: "$"\n',
    '{"name":"DB_PASSWORD","value":"$"}',
    '{"value":"$","name":"DB_PASSWORD"}',
    '"outputs": {"db_password": {"value": "$", "type": "string"}}',
    'variable "db_password" {\n  type    = string\n  default = "$"\n}\n',
    'npmAuthIdent: "$"\n',
    'password: >-\n  $\n',
    'db:\n  password: |\n    $\n  user: a\n',
    'password:\n  $\n',
    'password:\n  "$"\n',
    'password: !!str $\n',
    'password: &pw $\n',
    'db: {user: a, password: $}\n',
    'bindpw: $\n',
    'bind_pw = "$"\n',
    'jdbc:oracle:thin:app/$@//db:1521/x',
    'sqlplus -s app/$@db',
    'app:$@tcp(db:3306)/shop?parseTime=true',
    'spring.datasource.password=$\n',
    'signing.password=$\n',
    ':rubygems_api_key: $\n',
    '//registry.internal/:_password=$\n',
    '<password>$</password>',
    '<a:password>\n  $\n</a:password>',
    '<add key="ApiKey" value="$" />',
    "define('DB_PASSWORD', '$');",
    'os.environ.setdefault("DB_PASSWORD", "$")',
    "getenv('DB_PASSWORD', '$')",
    "const pw = process.env.DB_PASSWORD || '$';",
    "const password = process.env['DB_PASSWORD'] ?? '$';",
    `PASSWORD=\${PASSWORD:-$}`,
    `: "\${DB_PASSWORD:=$}"`,
    'set -gx DB_PASSWORD $\n',
    'ConvertTo-SecureString "$" -AsPlainText',
    "CREATE USER a IDENTIFIED BY '$';",
    "CREATE ROLE a LOGIN PASSWORD '$';",
    "SET PASSWORD FOR 'a'@'%' = PASSWORD('$');",
    "password = '''$'''\n",
    '| password | $ |\n',
    'Cookie: session=$; path=/',
    "request.headers.set('Authorization', 'Bearer $')",
  ],
  [basic]: ['{"auths":{"r.internal":{"auth":"$"}}}', '"auth": "$"', '//r.internal/:_auth=$\n', '_auth = "$"\n'],
  [Buffer.from(pem).toString('base64')]: ['client-key-data: $\n', '{"key":"$"}'],
  [key.slice(40, 140)]: [
    encodeURIComponent(key),
    key.replaceAll('-', '\\u002d'),
    key.replaceAll('-', '&#45;'),
    key.replaceAll(' ', '+').replaceAll('-', '%2D'),
  ],
  [alnum(40, 50)]: [`Private-Lines: 1\n$\nPrivate-MAC: 12\n`, 'https://a.blob.core.windows.net/c?sv=1&sig=$'],
  [`$6$${alnum(8, 51)}$${alnum(86, 52)}`]: ['root:$:19000:0:99999:7:::\n'],
  [`$2b$12$${alnum(53, 53)}`]: ['admin:$\n'],
  [`MTk${alnum(20, 54)}.C12fMQ.${alnum(27, 55)}`]: ['token: $\n'],
};
export const apartSamples: readonly { readonly secret: string; readonly text: string }[] = Object.entries(
  apartTexts,
).flatMap(([secret, texts]) => texts.map((text) => ({ secret, text: text.replace(/\$(?![{\w])/, () => secret) })));
/** The nearest texts in which nothing is secret. */
export const apartMutations: readonly string[] = [
  'machine api.internal login admin password $PW',
  'src/a.ts:12:34:error',
  'kind: Secret\nmetadata:\n  name: database-access\ntype: Opaque\n',
  'env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef: {name: db, key: password}\n',
  `{"name":"DB_PASSWORD","value":"\${DB_PASSWORD}"}`,
  '"password": {"type": "string", "minLength": 12}',
  'variable "db_password" {\n  type = string\n}\n',
  'password:\n  type: string\n',
  'password:\n  required\n',
  'db:\n  password:\n  next-key1\n',
  'password: |\n  a\n  b\n',
  'secrets:\n  inherit\n',
  'fn f(token: &str, next: &mut TokenStream) {}',
  "data={'username': username, 'password': password}",
  'user.hashed_password = hashed_password\n',
  'this.token = token1;\nself.password=password\n',
  '<password>{value}</password>',
  '<token>required by the server</token>',
  'assert f("old_password", "new_password1") == {"old_password", "new_password2"}',
  "expect(getenv('API_TOKEN', 'API_SECRET_KEY2'))",
  "const password = options.password || 'missing';",
  'token || fallbackToken1',
  `PASSWORD=\${PASSWORD:-}`,
  '| password | the password of the user |',
  '| token | string |',
  "headers.set('Authorization', token)",
  '"auth": "none"',
  '"auth": "YWJjZGVmZ2hpamtsbW5v"',
  'https://a.internal/?sig=short',
  `Cookie: session=\${id}`,
  'client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUVwQUlCQUFLQ0FRRUE=',
];
