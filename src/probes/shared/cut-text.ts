/**
 * Shortens text before it is redacted without ever leaving part of a word: half a secret is no longer recognised as one.
 * `…` marks the cut; a single word that is longer than the limit goes as a whole.
 */

export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  const space = head.search(/\s\S*$/);
  const kept = head.slice(0, Math.max(0, space)).trimEnd();
  return kept === '' ? '…' : `${kept} …`;
}
