/**
 * A request that is sent twice takes effect once (mutation.md §5, M23): its id with the same operation gives the answer it had, with
 * another one `plan_mismatch`. A second request during the first waits for its answer.
 */

import { StoreFailed } from '../../index/store/store-failed.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import type { Answer } from '../answer.ts';
import type { MutationWorld } from '../world.ts';
import { refusedAnswer } from './answers.ts';
import { createHider } from './plan-files.ts';

type UnderWay = { readonly opHash: string; readonly answer: Promise<Answer> };

const underWay = new WeakMap<object, Map<string, UnderWay>>();

/** `operation`: everything that was asked, without the id itself. */
export async function withRequestId(
  world: Pick<MutationWorld, 'plans' | 'nowMs' | 'dataDir'>,
  id: string | undefined,
  operation: Readonly<Record<string, unknown>>,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (id === undefined) return act();
  const { plans, nowMs, dataDir } = world;
  const opHash = sha256Hex(canonicalJson(JSON.parse(JSON.stringify(operation)) as Json));
  plans.tidy(nowMs());
  const seen = plans.findRequest(id);
  if (seen !== undefined) return seen.opHash === opHash ? (JSON.parse(seen.answerJson) as Answer) : otherOperation(id);
  const running = underWay.get(plans) ?? new Map<string, UnderWay>();
  underWay.set(plans, running);
  const first = running.get(id);
  if (first !== undefined) return first.opHash === opHash ? first.answer : otherOperation(id);
  const answer = act().then((made) => {
    // The same answer both times: what is kept has its secrets hidden, so what is given has them too.
    const kept = createHider(dataDir).json(made) as Answer;
    try {
      plans.putRequest(id, opHash, JSON.stringify(kept), nowMs());
      return JSON.parse(plans.findRequest(id)?.answerJson ?? JSON.stringify(kept)) as Answer;
    } catch (error) {
      // What was done is done, and has to be said; a second request finds the plan used.
      if (!(error instanceof StoreFailed)) throw error;
      return kept;
    }
  });
  running.set(id, { opHash, answer });
  try {
    return await answer;
  } finally {
    running.delete(id);
  }
}

function otherOperation(id: string): Answer {
  return refusedAnswer('plan_mismatch', `request id ${id} was used for another operation`);
}
