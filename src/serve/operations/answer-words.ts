/** How answers read: numbers, sizes, places, and names from the repository, which are hostile until they pass here. */

import { countDifferences } from '../../index/sync/find-differences.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { whyUnverified } from '../../index/view/not-answered.ts';
import { formatCount } from '../../kernel/base/quantities.ts';
import { plural, quotedPath, shown, singleLine } from '../../kernel/base/text.ts';
import type { Count, KnownCount } from './operation.ts';

/** Exact, unless there are reasons why there may be more. */
export function countWith(value: number, unresolved: readonly string[]): Count {
  return { value, relation: unresolved.length === 0 ? 'eq' : 'gte', unresolved: [...unresolved] };
}

/** Nothing found is no number where what would tell is not known. */
export function knownCountWith(value: number, unresolved: readonly string[], isNothingKnown: boolean): KnownCount {
  const count = countWith(value, unresolved);
  return { ...count, value: value === 0 && count.relation === 'gte' && isNothingKnown ? null : value };
}

/** `3 references to x`, and what is not known before anything else. */
export function knownCountOf(count: KnownCount, noun: string, of: string): string {
  const { value } = count;
  return value === null ? `not known: ${noun}s${of}` : `${countOf({ ...count, value }, noun)}${of}`;
}

/** `3 files`, `≥ 3 files` where there may be more. */
export function countOf(count: Count, noun: string, nouns?: string): string {
  return `${count.relation === 'gte' ? '≥ ' : ''}${plural(count.value, noun, nouns)}`;
}

/** One line per reason why a count is a lower bound. */
export function whyMore(count: KnownCount): readonly string[] {
  const mark = count.value === null ? 'because' : '≥ because';
  return count.unresolved.map((why) => `  ${mark} ${singleLine(why)}`);
}

/** The end of a page that is not the last. */
export function renderMore(token: string | null): readonly string[] {
  return token === null ? [] : [`… more: --continue ${token}`];
}

export { plural, quotedPath, shown, whyUnverified };

/** Why an answer that depends on all files may not be of the disk as it is now. */
export function whyStale(view: CodeView): readonly string[] {
  const unverified = whyUnverified(view);
  const differing = countDifferences(view.differences);
  return [
    ...(unverified === null ? [] : [unverified]),
    ...(differing === 0
      ? []
      : [`${plural(differing, 'file')} on disk ${differing === 1 ? 'differs' : 'differ'} from the index`]),
  ];
}

/** Columns padded to their widest cell; the last one is left as it is. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)));
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}

/** The most frequent first, names in order where they are equal. */
export function tallies(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return entries.map(([name, count]) => `${formatCount(count)} ${name.replaceAll('_', ' ')}`).join(', ');
}

type InTheWay = { readonly path: string; readonly why: string };

/** What is in the way, and what to do about it. */
export function whyRefused(refused: InTheWay): string {
  return `${refused.path}: ${refused.why}${adviceOn(refused)}`;
}

/** Nothing is wrong with the file itself: there is no room for more. */
export function isFull({ why }: Pick<InTheWay, 'why'>): boolean {
  return /ENOSPC|EDQUOT|disk is full/.test(why);
}

/**
 * S15: no advice loses what the user has. A full disk passes, and what it refused is still there; the ledger holds plans, decisions and what
 * can be undone, and is never told to be made anew. Only what is derived is: index, caches, sockets and locks, the published context.
 */
export function adviceOn({ path, why }: InTheWay): string {
  if (isFull({ why })) return '; make room on its volume and ask again, nothing is lost';
  if (/I\/O error|EIO\b/.test(why)) return '; see whether its volume is full or fails, and ask again';
  if (/newer version/.test(why)) return '; use that version, nothing is lost';
  // It says itself what to do.
  if (why.includes('; ')) return '';
  if (why.startsWith('cannot be')) return '; see to its permissions';
  if (path.endsWith('/state/ledger.db'))
    return '; it holds your plans and what can be undone: copy it and the files beside it to a safe place, and report it';
  if (/\/(?:index|cache|run|context)(?:\/|$)/.test(path)) return '; move it away, it is made anew';
  // Undo copies, journals, a key, what people wrote.
  return '; what lies there may not be made again: see what it is, and put it in a safe place first';
}

/** What a gather that was interrupted leaves (gather.md §8.5). */
export function afterInterrupt({ first }: { readonly first: object | undefined }): string {
  return first === undefined
    ? 'interrupted; nothing was published'
    : 'interrupted; what waits for no heavy probe is published, the rest is pending: gather again to go on';
}
