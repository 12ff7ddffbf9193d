/**
 * Secrets as places, classes and fingerprints, never as text. What gitleaks reports has its secrets blotted out: class and fingerprint come
 * from reading the line again with the redactor's named patterns (`placeLeaks`). Without gitleaks, and where it does not look, the same
 * patterns go over every file in scope, one at a time (`scanBuiltin`). The fingerprint is the redactor's, so the same secret has the same
 * one wherever it is shown, and a guessable one has none to guess by.
 *
 * Ids of gitleaks' rules change with its versions and the redactor's classes do not: a finding has the class where there is one, so that two
 * scans can be compared. What the repository has written to keep scanners quiet is not heeded; how many findings it would have hidden is told.
 */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, decodePlain } from '../../kernel/base/text.ts';
import { findSecrets } from '../../kernel/secrets/find-secrets.ts';
import { CONSTANT_FINGERPRINT, type SecretClass } from '../../kernel/secrets/patterns.ts';
import { findingFor } from '../../kernel/secrets/redact-string.ts';
import { binaryHeadBytes, inputOf } from '../shared/scan-files.ts';
import { ignoreFile, type Leak } from './gitleaks-run.ts';
import type { SecretPlace } from './gitleaks-section.ts';
import { judgeSecret, longestRun, type Standing } from './judge-secret.ts';

type LocatedSecret = {
  readonly line: number;
  readonly class: SecretClass;
  readonly fingerprint: string;
  readonly standing: Standing;
};

/** Secrets by line, and by line and class: a line may hold as many as a file. */
type SecretIndex = ReadonlyMap<string, readonly LocatedSecret[]>;

type PlacedLeaks = { readonly findings: readonly SecretPlace[]; readonly suppressed: number };

type BuiltinScan = {
  readonly findings: readonly SecretPlace[];
  readonly suppressed: number;
  readonly files: number;
  readonly bytes: number;
  /** Files that are no binaries. */
  readonly texts: number;
};

/** Is a finding at this place one that the repository asks to overlook? */
export type IsSuppressed = (path: string, line: number, text: string) => boolean;

/** Old versions of files are fetched from git one by one; findings beyond these have no fingerprint. */
const blobsRead = 200;

const allowComment = 'gitleaks:allow';

export async function placeLeaks(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  leaks: readonly Leak[],
  isSuppressed: IsSuppressed,
  maxBytes: number,
): Promise<PlacedLeaks> {
  const byFile = new Map<string, Leak[]>();
  for (const leak of leaks) {
    const key = `${leak.commit ?? ''}\0${leak.path}`;
    const known = byFile.get(key);
    if (known === undefined) byFile.set(key, [leak]);
    else known.push(leak);
  }
  const found = new Map<string, SecretPlace>();
  let suppressed = 0;
  let blobs = 0;
  for (const ofFile of byFile.values()) {
    const [first] = ofFile;
    if (first === undefined) continue;
    if (first.commit !== null) blobs += 1;
    const text = blobs > blobsRead && first.commit !== null ? '' : await readText(repo, ctx, first, maxBytes);
    const located = indexSecrets(text === '' ? [] : locateSecrets(first.path, text));
    const lines = text.split('\n');
    const suppresses = oncePerLine(isSuppressed);
    const seen = new Map<string, number>();
    for (const leak of ofFile) {
      // A rule that has found something twice in a line has found two things.
      const ofLine = `${leak.line} ${leak.rule}`;
      const nth = seen.get(ofLine) ?? 0;
      seen.set(ofLine, nth + 1);
      const place = placeLeak(leak, located, nth, lines[leak.line - 1] ?? '');
      const key = `${placeKey(place)}\0${place.match_fingerprint === CONSTANT_FINGERPRINT ? nth : ''}`;
      // Two of its rules may have found the same secret.
      if (found.has(key)) continue;
      found.set(key, place);
      if (suppresses(leak.path, leak.line, lines[leak.line - 1] ?? '')) suppressed += 1;
    }
  }
  return { findings: [...found.values()], suppressed };
}

export async function scanBuiltin(
  repo: ProbeRepo,
  paths: readonly string[],
  maxBytes: number,
  isSuppressed: IsSuppressed,
  { known, isTold }: { readonly known?: ReadonlySet<string>; readonly isTold?: typeof isLikelySecret } = {},
): Promise<BuiltinScan> {
  const findings: SecretPlace[] = [];
  let suppressed = 0;
  let files = 0;
  let bytes = 0;
  let texts = 0;
  for (const path of paths) {
    const read = await repo.inputs.read(inputOf(path), maxBytes);
    if (read.kind !== 'read') continue;
    files += 1;
    bytes += read.bytes.length;
    const text = decodePlain(read.bytes);
    if (text.slice(0, binaryHeadBytes).includes('\0')) continue;
    texts += 1;
    const found = locateSecrets(path, text, isTold);
    const lines = found.length === 0 ? [] : text.split('\n');
    const suppresses = oncePerLine(isSuppressed);
    for (const { line, class: secretClass, fingerprint, standing } of found) {
      const place: SecretPlace = {
        rule_id: secretClass,
        path,
        line,
        description: describeClass(secretClass),
        match_fingerprint: fingerprint,
        standing,
        commit: null,
      };
      if (known?.has(placeKey(place)) === true) continue;
      if (suppresses(path, line, lines[line - 1] ?? '')) suppressed += 1;
      findings.push(place);
    }
  }
  return { findings, suppressed, files, bytes, texts };
}

