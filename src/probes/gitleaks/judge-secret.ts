/**
 * Is what the patterns found probably a real credential, in a place that ships or runs? Only that is an alarm. A redactor may hide too much
 * without harm; an alarm that is none costs a person's time, and trust in the next one. What is no alarm is listed all the same, with what it
 * was taken for: something of a test, of the documentation, of an example, of development, of a copied library, a key made to be public, or
 * a placeholder, which includes every password that a person thought up rather than generated.
 */

import type { SecretClass } from '../../kernel/secrets/patterns.ts';
import { placeOf } from '../shared/place-of.ts';

export const standings = [
  'probable',
  'test',
  'documentation',
  'example',
  'development',
  'vendored',
  'public',
  'placeholder',
] as const;
export type Standing = (typeof standings)[number];

type SecretContext = {
  readonly path: string;
  /** Null where a scanner found it and none of our patterns knows it. */
  readonly class: SecretClass | null;
  readonly value: string;
  /** The line that it begins in. */
  readonly line: string;
  /** What stands around it, a few lines either way. */
  readonly around?: string | undefined;
  /** The outermost key of a YAML file that it stands under. */
  readonly topKey?: string | undefined;
};

export function judgeSecret(context: SecretContext): Standing {
  const { path, class: secretClass, value, line, around = line, topKey = '' } = context;
  const place = placeOf(path);
  if (place !== 'product') return place;
  if (/^(?:dev|development|test|testing|local)$/i.test(topKey)) return 'development';
  if (isPublicKey(secretClass, value, line, around)) return 'public';
  if (/placeholder|\be\.g\.|\bexample:|for example/i.test(line)) return 'placeholder';
  if (secretClass === 'private_key' || isKeyBlock(value)) {
    // What a comment of the code shows, it explains.
    if (/^\s*(?:\*|\/\/)/.test(line)) return 'documentation';
    return hasKeyBody(value) ? 'probable' : 'placeholder';
  }
  if (secretClass === 'url_credentials') return isThoughtUp(value) || isLocalAddress(line) ? 'placeholder' : 'probable';
  if (isSurrounded(secretClass)) {
    // A workflow's own settings are for what it runs: a test server's password, a throw-away key.
    if (isCiFile(path)) return 'test';
    return isThoughtUp(value) || isLocalAddress(line) ? 'placeholder' : 'probable';
  }
  return isSampleToken(value) ? 'placeholder' : 'probable';
}

/** The longest run in a line that could be a secret, for what a scanner found and blotted out. */
export function longestRun(line: string): string {
  let longest = '';
  for (const [run] of line.matchAll(/[A-Za-z0-9+/_=.~-]{8,}/g)) if (run.length > longest.length) longest = run;
  return longest;
}

const ciFile =
  /^(?:\.github\/|\.circleci\/|\.gitlab|\.travis\.yml$|\.drone|\.buildkite\/|azure-pipelines|jenkinsfile)/i;
const isCiFile = (path: string): boolean => ciFile.test(path);

/** Classes that know a secret by its surroundings, not by its own letters. */
function isSurrounded(secretClass: SecretClass | null): boolean {
  return secretClass === 'assignment' || secretClass === 'connection_string' || secretClass === 'npm_token';
}

/** Keys that are made to be handed out: search keys of a web page, browser keys, what is called public. */
function isPublicKey(secretClass: SecretClass | null, value: string, line: string, around: string): boolean {
  if (secretClass === 'jwt') return /"role"\s*:\s*"anon"/.test(decodeBase64(value.split('.')[1] ?? ''));
  if (secretClass === 'google_key')
    return /authDomain|messagingSenderId|measurementId|maps\.googleapis|firebase/i.test(around);
  if (secretClass !== 'assignment' && secretClass !== null) return false;
  return (
    /publi[cs]h?|\banon|site_?key|client_?id|checksum|digest|sha(?:1|256|512)|fingerprint|badge/i.test(line) ||
    /(?:token|secret|key|password)_?(?:address|name|id|url|uri|path|type|hash|field|label)["']?\]?\s*[:=]/i.test(
      line,
    ) ||
    /algolia|indexName|docsearch/i.test(around)
  );
}

const isKeyBlock = (value: string): boolean => value.includes('PRIVATE KEY');

/** The frame of a key is text like any other; a key has some hundred characters of base64 in it. */
function hasKeyBody(value: string): boolean {
  const body = value
    .replace(/-----(?:BEGIN|END)[A-Z0-9 ]{0,80}-----/g, '')
    .replace(/\\[nr]/g, '\n')
    .split(/[\s"'+,]+/)
    .filter((run) => /^[A-Za-z0-9+/]{16,}={0,2}$/.test(run))
    .join('');
  return body.length >= 64 && new Set(body).size >= 20;
}

const thoughtUp =
  /pass|pwd|secret|token|admin|root|user|login|demo|test|sample|example|dummy|fake|default|change|replace|insert|your|here|qwert|asdf|foo|bar|baz|hello|welcome|letmein|dev|local|hunter|key|mysql|postgres|redis|mongo|oracle|guest|super|strong|master|lorem|xxx|abcdef|12345|23456|67890/i;
const sampleInLong =
  /example|sample|password|passw|secret|dummy|placeholder|change|replace|insert|your|super|default|xxxx|\*\*\*|\.\.\.|12345678|23456789|abcdefgh|deadbeef|hello|(.)\1{5}/i;

/** Would a person think of this, or was it generated? Words, years, rows of digits and the usual swaps of letters are a person's. */
function isThoughtUp(value: string): boolean {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^urn:/i.test(value)) return true;
  const decoded = /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) && value.length % 4 === 0 ? decodeBase64(value) : '';
  if (/^[\x20-\x7e\r\n]{4,}$/.test(decoded))
    return decoded === value || isThoughtUp(decoded.trim()) || /^\{/.test(decoded);
  const plain = value
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's')
    .replace(/[1!]/g, 'i');
  const samples = value.length < 24 ? thoughtUp : sampleInLong;
  if (samples.test(value) || samples.test(plain)) return true;
  const rest = value.replace(/[A-Za-z]?[a-z]{3,}|[A-Z]{4,}|(?:19|20)\d\d|[^A-Za-z0-9]/g, '');
  return rest.length < Math.max(8, value.length * 0.3) || new Set(rest).size < 6;
}

/** A token of a known form is generated; one with few letters, or words in it, stands for one. */
function isSampleToken(value: string): boolean {
  if (new Set(value).size < 10 || sampleInLong.test(value)) return true;
  if (/^(?:sk|rk)_test_/.test(value)) return true;
  const letters = value.replace(/^[A-Za-z]{2,8}[-_]/, '');
  if (/^eyJ/.test(value)) {
    const claims = decodeBase64(value.split('.')[1] ?? '');
    // One that is made for this machine alone opens no other.
    return /1234567890|John Doe|fake|example|hello|test|"(?:aud|iss)"\s*:\s*"https?:\/\/(?:localhost|127\.0\.0\.1)\b/i.test(
      claims,
    );
  }
  return (
    !/[0-9]/.test(letters.replace(/^[0-9]+:/, '')) ||
    (letters.match(/[a-z]{4,}/g)?.join('').length ?? 0) > letters.length / 2
  );
}

/** Where only this machine, or none, can be reached. A service of the same compose file or cluster has a name without a dot. */
function isLocalAddress(line: string): boolean {
  return /(?:@|host=|server=|source=|\/\/)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[a-z0-9-]+\.(?:example|test|invalid|local)\b|example\.(?:com|org|net))/i.test(
    line,
  );
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}
