/**
 * Quotes a file in what is said about it (S12): a place that touches a secret is quoted as the placeholder of the whole secret. Looked for
 * in the file and not in the quotation, because what is cut out of a secret, or out of what stands around it, does not look like one.
 */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { findSecrets } from '../../../kernel/secrets/find-secrets.ts';
import { findingFor, placeholderFor } from '../../../kernel/secrets/redact-string.ts';

export type SourceQuotes = {
  /** One line of at most so many characters. Positions are UTF-16. */
  quote(start: number, end: number, limit: number): string;
  isSecret(start: number, end: number): boolean;
};

/** Nothing is looked for until something is asked. */
export function createSourceQuotes(text: string): SourceQuotes {
  let spans: ReturnType<typeof findSecrets> | undefined;
  const spanAt = (start: number, end: number) => {
    spans ??= findSecrets(text, { entropy: true });
    // They are in order and do not overlap: the first that ends behind the start.
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.end ?? 0) > start) high = middle;
      else low = middle + 1;
    }
    const found = spans[low];
    return found !== undefined && found.start < end ? found : undefined;
  };
  return {
    isSecret: (start, end) => spanAt(start, end) !== undefined,
    quote(start, end, limit) {
      const secret = spanAt(start, end);
      if (secret !== undefined) {
        return placeholderFor(findingFor(text.slice(secret.start, secret.end), secret.class).fingerprint);
      }
      // More would not be shown, however long the range is; one character over tells that there is more.
      return truncate(singleLine(text.slice(start, Math.min(end, start + limit * 4 + 1))), limit);
    },
  };
}