export async function readSuppressions(repo: ProbeRepo): Promise<IsSuppressed> {
  const read = repo.inputs.has(ignoreFile) ? await repo.inputs.read(ignoreFile, limits.textBytes) : undefined;
  const listed = parseIgnoreFile(read?.kind === 'read' ? decodeLenient(read.bytes) : '');
  return (path, line, text) => text.includes(allowComment) || listed.has(`${path}:${line}`);
}

/** `path:rule:line`, with or without a commit before it, as `path:line`: the rule depends on the scanner. */
export function parseIgnoreFile(text: string): ReadonlySet<string> {
  return new Set(
    text.split('\n').flatMap((line) => {
      const entry = /^(?:[0-9a-f]{40,64}:)?(?:\.\/)?(.+):[^:]+:(\d{1,9})$/.exec(line.trim());
      return entry === null || line.startsWith('#') ? [] : [`${entry[1]}:${entry[2]}`];
    }),
  );
}

export function locateSecrets(path: string, text: string, isTold = isLikelySecret): LocatedSecret[] {
  let line = 1;
  // Looked for once per line: one line may hold them all.
  let lineStart = 0;
  let lineEnd = text.indexOf('\n');
  const spans = findSecrets(text, { entropy: false });
  const topKeyAt = /\.ya?ml$/i.test(path) ? topKeys(text) : () => undefined;
  return spans.flatMap((span) => {
    const value = text.slice(span.start, span.end);
    if (!isTold(span.class, value)) return [];
    while (lineEnd !== -1 && lineEnd < span.start) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf('\n', lineStart);
    }
    const standing = judgeSecret({
      path,
      class: span.class,
      value: value.slice(0, judgedChars),
      line: text.slice(
        Math.max(lineStart, span.start - aroundChars),
        Math.min(lineEnd < 0 ? text.length : lineEnd, span.start + aroundChars),
      ),
      around: text.slice(Math.max(0, span.start - aroundChars), span.start + aroundChars),
      topKey: topKeyAt(span.start),
    });
    return [{ line, class: span.class, fingerprint: findingFor(value, span.class).fingerprint, standing }];
  });
}

/** What is looked at to judge one finding: a file may be one line, and hold as many as it likes. */
const judgedChars = 8_192;
const aroundChars = 240;

/** The outermost key above a place; asked for places in order. */
function topKeys(text: string): (at: number) => string | undefined {
  const shape = /^["']?([A-Za-z0-9_.-]{1,64})["']?:/gm;
  let next = shape.exec(text);
  let key: string | undefined;
  return (at) => {
    while (next !== null && next.index < at) {
      key = next[1];
      next = shape.exec(text);
    }
    return key;
  };
}

/**
 * A redactor may hide too much without harm; a false finding costs a person's time. A value is named by the name it is
 * assigned to, and where it reads like a word, an expression or a path it is taken for one.
 */
export function isLikelySecret(secretClass: SecretClass, value: string): boolean {
  if (secretClass === 'argument') return false;
  if (secretClass === 'assignment' || secretClass === 'connection_string') {
    return (
      /^[\x21-\x7e]+$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/[(){}[\]<>$\\/]/.test(value)
    );
  }
  return (
    secretClass !== 'url_credentials' || !/^(?:pass(?:word|wd)?|pwd|secret|token|x+|\W.*|.*[{}<>$%].*)$/i.test(value)
  );
}

/** What its own letters give away in any file: long, of many characters, and no sample out of a manual. */
export function isUnmistakable(secretClass: SecretClass, value: string): boolean {
  return unmistakableClasses.has(secretClass) && new Set(value).size >= 10 && !/EXAMPLE/i.test(value);
}

/** Equal for the same secret in the same place, from either scanner. */
export function placeKey(place: SecretPlace): string {
  return [place.commit, place.path, place.line, place.rule_id, place.match_fingerprint].join('\0');
}

/** `nth`: how many the same rule has found before in the line. */
export function placeLeak(leak: Leak, located: SecretIndex, nth = 0, line = ''): SecretPlace {
  const mapped = classOfRule(leak.rule);
  // Another secret may stand in the same line: what has no class is not taken for it.
  const same =
    mapped === null ? undefined : (located.get(`${leak.line} ${mapped}`)?.[nth] ?? located.get(`${leak.line}`)?.[nth]);
  const secretClass = same?.class ?? mapped;
  return {
    rule_id: secretClass ?? `gitleaks.${leak.rule}`,
    path: leak.path,
    line: leak.line,
    description: secretClass === null ? leak.description : describeClass(secretClass),
    match_fingerprint: same?.fingerprint ?? CONSTANT_FINGERPRINT,
    standing:
      same?.standing ??
      judgeSecret({ path: leak.path, class: secretClass, value: longestRun(line), line: line.slice(0, judgedChars) }),
    commit: leak.commit,
  };
}

export function indexSecrets(located: readonly LocatedSecret[]): SecretIndex {
  const index = new Map<string, LocatedSecret[]>();
  for (const secret of located) {
    for (const key of [`${secret.line}`, `${secret.line} ${secret.class}`]) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [secret]);
      else known.push(secret);
    }
  }
  return index;
}

