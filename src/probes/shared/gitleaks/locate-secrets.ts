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

export type LocatedSecret = { readonly line: number; readonly class: SecretClass; readonly fingerprint: string };

export function locateSecrets(text: string): LocatedSecret[] {
  let line = 1;
  let at = 0;
  const spans = findSecrets(text, { entropy: false });
  return spans.flatMap((span) => {
    const value = text.slice(span.start, span.end);
    if (!isLikelySecret(span.class, value)) return [];
    for (let next = text.indexOf('\n', at); next !== -1 && next < span.start; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return [{ line, class: span.class, fingerprint: findingFor(value, span.class).fingerprint }];
  });
}
