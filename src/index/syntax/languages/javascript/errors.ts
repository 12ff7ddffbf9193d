/** Files with syntax errors: what of their interface can still be known (S3). Only called for such files, so it may take its time. */

import type { Node } from 'web-tree-sitter';
import type { TextSpan } from '../../facts.ts';
import type { Reader, RecordDraft } from './reader.ts';

/** The records of a file with errors, `null` if an error could lie in what other files see. */
export function mendRecords(root: Node, reader: Reader): RecordDraft[] | null {
  if (root.type !== 'program') return null;
  const { broken, text } = reader;
  if (broken.some(({ start, end, isError }) => isError || /\bexports?\b/.test(text.slice(start, end)))) return null;
  const mended: RecordDraft[] = [];
  for (const record of reader.records) {
    const span = findSpan(broken, record.pieces[0]);
    if (span === undefined) mended.push(record);
    else if (record.isPublic || record.names.some((name) => reader.exportedLocals.has(name))) return null;
    // If something public mentions it, every token of it counts.
    else mended.push({ ...record, inferred: true, pieces: [span.start, span.end] });
  }
  return mended;
}

/** The span, of a list in order, that holds the place. */
function findSpan<T extends TextSpan>(spans: readonly T[], place: string | number | undefined): T | undefined {
  if (typeof place !== 'number') return undefined;
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.start <= place ? span : undefined;
}
