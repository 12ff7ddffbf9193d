/**
 * Two documents of one file: an indexer that was led through a link, or a header that several translation units include. Both were checked
 * against the same bytes, so what either says is true of them. Locals of one are not those of the other.
 */

import { assert } from '../../../kernel/base/assert.ts';
import { occurrenceStride as stride } from '../../store/document-facts.ts';
import type { DocumentDraft } from './describe-document.ts';
import { sortOccurrences } from './sort-occurrences.ts';
import type { SymbolShape } from './symbol-shape.ts';

export function mergeDrafts(first: DocumentDraft, second: DocumentDraft): DocumentDraft {
  assert(first.path === second.path && first.contentHash === second.contentHash, 'one file at one moment');
  const shapes: SymbolShape[] = [...first.shapes];
  const names: (string | null)[] = [...first.names];
  const byRaw = new Map(first.shapes.map((shape, at) => [shape.raw, at]));
  const prefix = localPrefix(first.shapes);
  const positions = second.shapes.map((shape, at) => {
    const raw = shape.isLocal ? `local ${prefix}${shape.raw.slice('local '.length)}` : shape.raw;
    const known = byRaw.get(raw);
    if (known !== undefined) return known;
    shapes.push(shape.isLocal ? { ...shape, raw } : shape);
    names.push(second.names[at] ?? null);
    byRaw.set(raw, shapes.length - 1);
    return shapes.length - 1;
  });
  const moved = (symbol: number): number => positions[symbol] as number;
  const occurrences = new Int32Array(first.occurrences.length + second.occurrences.length);
  occurrences.set(first.occurrences);
  occurrences.set(second.occurrences, first.occurrences.length);
  for (let at = first.occurrences.length; at < occurrences.length; at += stride) {
    occurrences[at + 2] = moved(occurrences[at + 2] as number);
  }
  const { sorted, crossing } = sortOccurrences(occurrences);
  const known = new Set(first.infos.map(({ symbol }) => symbol));
  return {
    ...first,
    shapes,
    names,
    occurrences: sorted,
    infos: [
      ...first.infos,
      ...second.infos
        .map((info) => ({ ...info, symbol: moved(info.symbol) }))
        .filter(({ symbol }) => !known.has(symbol)),
    ],
    relations: [
      ...first.relations,
      ...second.relations.map(({ from, to, kind }) => ({ from: moved(from), to: moved(to), kind })),
    ],
    gaps: [
      ...first.gaps,
      ...second.gaps.map((gap) => ({ ...gap, symbol: gap.symbol === null ? null : moved(gap.symbol) })),
      ...crossing.map(([start, end, symbol]) => ({
        symbol,
        name: names[symbol] ?? null,
        start,
        end,
        detail: 'crosses another occurrence',
      })),
    ],
  };
}

/** `2.`, `3.`, …: which document a local comes from. */
function localPrefix(shapes: readonly SymbolShape[]): string {
  let last = 1;
  for (const { raw, isLocal } of shapes) {
    const seen = isLocal ? /^local (\d+)\./.exec(raw) : null;
    if (seen !== null) last = Math.max(last, Number(seen[1]));
  }
  return `${last + 1}.`;
}
