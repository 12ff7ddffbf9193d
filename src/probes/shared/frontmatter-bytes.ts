/**
 * Front matter of a file given as bytes: the YAML text and where the body begins, counted in the file's own bytes.
 * Only the front matter must be UTF-8; the body is never decoded here, whatever it holds.
 */

import { decodeLenient } from '../../kernel/base/text.ts';
import { splitFrontmatter } from '../../kernel/formats/yaml.ts';

export type FrontmatterBytes =
  | { readonly kind: 'none'; readonly bodyOffset: number }
  | { readonly kind: 'unterminated' }
  | { readonly kind: 'not_utf8' }
  | { readonly kind: 'found'; readonly yaml: Uint8Array; readonly bodyOffset: number };

export function splitFrontmatterBytes(bytes: Uint8Array): FrontmatterBytes {
  const bomBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const split = splitFrontmatter(decodeLenient(bytes));
  if (split.kind === 'none') return { kind: 'none', bodyOffset: 0 };
  if (split.kind === 'unterminated') return { kind: 'unterminated' };
  // A replaced byte changes the length of the decoded text, and with it the offset: then it may not be used.
  if (split.yaml.includes('\ufffd')) return { kind: 'not_utf8' };
  return { kind: 'found', yaml: new TextEncoder().encode(split.yaml), bodyOffset: bomBytes + split.bodyOffset };
}
