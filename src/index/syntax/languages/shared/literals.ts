/** Where literals end, for the languages that quote like C. Unclosed ones end where their language would stop looking. */

/** `"…"` or `'…'` with backslash escapes, on one line unless `multiline`. */
export function quotedEnd(text: string, at: number, multiline = false): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === quote) return index + 1;
    else if (character === '\n' && !multiline) return index;
  }
  return text.length;
}

/** Up to and including the next `closing`. */
export function closedBy(text: string, from: number, closing: string): number {
  const end = text.indexOf(closing, from);
  return end < 0 ? text.length : end + closing.length;
}

/** How often `character` is repeated from `at` on. */
export function runLength(text: string, at: number, character: string): number {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}
