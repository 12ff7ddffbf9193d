/** Compilers that are kept for the next question about the same programs, and remember what they last found. */

import type {
  CompilerAnswer,
  CompilerFailure,
  CompilerJob,
  CompilerQuestion,
  RenameFindings,
} from '../../src/mutate/compiler/session/messages.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';

export type RecordingCompilers = {
  readonly open: MutationWorld['openCompiler'];
  /** Of the last rename that was asked about, since `forget`. */
  findings(): RenameFindings | undefined;
  forget(): void;
  close(): Promise<void>;
};

/** `most`: how many are kept; the one that was not asked for the longest time gives way. */
export function createRecordingCompilers(
  openNew: MutationWorld['openCompiler'],
  most: number = Number.POSITIVE_INFINITY,
): RecordingCompilers {
  const jobs = new Map<string, CompilerJob>();
  let last: RenameFindings | undefined;
  return {
    async open(programs) {
      const key = JSON.stringify(programs);
      const known = jobs.get(key);
      const job = known ?? (await openNew(programs));
      if (job.kind !== 'open') return job;
      jobs.delete(key);
      jobs.set(key, job);
      for (const [oldest, idle] of [...jobs].slice(0, Math.max(0, jobs.size - most))) {
        jobs.delete(oldest);
        await idle.close();
      }
      const ask = async (question: CompilerQuestion): Promise<CompilerAnswer | CompilerFailure> => {
        const answer = await job.ask(question);
        if (answer.kind === 'findings') last = answer;
        // It may be gone with its process.
        if (answer.kind === 'failed') jobs.delete(key);
        return answer;
      };
      return { kind: 'open', ask: ask as CompilerJob['ask'], close: async () => {} };
    },
    findings: () => last,
    forget() {
      last = undefined;
    },
    async close() {
      for (const job of jobs.values()) await job.close();
    },
  };
}
