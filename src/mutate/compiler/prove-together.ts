/**
 * A proof that asks little is one process's. Another is shared: names and diagnostics need nothing of each other, nor do the diagnostics
 * before the edits and after them, and each is a pass of the compiler over everything in reach (decision 0018). A second process says what
 * it finds after the edits and compares the names of half of the files; the first those of the other half, and says what it finds before
 * them. Where the machine has room for a third, that one looks before, and the first compares all names. What a compiler says can depend on
 * what it was asked before: if the two sides differ, or another process fails, the first is asked for both, in the same order, and its
 * answer holds. The report is the same, and only later.
 *
 * They look at the disk one after the other. A file that changes in between has changed since the sweep of the request, and such a
 * plan is looked at again before it is committed.
 */

import type { CompilerFailure, CompilerJob, CompilerUnavailable } from './open-compiler.ts';
import { compareDiagnostics } from './proof/compare-diagnostics.ts';
import { joinNames, joinReports } from './proof/join-reports.ts';
import type { CompilerQuestion, DiagnosticList, ProofQuestion, ProofReport, SideQuestion } from './types.ts';

export function isShareable(question: CompilerQuestion): question is ProofQuestion {
  return question.kind === 'prove' && question.reach === 'repo' && question.part === undefined;
}

type Started = { open(): Promise<CompilerJob | CompilerUnavailable>; close(): Promise<void> };

export async function proveTogether(
  question: ProofQuestion,
  ask: CompilerJob['ask'],
  others: {
    /** Another process; it is closed again, opened or not. */
    start(): Started;
    /** How many may run beside the first. */
    readonly most: number;
  },
): Promise<ProofReport | CompilerFailure> {
  const small = await ask({ ...question, part: 'if small' });
  if (small.kind !== 'not_small') return small;
  const started: Started[] = [];
  const startOther = async () => {
    const other = others.start();
    started.push(other);
    const job = await other.open();
    return job.kind === 'open' ? job.ask : undefined;
  };
  const isThree = others.most > 1;
  const askSide = async (of: ReturnType<typeof startOther>, part: SideQuestion['part']) =>
    (await of)?.({ ...question, part });
  try {
    const second = startOther();
    const after = askSide(second, 'after');
    const rest = isThree ? undefined : after.then(async () => (await second)?.(halfOf(question, 'second')));
    const before = isThree ? askSide(startOther(), 'before') : undefined;
    const mine = await ask(isThree ? { ...question, part: 'names' } : halfOf(question, 'first'));
    // What is disproved is disproved, whatever the others say.
    if (mine.kind === 'failed' || mine.kind === 'disproved') return mine;
    const was = await (before ?? ask({ ...question, part: 'before' }));
    const is = await after;
    const names = isThree ? mine : joinHalves(mine, await askAgain(await rest, () => ask(halfOf(question, 'second'))));
    if (names.kind === 'failed' || names.kind === 'disproved') return names;
    const same = was?.kind === 'listed' && is?.kind === 'listed' ? findSame(was, is) : undefined;
    if (same !== undefined)
      return names.kind === 'proven' ? { ...names, ...same, ms: { ...same.ms, ...names.ms } } : names;
    const both = await ask({ ...question, part: 'diagnostics' });
    return both.kind === 'failed' ? both : joinReports(names, both);
  } finally {
    await Promise.all(started.map(({ close }) => close()));
  }
}

function halfOf(question: ProofQuestion, half: 'first' | 'second'): ProofQuestion {
  return { ...question, part: 'names', half };
}

/** What another process has shown holds; whatever else it says, the first says it itself. */
async function askAgain(
  answer: ProofReport | CompilerFailure | undefined,
  ask: () => Promise<ProofReport | CompilerFailure>,
): Promise<ProofReport | CompilerFailure> {
  return answer?.kind === 'proven' ? answer : ask();
}

function joinHalves(first: ProofReport, second: ProofReport | CompilerFailure): ProofReport | CompilerFailure {
  return second.kind === 'failed' ? second : joinNames(first, second);
}

function findSame(
  was: DiagnosticList,
  is: DiagnosticList,
): { readonly diagnostics: number; readonly ms: DiagnosticList['ms'] } | undefined {
  const { diagnostics, changed } = compareDiagnostics(was.diagnostics, is.diagnostics);
  return changed.length === 0 ? { diagnostics, ms: { ...is.ms, ...was.ms } } : undefined;
}
