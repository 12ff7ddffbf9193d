/** What an answer from a published context says of the time since: what has changed, which sections that touches, and whether what is told is one of them. */

/** As answers carry it. Null in its place: everything that was gathered is as it would be gathered now. */
export type Since = {
  /** What is different, in words. */
  readonly says: string;
  /** Inputs that came, went or are others: the first of them, and how many. */
  readonly files: readonly string[];
  readonly count: number;
  /** Sections, delivered or not, that would be made from something else now. */
  readonly sections: readonly string[];
  /** Sections that rest on one of those. */
  readonly perhaps: readonly string[];
};

/** `changed`: what it is made from is not what it was. `perhaps`: only what it rests on has changed. */
export type Touch = 'changed' | 'perhaps';

/** How far something is touched that was told of the section, or of a field of it, or of several sections below one name. */
export function touchOf(since: Since | null, path: string): Touch | null {
  const concerns = (section: string) =>
    section === path || path.startsWith(`${section}.`) || section.startsWith(`${path}.`);
  if (since === null) return null;
  if (since.sections.some(concerns)) return 'changed';
  // The list of all facts, and the document as a whole, hold a part of every section.
  const isWhole = path === 'facts' || path.startsWith('facts.') || path === 'envelope';
  return since.perhaps.some(concerns) || isWhole ? 'perhaps' : null;
}

/** `stale`: what is told may no longer be so. An answer that tells the whole is touched by everything but a commit of the same bytes. */
export function outcomeSince(since: Since | null, path?: string): 'ok' | 'stale' {
  if (path !== undefined) return touchOf(since, path) === null ? 'ok' : 'stale';
  const isSame = since === null || (since.perhaps.length === 0 && since.sections.join() === 'repo');
  return isSame ? 'ok' : 'stale';
}
