/**
 * The secrets in a text of the repository, with what stands for each (`hide-secrets.ts`). A repository that holds large tables of constants
 * takes a tenth of a second for it, which is more than all else that an import of a few files does: what was recognised in the same bytes
 * is remembered.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { findSecrets } from '../../../kernel/secrets/find-secrets.ts';
import { findingFor, placeholderFor } from '../../../kernel/secrets/redact-string.ts';
import { knownCharsMin } from './find-known.ts';

/** By secret, what stands for it. */
export type RecognisedSecrets = ReadonlyMap<string, string>;

/** A secret that is gone can leave an edge at which the next one is seen. */
const passesMax = 16;
/** More are not told apart. */
export const secretsMax = 20_000;

export function recogniseSecrets(bytes: Uint8Array): RecognisedSecrets {
  const recognised = new Map<string, string>();
  let remaining = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  for (let pass = 0; pass < passesMax && recognised.size < secretsMax; pass += 1) {
    const found = findSecrets(remaining, { entropy: true });
    if (found.length === 0) break;
    for (const { start, end, class: kind } of found) {
      const secret = remaining.slice(start, end);
      if (secret.trim().length < knownCharsMin || secret.includes('\n')) continue;
      const placeholder = placeholderFor(findingFor(secret, kind).fingerprint);
      recognised.set(secret, placeholder);
      // A compiler writes a literal in its own way, with other characters escaped.
      for (const spelling of spellingsOf(secret)) recognised.set(spelling, placeholder);
    }
    const spans = found.map(({ start, end }) => [start, end] as const).sort(([a], [b]) => a - b);
    remaining = blank(remaining, spans);
  }
  return recognised;
}

/** Secrets that are remembered, of all texts together. */
const rememberedMax = 100_000;

/** By hash of the bytes. */
const remembered = new Map<string, RecognisedSecrets>();
let size = 0;

/** The same of bytes that many imports will look at. */
export function recogniseOnce(bytes: Uint8Array): RecognisedSecrets {
  const hash = blake3Hex(bytes);
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  const recognised = recogniseSecrets(bytes);
  size += recognised.size + 1;
  if (size > rememberedMax) {
    remembered.clear();
    size = recognised.size + 1;
  }
  remembered.set(hash, recognised);
  return recognised;
}

function spellingsOf(secret: string): readonly string[] {
  if (!/["'`\\]/.test(secret)) return [];
  const plain = secret.replace(/\\(["'`\\/])/g, '$1');
  return [plain, plain.replace(/["\\]/g, '\\$&'), plain.replace(/['\\]/g, '\\$&')].filter(
    (text) => text.length >= knownCharsMin,
  );
}

function blank(text: string, spans: readonly (readonly [number, number])[]): string {
  let [blanked, from] = ['', 0];
  for (const [start, end] of spans) {
    if (start < from) continue;
    blanked += text.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  return blanked + text.slice(from);
}
