/**
 * One proof by two processes: its two halves need nothing of each other, and each is a pass of the compiler over everything in reach
 * (decision 0018). The second process opens its programs while the first compares names. Whatever goes wrong with it, the first
 * answers for both halves: the report is the same, and only later.
 *
 * The two look at the disk one after the other. A file that changes in between has changed since the sweep of the request, and such a
 * plan is looked at again before it is committed.
 */

import type { CompilerFailure, CompilerJob, CompilerUnavailable } from './open-compiler.ts';
import { joinReports } from './proof/join-reports.ts';
import type { CompilerQuestion, ProofQuestion, ProofReport } from './types.ts';

export function isShareable(question: CompilerQuestion): question is ProofQuestion {
  return question.kind === 'prove' && question.reach === 'repo' && question.part === undefined;
}

export async function proveTogether(
  question: ProofQuestion,
  ask: (question: ProofQuestion) => Promise<ProofReport | CompilerFailure>,
  second: { open(): Promise<CompilerJob | CompilerUnavailable>; close(): Promise<void> },
): Promise<ProofReport | CompilerFailure> {
  const diagnosing = second
    .open()
    .then((job) => (job.kind === 'open' ? job.ask({ ...question, part: 'diagnostics' as const }) : undefined));
  try {
    const names = await ask({ ...question, part: 'names' });
    // What is disproved is disproved, whatever the other half says.
    if (names.kind === 'failed' || names.kind === 'disproved') return names;
    const found = await diagnosing;
    const isAnswered = found !== undefined && found.kind !== 'failed';
    const diagnostics = isAnswered ? found : await ask({ ...question, part: 'diagnostics' });
    return diagnostics.kind === 'failed' ? diagnostics : joinReports(names, diagnostics);
  } finally {
    await second.close();
  }
}
