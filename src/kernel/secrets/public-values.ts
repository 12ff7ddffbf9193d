/**
 * What looks random and is made to be handed out: checksums, digests, integrity hashes and public keys (gather.md §7.3 note 2). Each is known
 * by its own syntax: a prefix, a length, or the name that it is assigned to. Only the rule for random tokens asks here: a named kind of
 * secret, and what is assigned to a name that says `password` or `token`, is one whatever it looks like.
 */

import { secretNamePart } from './patterns.ts';

/**
 * PEM and PGP blocks of public keys, certificates and signatures, up to END: one that is cut off may be followed by anything. A body holds no hyphen, so no text is walked twice.
 */
export const publicBlock =
  /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}(?:PUBLIC KEY(?: BLOCK)?|CERTIFICATE(?: REQUEST| LIST)?|X509 CRL|PKCS7|SIGNATURE)-----(?:[A-Za-z0-9+/\s\\"'|,:.()#*;]|=(?![ \t]["'`]))*(?=-----END )/g;

/** `sha256:` of images, keys and contents, in front of the run. */
const digestBefore = /(?:sha(?:1|224|256|384|512)|blake[23][bs]?|md5):$/i;
/** `sha512-<base64>` of lock files and of pages (SRI). */
const digestStart = /^(?:sha(?:1|256|384|512)|md5)-/;
/** Of go.sum and Terraform. */
const moduleHash = /(?:^|[^A-Za-z0-9])h1:$/;
const MODULE_HASH_CHARS = 43;
/** `ssh-rsa AAAA…`: the base64 of a length and of `ssh-`, `ecdsa-` or `sk-`. */
const sshKey = /^AAAA[A-Z](?:[A-Za-z0-9+/]NzaC1|[A-Za-z0-9+/]VjZHNh|[A-Za-z0-9+/]NrLX)/;
/** Of minisign: `Ed`, the number of the key and 32 bytes. Its secret keys are longer. */
const minisignKey = /^RW[Q-T][A-Za-z0-9+/]{53}$/;

/** What is assigned to it is a checksum where it also has the length of one: `contentHash`, `usagesDigest`, `checksum_sha512`. */
const digestName =
  /(?:checksum|digest|integrity|(?:content|nar|package|file|archive)[_-]?hash)(?:[_-]?(?:sha)?[0-9]{1,3})?$/i;
const publicKeyName = /pub(?:lic)?[_-]?keys?$/i;
const secretName = new RegExp(secretNamePart, 'i');
/** The name, its quotes, the sign, and in lists of keys the name of each: `cache.example.org-1:`. */
const assignedTo = /([A-Za-z][A-Za-z0-9_-]{0,64})\\?["'`]?\]?[ \t]{0,8}[:=][ \t]{0,8}\\?["'`]?(?:[a-z0-9.-]{1,64}:)?$/;
const NAME_CHARS = 160;
/** Of 20, 28, 32, 48 and 64 bytes in base64, without the padding. */
const digestChars = new Set([27, 38, 43, 64, 86]);

/** Is the run of base64 that begins at `start` one of them? */
export function isPublicValue(text: string, start: number, run: string): boolean {
  if (digestStart.test(run) || sshKey.test(run) || minisignKey.test(run)) return true;
  const before = text.slice(Math.max(0, start - NAME_CHARS), start);
  if (digestBefore.test(before) || (run.length === MODULE_HASH_CHARS && moduleHash.test(before))) return true;
  const name = assignedTo.exec(before)?.[1];
  return name !== undefined && isPublicAssignment(name, run);
}

/** The same judgement for a name and a value that were parsed apart. */
export function isPublicAssignment(name: string, value: string): boolean {
  if (secretName.test(name)) return false;
  return publicKeyName.test(name) || (digestName.test(name) && digestChars.has(value.replace(/=+$/, '').length));
}
