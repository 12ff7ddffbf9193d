/**
 * One linear pass over JSON text that knows strings from structure and nothing else.
 *
 * It answers what `JSON.parse` cannot: how deep the text nests, before anything is built from it, and how many members were
 * written, so that the caller can see that a duplicate key swallowed one. Not a validator: on text that is not JSON it still ends.
 */

export type JsonScan =
  | { readonly kind: 'too_deep' }
  /** `members` is exact for valid JSON: every colon outside strings belongs to one. */
  | { readonly kind: 'scanned'; readonly members: number };

/** The root container has depth 0; scalars do not count. */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let depth = -1;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = findStringEnd(text, at);
    } else if (code === 0x3a) {
      members += 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return { kind: 'too_deep' };
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return { kind: 'scanned', members };
}

/** Offset of the quote that closes the string opened at `open`; the end of the text when there is none. */
export function findStringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close, open)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

// Each run of backslashes ends at one quote, so counting backwards stays linear over the whole text.
function isEscaped(text: string, quote: number, open: number): boolean {
  let at = quote - 1;
  while (at > open && text.charCodeAt(at) === 0x5c) at -= 1;
  return (quote - 1 - at) % 2 === 1;
}
