/** Text that comes from a repository or a tool is hostile until it has passed here. */

// C0 without tab and newline, DEL, C1, and the bidi and zero-width controls that can reorder or hide what a person reads.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Drops control and bidi characters; keeps tabs and newlines. */
export function stripControls(text: string): string {
  return text.replace(unprintable, '');
}

/** One printable line: controls dropped, line ends and tabs as single spaces. */
export function singleLine(text: string): string {
  return stripControls(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));
}

/** At most `limit` UTF-16 units, never half a surrogate pair; `…` marks the cut and counts. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** UTF-8 that never fails: a BOM is dropped, invalid bytes become U+FFFD. */
export function decodeLenient(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: false }).decode(bytes);
}