export function classOfRule(ruleId: string): SecretClass | null {
  return classesOfRules.find(([rule]) => rule.test(ruleId))?.[1] ?? null;
}

export function describeClass(secretClass: SecretClass): string {
  return described[secretClass];
}

/** Empty where it cannot be read any more. */
async function readText(repo: ProbeRepo, ctx: ProbeContext<never>, leak: Leak, maxBytes: number): Promise<string> {
  if (leak.commit !== null) {
    const shown = await ctx.exec.git(['cat-file', 'blob', `${leak.commit}:${leak.path}`], {
      maxStdoutBytes: limits.stdoutBytes,
    });
    const whole = shown.kind === 'exited' && shown.code === 0 && !shown.truncated.stdout;
    return whole ? decodeLenient(shown.stdout) : '';
  }
  const read = await repo.inputs.read(inputOf(leak.path), maxBytes);
  return read.kind === 'read' ? decodeLenient(read.bytes) : '';
}

const unmistakableClasses: ReadonlySet<SecretClass> = new Set<SecretClass>([
  'aws_access_key',
  'github_token',
  'gitlab_token',
  'npm_token',
  'pypi_token',
  'anthropic_key',
  'google_key',
  'slack_token',
  'stripe_key',
  'sendgrid_key',
  'azure_key',
  'docker_pat',
  'vault_token',
  'age_key',
  'private_key',
]);

/** The first that matches decides. */
const classesOfRules: readonly (readonly [rule: RegExp, secretClass: SecretClass])[] = [
  [/^aws-access-(?:token|key)/, 'aws_access_key'],
  [/^aws-secret/, 'aws_secret_key'],
  [/^github-/, 'github_token'],
  [/^gitlab-/, 'gitlab_token'],
  [/^npm-/, 'npm_token'],
  [/^pypi-/, 'pypi_token'],
  [/^anthropic-/, 'anthropic_key'],
  [/^openai-/, 'openai_key'],
  [/^(?:gcp|google)-/, 'google_key'],
  [/^slack-/, 'slack_token'],
  [/^stripe-/, 'stripe_key'],
  [/^sendgrid-/, 'sendgrid_key'],
  [/^twilio-/, 'twilio_key'],
  [/^telegram-/, 'telegram_token'],
  [/^azure-/, 'azure_key'],
  [/^databricks-/, 'databricks_token'],
  [/^hugging-?face-/, 'hf_token'],
  [/^docker/, 'docker_pat'],
  [/^(?:hashicorp-)?vault-/, 'vault_token'],
  [/^linear-/, 'linear_key'],
  [/^age-/, 'age_key'],
  [/^jwt/, 'jwt'],
  [/^private-key/, 'private_key'],
  [/^curl-auth-user/, 'url_credentials'],
  [/^(?:curl-auth-header|generic-api-key|hashicorp-tf-password|kubernetes-secret)/, 'assignment'],
];

const described: Readonly<Record<SecretClass, string>> = {
  aws_access_key: 'AWS access key id',
  aws_secret_key: 'AWS secret key',
  github_token: 'GitHub token',
  gitlab_token: 'GitLab token',
  npm_token: 'npm token',
  pypi_token: 'PyPI token',
  anthropic_key: 'Anthropic key',
  openai_key: 'OpenAI key',
  google_key: 'Google key',
  slack_token: 'Slack token',
  stripe_key: 'Stripe key',
  sendgrid_key: 'SendGrid key',
  twilio_key: 'Twilio key',
  telegram_token: 'Telegram token',
  azure_key: 'Azure key',
  databricks_token: 'Databricks token',
  hf_token: 'Hugging Face token',
  docker_pat: 'Docker access token',
  vault_token: 'Vault token',
  linear_key: 'Linear key',
  age_key: 'age secret key',
  jwt: 'JSON web token',
  private_key: 'private key',
  url_credentials: 'password in an address',
  connection_string: 'password in a connection string or header',
  assignment: 'value assigned to a name that says it is secret',
  argument: 'value given to a command or a name that suggests it is secret',
  entropy: 'text that looks random',
};

/** For the findings of one file: a line may be long and hold many. */
function oncePerLine(isSuppressed: IsSuppressed): IsSuppressed {
  const known = new Map<number, boolean>();
  return (path, line, text) => {
    const answer = known.get(line) ?? isSuppressed(path, line, text);
    known.set(line, answer);
    return answer;
  };
}
