/**
 * Describes, at the end of an index, every symbol that its documents speak of and do not describe: that it is one of somebody else. The
 * format asks for it, and `scip lint` looks; neither of the indexers for TypeScript does it. Fields of a message may come in any order
 * and any number, so nothing that is there is written again.
 */

import { appendFileSync } from 'node:fs';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { blankSymbol } from './blank-symbol.ts';
import { readScip } from './read-index.ts';
import type { ScipReadOutcome } from './types.ts';
import { encodeScip } from './write-index.ts';

export function addExternals(path: string): ScipReadOutcome {
  const described = new Set<string>();
  const named = new Set<string>();
  const outcome = readScip(path, (part) => {
    if (part.kind === 'external') described.add(part.symbol.symbol);
    if (part.kind !== 'document') return;
    for (const { symbol } of part.document.symbols) described.add(symbol);
    for (const { symbol } of part.document.occurrences) if (isGlobal(symbol)) named.add(symbol);
    for (const { relationships } of part.document.symbols) for (const { symbol } of relationships) named.add(symbol);
  });
  if (outcome.kind === 'failed') return outcome;
  const missing = [...named].filter((symbol) => !described.has(symbol)).sort(compareCodeUnits);
  if (missing.length > 0) {
    appendFileSync(
      path,
      encodeScip(missing.map((symbol) => ({ kind: 'external', symbol: { ...blankSymbol, symbol } }))),
    );
  }
  return outcome;
}

function isGlobal(symbol: string): boolean {
  return symbol !== '' && !symbol.startsWith('local ');
}
