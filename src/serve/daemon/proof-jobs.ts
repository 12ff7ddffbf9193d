/**
 * Requests for a change whose proof outlasts them (mutation.md §3.3). A request is answered with its outcome or, when its proof takes too
 * long, with the news that it still runs. The proof then goes on here without its caller, and the same request asked again gets the
 * outcome. Until it has outlasted its request, a proof ends with it.
 */

import { within } from '../../kernel/base/turns.ts';
import type { LongProofs } from '../../mutate/world.ts';

type ProofJob = {
  /** What was answered when it outlasted its request. */
  readonly running: unknown;
  /** What it comes to, or that it still runs. Rejects when the signal ends the waiting. */
  answer(signal: AbortSignal): Promise<unknown>;
  isOver(): boolean;
  /** Resolves when nothing of it is left. */
  stop(): Promise<void>;
};

type JobWorld<T> = {
  /** Of the request at first, then of the job alone. */
  readonly signal: AbortSignal;
  readonly proofs: Omit<LongProofs, 'detach'> & {
    readonly detach: (of: { readonly planId: string; readonly operation: string; readonly outcome: T }) => void;
  };
  readonly isDetached: () => boolean;
};

export type ProofJobs = {
  run<T>(request: string, signal: AbortSignal, act: (world: JobWorld<T>) => Promise<T>): Promise<T>;
  /** The one that outlasted this very request, and still runs. */
  ofRequest(request: string): ProofJob | undefined;
  ofPlan(planId: string): ProofJob | undefined;
  close(): Promise<void>;
};

type ProofJobsSettings = {
  readonly waitMs: number;
  /** Of the daemon. */
  readonly signal: AbortSignal;
  /** The daemon is at work until the answer is called. */
  readonly noteWork: () => () => void;
  readonly onBug: (error: unknown) => void;
};

/** How long the synchronous part of a proof is. */
export const proofWaitMs = 30_000;
/** Of so many proofs it is remembered which plan they were of. */
const remembered = 100;

export function createProofJobs({ waitMs, signal: ending, noteWork, onBug }: ProofJobsSettings): ProofJobs {
  const byRequest = new Map<string, ProofJob>();
  const byPlan = new Map<string, ProofJob>();
  const plans = new Map<string, string>();

  return {
    async run<T>(request: string, asker: AbortSignal, act: (world: JobWorld<T>) => Promise<T>): Promise<T> {
      const own = new AbortController();
      const leave = () => own.abort(asker.reason);
      if (asker.aborted) leave();
      asker.addEventListener('abort', leave, { once: true });
      const answered = Promise.withResolvers<T>();
      let isDetached = false;
      let isOver = false;
      const detach: JobWorld<T>['proofs']['detach'] = ({ planId, operation, outcome }) => {
        isDetached = true;
        asker.removeEventListener('abort', leave);
        const worked = noteWork();
        const job: ProofJob = {
          running: outcome,
          async answer(signal) {
            return (await within(settled, { waitMs, signal })) ? work.catch(() => outcome) : outcome;
          },
          isOver: () => isOver,
          async stop() {
            own.abort(new Error('the plan was given up'));
            await settled;
          },
        };
        byRequest.set(request, job);
        byPlan.set(planId, job);
        plans.set(operation, planId);
        for (const [oldest] of plans) if (plans.size > remembered) plans.delete(oldest);
        void settled.then(() => {
          if (byRequest.get(request) === job) byRequest.delete(request);
          byPlan.delete(planId);
          worked();
        });
        answered.resolve(outcome);
      };
      const work = act({
        signal: AbortSignal.any([own.signal, ending]),
        isDetached: () => isDetached,
        proofs: { waitMs, detach, isRunning: (id) => byPlan.has(id), earlier: (operation) => plans.get(operation) },
      });
      const settled = work.then(
        () => {
          isOver = true;
        },
        (error: unknown) => {
          isOver = true;
          // No caller is left to hear it.
          if (isDetached && !own.signal.aborted && !ending.aborted) onBug(error);
        },
      );
      work.then(answered.resolve, answered.reject);
      try {
        return await answered.promise;
      } finally {
        asker.removeEventListener('abort', leave);
      }
    },
    ofRequest: (request) => byRequest.get(request),
    ofPlan: (planId) => byPlan.get(planId),
    close: async () => void (await Promise.all([...byPlan.values()].map((job) => job.stop()))),
  };
}
