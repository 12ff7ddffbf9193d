/**
 * What an indexer said about a file that has changed since, moved to where the same text stands now (code-plane.md §8). For reading:
 * such places are labelled, and no count rests on them.
 */

import type { Token } from '../../../languages/tokens.ts';
import { findLineHashes, listFactsOfFile } from '../../store/queries/list-file-facts.ts';
import { listOccurrencesOfFile } from '../../store/queries/list-occurrences.ts';
import { realignOccurrences } from '../realign.ts';
import type { Question } from './question.ts';
import type { Said } from './semantic-layer.ts';

export type RealignedFile = {
  /** By the first byte in the present text. */
  readonly at: ReadonlyMap<number, readonly Said[]>;
  /** Symbols of places that are there no more, once for each place. */
  readonly lost: readonly number[];
};

export async function realignFile(question: Question, path: string): Promise<RealignedFile> {
  const { isLive } = question.semantic();
  const at = new Map<number, Said[]>();
  const lost: number[] = [];
  const present = question.source(path);
  if (present === undefined) return { at, lost };
  const facts = await question.facts(path);
  const tokens = facts?.tokens ?? [];
  for (const { contextId } of question.ask((session) => listFactsOfFile(session, path)).filter(isLive)) {
    const { hashes, rows } = question.ask((session) => ({
      hashes: findLineHashes(session, path, contextId),
      rows: listOccurrencesOfFile(session, path, contextId).filter(({ form }) => form !== 'synthetic'),
    }));
    if (hashes === undefined) continue;
    const moved = realignOccurrences({
      oldLineHashes: hashes,
      present,
      occurrences: rows.map((row) => ({
        line: row.line,
        col: row.column,
        endLine: row.endLine,
        endCol: row.endColumn,
        text: row.form === 'name' ? row.name : null,
      })),
      tokens: (start, end) => listBetween(tokens, start, end),
    });
    for (const [index, row] of rows.entries()) {
      const place = moved[index];
      if (place === undefined || row.form === 'module') continue;
      if (place.kind === 'lost') {
        lost.push(row.symbolId);
        continue;
      }
      const said = { ...row, start: place.start, end: place.end };
      const known = at.get(said.start);
      if (known === undefined) at.set(said.start, [said]);
      else known.push(said);
    }
  }
  return { at, lost };
}

/** Tokens are in order: from the first that begins there. */
function listBetween(tokens: readonly Token[], start: number, end: number): readonly Token[] {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] as Token).start < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < tokens.length && (tokens[last] as Token).end <= end) last += 1;
  return tokens.slice(low, last);
}
