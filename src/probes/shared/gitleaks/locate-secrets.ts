/**
 * The secrets of one text by the redactor's named patterns: line, class and fingerprint of each. The fingerprint is the
 * redactor's own, so the same secret has the same one wherever it is shown, and a guessable one has none to guess by.
 */

import { findSecrets } from '../../../kernel/secrets/find-secrets.ts';
import type { SecretClass } from '../../../kernel/secrets/patterns.ts';
import { findingFor } from '../../../kernel/secrets/redact-string.ts';

/**
 * A redactor may hide too much and harms nobody; a finding that is none costs somebody's time. A value is named by the name it is
 * assigned to, and where it reads like a word, an expression or a path it is taken for one.
 */
export function isLikelySecret(secretClass: SecretClass, value: string): boolean {
  if (secretClass === 'assignment' || secretClass === 'connection_string') {
    return (
      /^[\x21-\x7e]+$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/[(){}[\]<>$\\/]/.test(value)
    );
  }
  return (
    secretClass !== 'url_credentials' || !/^(?:pass(?:word|wd)?|pwd|secret|token|x+|\W.*|.*[{}<>$%].*)$/i.test(value)
  );
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

/** What its own letters give away whatever file it is in: long, of many characters, and no sample out of a manual. */
export function isUnmistakable(secretClass: SecretClass, value: string): boolean {
  return unmistakableClasses.has(secretClass) && new Set(value).size >= 10 && !/EXAMPLE/i.test(value);
}

export type LocatedSecret = { readonly line: number; readonly class: SecretClass; readonly fingerprint: string };

export function locateSecrets(text: string, isTold = isLikelySecret): LocatedSecret[] {
  let line = 1;
  // Looked for once per line: one line may hold them all.
  let lineEnd = text.indexOf('\n');
  const spans = findSecrets(text, { entropy: false });
  return spans.flatMap((span) => {
    const value = text.slice(span.start, span.end);
    if (!isTold(span.class, value)) return [];
    while (lineEnd !== -1 && lineEnd < span.start) {
      line += 1;
      lineEnd = text.indexOf('\n', lineEnd + 1);
    }
    return [{ line, class: span.class, fingerprint: findingFor(value, span.class).fingerprint }];
  });
}
