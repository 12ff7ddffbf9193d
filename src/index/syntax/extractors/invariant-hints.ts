/**
 * Where a file says what must hold: assertions, guards that throw, validators, titles of tests, tags of contracts. Hints for a reader,
 * taken from the form of the code alone.
 */

import type { GrammarName } from '../grammars.ts';
import type { ParsedSource } from '../parse-source.ts';
import { type Visitors, walkTree } from '../walk-tree.ts';
import { goHintVisitors } from './invariant-hints/go.ts';
import { createHints, type HintNotes, type InvariantHints } from './invariant-hints/hints.ts';
import { javascriptHintVisitors } from './invariant-hints/javascript.ts';
import { pythonHintVisitors } from './invariant-hints/python.ts';

const visitorsByGrammar: Partial<Record<GrammarName, (notes: HintNotes) => Visitors>> = {
  typescript: javascriptHintVisitors,
  tsx: javascriptHintVisitors,
  javascript: javascriptHintVisitors,
  python: pythonHintVisitors,
  go: goHintVisitors,
};

/** Other languages have none. */
export function extractInvariantHints({ grammar, root, text }: ParsedSource): InvariantHints {
  const { notes, hints } = createHints(text);
  const visitors = visitorsByGrammar[grammar];
  if (visitors !== undefined) walkTree(root, visitors(notes));
  return hints;
}
