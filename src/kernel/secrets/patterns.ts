/**
 * The one table of what a secret looks like (gather.md §7.3). The gather redactor and the code index both read it.
 * Every expression is linear in its input: a repetition is either bounded, or ends the match, or cannot fail once begun.
 */

export const secretClasses = [
  'aws_access_key',
  'aws_secret_key',
  'github_token',
  'gitlab_token',
  'npm_token',
  'pypi_token',
  'anthropic_key',
  'openai_key',
  'google_key',
  'slack_token',
  'stripe_key',
  'sendgrid_key',
  'twilio_key',
  'telegram_token',
  'azure_key',
  'databricks_token',
  'hf_token',
  'docker_pat',
  'vault_token',
  'linear_key',
  'age_key',
  'jwt',
  'private_key',
  'url_credentials',
  'connection_string',
  'assignment',
  'argument',
  'entropy',
] as const;
export type SecretClass = (typeof secretClasses)[number];

/** A short hash of a short password can be guessed back, so these classes all carry the same fingerprint. */
export const constantFingerprintClasses: ReadonlySet<SecretClass> = new Set([
  'url_credentials',
  'connection_string',
  'assignment',
  'argument',
]);
export const CONSTANT_FINGERPRINT = '00000000';

/** A secret that is recognised by its own letters. `before` must stand in front of it and stays in the text. */
export type TokenPattern = { readonly class: SecretClass; readonly before?: string; readonly secret: string };

/**
 * Nothing alphanumeric before it, but for the escape of a character: in `\nAKIA…`, `\xffAKIA…` and `%2FAKIA…` the letters belong to what is
 * escaped. Looked at after the first letters, because an expression that looks back first takes longer.
 */
const edgeBefore = (letters: string) =>
  `${letters}(?<=(?:(?<![A-Za-z0-9])|\\\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})|%[0-9A-Fa-f]{2})${letters})`;

/** In order of precedence where two begin at the same place. Sources, because they are compiled into one expression. */
export const tokenPatterns: readonly TokenPattern[] = [
  // The edges of an AWS id are those of `\b`, except that an underscore is an edge too: `leak_AKIA….txt` is a leak.
  { class: 'aws_access_key', secret: `${edgeBefore('A(?:KIA|SIA|BIA|CCA)')}[0-9A-Z]{16}(?![A-Za-z0-9])` },
  { class: 'github_token', secret: 'gh[pousr]_[A-Za-z0-9]{36,255}' },
  { class: 'github_token', secret: 'github_pat_[A-Za-z0-9_]{22,255}' },
  { class: 'gitlab_token', secret: 'gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,}' },
  { class: 'npm_token', secret: 'npm_[A-Za-z0-9]{36}' },
  // `${NPM_TOKEN}`, as committed .npmrc files have it, is a reference and not a value. Text that was taken out of Markdown has
  // lost its underscore to emphasis.
  {
    class: 'npm_token',
    before: '[_:]authToken[ \\t]{0,8}=[ \\t]{0,8}["\']?',
    secret: '[^\\s"\'`$<>\\\\][^\\s"\'`<>\\\\]*',
  },
  { class: 'pypi_token', secret: 'pypi-AgEI[A-Za-z0-9_-]{50,}' },
  { class: 'anthropic_key', secret: 'sk-ant-[A-Za-z0-9_-]{50,}' },
  // Not inside a word: `task-…` and `disk-…` begin long kebab-case names.
  { class: 'openai_key', secret: `${edgeBefore('sk-')}(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}` },
  { class: 'google_key', secret: 'AIza[0-9A-Za-z_-]{35}' },
  { class: 'google_key', secret: 'ya29\\.[0-9A-Za-z_-]{20,}' },
  { class: 'slack_token', secret: 'xox[abeoprs]-[A-Za-z0-9-]{10,}' },
  { class: 'slack_token', secret: 'xapp-[A-Za-z0-9-]{10,}' },
  {
    class: 'slack_token',
    before: 'hooks\\.slack\\.com/services/',
    secret: 'T[A-Za-z0-9_]{1,64}/B[A-Za-z0-9_]{1,64}/[A-Za-z0-9_]+',
  },
  { class: 'stripe_key', secret: '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}' },
  { class: 'stripe_key', secret: 'whsec_[A-Za-z0-9+/]{16,}={0,2}' },
  { class: 'sendgrid_key', secret: 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}' },
  { class: 'twilio_key', secret: 'SK[0-9a-f]{32}' },
  { class: 'azure_key', before: 'AccountKey=', secret: '[A-Za-z0-9+/]{86}==' },
  { class: 'databricks_token', secret: 'dapi[0-9a-f]{32}' },
  { class: 'hf_token', secret: 'hf_[A-Za-z0-9]{34,}' },
  { class: 'docker_pat', secret: 'dckr_pat_[A-Za-z0-9_-]{20,}' },
  { class: 'vault_token', secret: 'hv[sb]\\.[A-Za-z0-9_-]{24,}' },
  { class: 'linear_key', secret: 'lin_api_[A-Za-z0-9]{20,}' },
  { class: 'age_key', secret: 'AGE-SECRET-KEY-1[0-9A-Z]{20,}' },
];

