/** What an index file says, counted. A path counts once, however many projects describe it. */

import { limits } from '../../../kernel/base/limits.ts';
import { readScipAsync } from '../../../kernel/formats/read-scip.ts';
import { roleBits, type ScipDocument } from '../../../kernel/formats/scip.ts';

export type ReadDocuments =
  | {
      readonly kind: 'read';
      /** Of files that were asked about. */
      readonly paths: ReadonlySet<string>;
      /** Symbols with a description, locals aside. */
      readonly symbols: number;
      /** Definitions at the places given; undefined where none were given. */
      readonly exported: number | undefined;
    }
  | { readonly kind: 'failed'; readonly detail: string };

export async function readDocuments(
  file: string,
  asked: ReadonlySet<string>,
  exportedNames: ReadonlyMap<string, readonly number[]> | undefined,
): Promise<ReadDocuments> {
  const paths = new Set<string>();
  let [symbols, exported] = [0, 0];
  const outcome = await readScipAsync(
    file,
    (part) => {
      if (part.kind !== 'document') return;
      const { document } = part;
      const path = document.relativePath;
      if (!asked.has(path) || paths.has(path)) return;
      paths.add(path);
      symbols += document.symbols.filter(({ symbol }) => isGlobal(symbol)).length;
      exported += countDefinitions(document, exportedNames?.get(path) ?? []);
    },
    { maxBytes: limits.scipBytes },
  );
  if (outcome.kind === 'failed') return { kind: 'failed', detail: `${outcome.reason}: ${outcome.detail}` };
  return { kind: 'read', paths, symbols, exported: exportedNames === undefined ? undefined : exported };
}

function isGlobal(symbol: string): boolean {
  return !symbol.startsWith('local ');
}

/** A name that is declared several times over (overloads, merged declarations) is one symbol. */
function countDefinitions(document: ScipDocument, places: readonly number[]): number {
  const wanted = new Set<string>();
  for (let at = 0; at < places.length; at += 2) wanted.add(`${places[at]}:${places[at + 1]}`);
  const found = new Set<string>();
  for (const { range, roles, symbol } of document.occurrences) {
    if ((roles & roleBits.definition) === 0 || !isGlobal(symbol)) continue;
    if (wanted.has(`${range[0]}:${range[1]}`)) found.add(symbol);
  }
  return found.size;
}
