/**
 * Secret-shaped text is kept as its keyed hash (mutation.md §5). A file's secrets are found in the whole file: the few characters of an
 * anchor would not show that they are part of one. A hash is as long as what it stands for, so places stay true.
 */

import { addTrigrams, dropTrigrams } from '../../index/search/trigrams.ts';
import type { SourceText } from '../../index/state/code-view.ts';
import { readOrCreateKey } from '../../index/store/state-key.ts';
import { redactSecrets } from '../../index/syntax/redact-secrets.ts';
import { screenSecrets } from '../../index/syntax/secret-screen.ts';
import { assert } from '../../kernel/base/assert.ts';

export type Hider = {
  /** The decoded text, as it may be kept. */
  file(source: Pick<SourceText, 'text' | 'bytes'>): string;
  text(text: string): string;
  /** Every string of a JSON value; keys are vocabulary. */
  json(value: unknown): unknown;
};

export function createHider(dataDir: string): Hider {
  const found = readOrCreateKey(dataDir);
  assert(found.kind === 'key', 'a session has read the key of its data dir before');
  const { key } = found;
  const text = (given: string) => redactSecrets(given, key, 'named').text;
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]));
  };
  return {
    text,
    json,
    file(source) {
      addTrigrams(source.bytes);
      const screen = screenSecrets(source.text, source.bytes);
      dropTrigrams();
      return redactSecrets(source.text, key, screen).text;
    },
  };
}