/** Apart from the others because nothing literal begins it: alone it is searched ten times as fast as among them. */
export const telegramToken = /[0-9]{8,10}:[A-Za-z0-9_-]{35}/g;

/** What may be an AWS secret key when an access key stands within three lines of it. */
export const awsSecretValue = /(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;
export const AWS_NEIGHBOUR_LINES = 3;

/** Consumes the whole run even without the other two parts, so that no text is walked twice. */
export const jwtShape = /eyJ[A-Za-z0-9_-]+(?:(?:\.[A-Za-z0-9_-]+){2,4})?/g;

/** A hyphen and a blank, as text, strings of programs, addresses and pages write them. */
const HYPHENS = '(?:-|\\\\+(?:u00|x)2[dD]|%2[dD]|&#(?:45|x2[dD]);){5}';
const BLANK = '(?: |%20|\\+|\\\\+(?:u00|x)20)';
const PEM_BEGIN = `${HYPHENS}BEGIN${BLANK}[A-Z0-9 %+]{0,64}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?${HYPHENS}`;
const PEM_END = `${HYPHENS}END${BLANK}[A-Z0-9 %+]{0,64}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?${HYPHENS}`;
/** Group 1: the key of a service-account JSON, to its closing quote. Group 2: any PEM or PGP key, to its END or the end of the text. */
export const privateKeyBlock = new RegExp(
  `"private_key"\\s{0,8}:\\s{0,8}"(${PEM_BEGIN}[^"]*)|(${PEM_BEGIN}[\\s\\S]*?(?:${PEM_END}|$))`,
  'g',
);

/** Group 1: the password in `scheme://user:password@host`; it may hold an `@`, it cannot hold what ends an authority. */
export const urlCredentials = /(?<=[A-Za-z0-9]):\/\/[^\s/?#:@"'`<>\\]{0,256}:([^\s/?#"'`<>\\]{1,1024})@/g;

/** Group 1: the scheme, if there is one. Group 2: what authorises. */
export const authorizationHeader =
  /authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["'`]?(?:(basic|bearer|token|digest|negotiate|apikey|key)[ \t]{1,8})?([A-Za-z0-9._~+/=:-]{6,})/gi;

/** The password of a `Key=value;` list: a semicolon stands before the name (group 1 is the value) or after the value (group 2). */
export const connectionPassword =
  /(?<=;[ \t]{0,8})(?:password|pwd)[ \t]{0,8}=[ \t]{0,8}([^\s;"'`<>\\]+)|(?<![A-Za-z0-9_.])(?:password|pwd)[ \t]{0,8}=[ \t]{0,8}([^\s;"'`<>\\]{1,1024})(?=;)/gi;
/** Written in lower case the same letters are ordinary code, unless the list around them is a connection string's. */
export const connectionNeighbour =
  /(?:server|host|data source|database|initial catalog|user id|uid|user|username|port)[ \t]*=/i;

/** The part of a name that says that its value is secret; a tokeniser's settings are not. */
export const secretNamePart = 'password|passwd|secret|token(?!i[sz])|api[_-]?key|private[_-]?key';

/** Names that suggest it: what they hold is redacted, and raises no alarm. */
export const likelyNamePart =
  '(?<=[_-])(?:pass|pwd)(?![A-Za-z])|passphrase|passcode|(?:access|account|encryption|signing|master|shared)[_-]?key';

/** Group 1: the value in `ENV NAME value`, the old form in which a Dockerfile assigns without a sign. Shouted, as Dockerfiles are. */
export const dockerfileEnv = new RegExp(
  `ENV(?<=(?:^|\\\\n)[ \\t]{0,16}ENV)[ \\t]{1,16}[A-Z0-9_]{0,48}(?:${secretNamePart.toUpperCase()})[A-Z0-9_]{0,48}[ \\t]{1,16}([^\\s"'\`<>\\\\=]+)(?=[ \\t]{0,16}(?:$|["'\\\\]))`,
  'gm',
);

/** Group 1: the fingerprint. */
export const PLACEHOLDER_SHAPE = '<REDACTED:fingerprint=([0-9a-f]{8})>';
