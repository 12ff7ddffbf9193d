/** One use of a shell, named by the catalog. What the catalog does not know is `unknown`, never left out. */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';
import { shellReplacementsCatalog } from '../../catalogs/shell-replacements.ts';

export type Touchpoint = {
  /** `Dockerfile CMD`, `docker/run.sh:12`, `package.json scripts.start`. */
  readonly where: string;
  readonly text: string;
  readonly classification: string;
  readonly replacement_known: 'yes' | 'no' | 'depends' | 'unknown';
  readonly replacement: string | null;
};

const maxTextChars = 2_000;

const entries = shellReplacementsCatalog.entries.map((entry) => ({ ...entry, regex: new RegExp(entry.pattern) }));

export function classifyTouchpoint(where: string, text: string): Touchpoint {
  const shown = shownCommand(text);
  const entry = entries.find(({ regex }) => regex.test(shown));
  return {
    where,
    text: shown,
    classification: entry?.classification ?? 'unknown',
    replacement_known: entry?.replacement_known ?? 'unknown',
    replacement: entry?.replacement ?? null,
  };
}

/** Redacted before it is cut: half a secret is not recognised as one. */
export function shownCommand(text: string): string {
  const { text: redacted } = redactString(text.slice(0, maxTextChars * 2), { entropy: false });
  return truncate(singleLine(redacted).trim(), maxTextChars);
}

export function summarise(touchpoints: readonly Touchpoint[]) {
  const count = (known: Touchpoint['replacement_known']) =>
    touchpoints.filter(({ replacement_known }) => replacement_known === known).length;
  return {
    fully_replaceable: count('yes'),
    partial_or_uncertain: count('depends'),
    blocking: count('no'),
    unknown: count('unknown'),
  };
}
