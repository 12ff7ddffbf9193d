/**
 * What implements or overrides the symbol at a token, directly or through others, as indexers say it. There is no syntactic answer:
 * who implements what is a matter of types.
 */

import { listDefinitionsOf } from '../../store/queries/list-occurrences.ts';
import { listRelations } from '../../store/queries/list-semantic-symbols.ts';
import type { Definition } from './find-definitions.ts';
import { placeDefinitions } from './find-semantic-definitions.ts';
import type { Question } from './question.ts';
import { listSaidOf } from './semantic-layer.ts';
import type { Subject } from './subject.ts';

export type Implementations = {
  readonly found: readonly Definition[];
  /** Why there may be more; empty: there are none. */
  readonly doubts: readonly string[];
};

const maxSymbols = 5_000;

export function findImplementations(question: Question, { facts, token }: Subject): Implementations {
  const layer = question.semantic();
  const doubts = new Set(question.doubts());
  const file = layer.said(facts.path);
  const here = listSaidOf(file?.at, facts, token);
  if (here.length === 0) {
    const why =
      file === undefined ? `no indexer has seen ${facts.path} as it is` : 'no indexer knows what stands there';
    return { found: [], doubts: [...doubts, why] };
  }
  const asked = new Set(here.map(({ symbolId }) => symbolId));
  const ids = new Set<number>();
  const waiting = [...asked];
  question.ask((session) => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const { symbolId, kind } of listRelations(session, id, 'to').filter(layer.isLive)) {
        if (kind !== 'implements' || asked.has(symbolId) || ids.has(symbolId)) continue;
        if (ids.size >= maxSymbols) {
          doubts.add('there are more than could be followed');
          return;
        }
        ids.add(symbolId);
        waiting.push(symbolId);
      }
    }
  });
  const counts = layer.states.counts();
  const open = counts.dirty + counts.stale + counts.pending_check + counts.unindexed;
  if (open > 0) doubts.add(`${open === 1 ? '1 file is' : `${open} files are`} not indexed as they are now`);
  const rows = question.ask((session) => listDefinitionsOf(session, ids));
  const found = placeDefinitions(question, rows, doubts);
  // An object that has the right members implements an interface without saying so.
  if (['typescript', 'javascript', 'python', 'go'].includes(facts.language))
    doubts.add('types that fit without saying so are not listed');
  return { found, doubts: [...doubts] };
}
