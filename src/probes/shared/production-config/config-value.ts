/**
 * One setting of an environment without its value: where the value comes from, and a digest by which two environments can be
 * compared. A digest of a short secret can be guessed by trying, so whatever might be one has none.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { isSecretAssignment } from '../../../kernel/secrets/assignment.ts';
import { secretNamePart } from '../../../kernel/secrets/patterns.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';

export type ConfigValue = {
  readonly name: string;
  readonly kind: 'literal' | 'reference' | 'templated';
  readonly value_digest: string | null;
};

const secretName = new RegExp(
  `${secretNamePart}|passphrase|pwd|credential|auth|dsn|connection[_-]?string|salt|signing|session[_-]?key|access[_-]?key|cert|cookie|pepper|seed`,
  'i',
);

/** The value is elsewhere: all of it. */
const wholeReference =
  /^(?:\$\{[^{}]*\}|\$[A-Za-z_][A-Za-z0-9_]*|\$\([^()]*\)|\$?\{\{[^{}]*\}\}|<%[^%]*%>|%[A-Za-z_][A-Za-z0-9_]*%|@[A-Za-z_][A-Za-z0-9_.]*@)$/;
const storeReference =
  /^(?:(?:vault|op|ssm|secretsmanager|gcp-?sm|sm|akv|azurekeyvault|sops|ref\+[a-z0-9]+|awssm|doppler|infisical|keyvault|secretref):?(?:\/\/|:)|arn:aws[a-z-]*:(?:secretsmanager|ssm):|projects\/[^/]{1,100}\/secrets\/)/i;
/** Part of it is. */
const placeholder = /\$\{|\$\(|\{\{|<%|\$[A-Za-z_]/;

/** Longer values are judged by their beginning. */
const judgedChars = 4_096;

export function describeValue(name: string, value: string, raw = false): ConfigValue {
  const judged = value.slice(0, judgedChars);
  if (!raw && (wholeReference.test(judged) || storeReference.test(judged))) {
    return { name, kind: 'reference', value_digest: null };
  }
  if (!raw && placeholder.test(judged)) return { name, kind: 'templated', value_digest: null };
  return { name, kind: 'literal', value_digest: maybeSecret(name, value) ? null : blake3Hex(value) };
}

function maybeSecret(name: string, value: string): boolean {
  if (value === '') return false;
  if (secretName.test(name) || isSecretAssignment(name, value)) return true;
  return redactString(value, { entropy: true }).findings.length > 0;
}
