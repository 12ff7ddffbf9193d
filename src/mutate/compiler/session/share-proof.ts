/**
 * A proof that asks little is one process's. Another is shared: names and diagnostics need nothing of each other, nor do the diagnostics
 * before the edits and after them, and each is a pass of the compiler over everything in reach (decision 0018). The first process compares
 * half of the names, and may still be asked something else before it does; the others begin with what is found after the edits.
 * What is left, what is found before them and the other names, is taken by the process that is free first. What a compiler says can depend on what it
 * was asked before: if the two sides differ, or another process fails, the first is asked for both, in the same order, and its answer
 * holds. The report is the same, and only later.
 *
 * They look at the disk one after the other. A file that changes in between has changed since the sweep of the request, and such a
 * plan is looked at again before it is committed.
 */

import {
  type CompilerFailure,
  type CompilerJob,
  type CompilerQuestion,
  type CompilerUnavailable,
  compareDiagnostics,
  type DiagnosticList,
  type ProofQuestion,
  type ProofReport,
} from './messages.ts';

export function isShareable(question: CompilerQuestion): question is ProofQuestion {
  return question.kind === 'prove' && question.reach === 'repo' && question.part === undefined;
}

type Started = { open(): Promise<CompilerJob | CompilerUnavailable>; close(): Promise<void> };

type OtherProcesses = {
  /** Another process, one of `most`; it is closed again, opened or not. */
  start(at: number): Started;
  /** How many may run beside the first. */
  readonly most: number;
  /** Of so many files one process asks everything before another is ready to help. */
  readonly fewFiles: number;
};

/** A proof that others have begun to work at; the first process may do something else meanwhile. */
export type BegunProof = {
  readonly question: ProofQuestion;
  finish(): Promise<ProofReport | CompilerFailure>;
  /** Ends the others, finished or not. */
  close(): Promise<void>;
};

/** What is left beside the first half of the names, in this order. */
const parts = ['after', 'before', 'second'] as const;
type Part = (typeof parts)[number];
type Said = ProofReport | DiagnosticList | CompilerFailure;

export function beginTogether(question: ProofQuestion, ask: CompilerJob['ask'], others: OtherProcesses): BegunProof {
  const started: Started[] = [];
  let isClosed = false;
  const taken = new Map<Part, Promise<Said>>();
  /** Until nothing is left; each part is taken once, whatever comes of it. */
  const work = async (askOne: CompilerJob['ask']) => {
    for (;;) {
      const part = isClosed ? undefined : parts.find((one) => !taken.has(one));
      if (part === undefined) return;
      const said: Promise<Said> =
        part === 'second' ? askOne(halfOf(question, 'second')) : askOne({ ...question, part });
      taken.set(part, said);
      await said;
    }
  };
  const workElsewhere = async (at: number) => {
    const other = others.start(at);
    started.push(other);
    const job = await other.open();
    if (job.kind === 'open') await work(job.ask);
  };
  const small = ask({ ...question, part: 'if small', files: others.fewFiles });
  const working = small.then(({ kind }) => {
    if (kind === 'not_small' && !isClosed) for (let at = 0; at < others.most; at += 1) void workElsewhere(at);
  });
  const finish = async (): Promise<ProofReport | CompilerFailure> => {
    const whole = await small;
    if (whole.kind !== 'not_small') return whole;
    const mine = await ask(halfOf(question, 'first'));
    // What is disproved is disproved, whatever the others say.
    if (mine.kind === 'failed' || mine.kind === 'disproved') return mine;
    await work(ask);
    const [was, is, rest] = await Promise.all([taken.get('before'), taken.get('after'), taken.get('second')]);
    const names = joinHalves(mine, await askAgain(rest, () => ask(halfOf(question, 'second'))));
    if (names.kind === 'failed' || names.kind === 'disproved') return names;
    const same = was?.kind === 'listed' && is?.kind === 'listed' ? findSame(was, is) : undefined;
    if (same !== undefined)
      return names.kind === 'proven' ? { ...names, ...same, ms: { ...same.ms, ...names.ms } } : names;
    const both = await ask({ ...question, part: 'diagnostics' });
    return both.kind === 'failed' ? both : joinReports(names, both);
  };
  return {
    question,
    finish,
    close: async () => {
      isClosed = true;
      await working;
      await Promise.all(started.map(({ close }) => close()));
    },
  };
}

function halfOf(question: ProofQuestion, half: 'first' | 'second'): ProofQuestion {
  return { ...question, part: 'names', half };
}

/** What another process has shown holds; whatever else it says, the first says it itself. */
async function askAgain(
  answer: Said | undefined,
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

/** The answers of two jobs that shared one proof, as if one had given it: what either disproves is disproved, and names come first. */
export function joinReports(names: ProofReport, diagnostics: ProofReport): ProofReport {
  if (names.kind === 'disproved') return names;
  if (diagnostics.kind === 'disproved') return diagnostics;
  if (names.kind === 'gaps' && diagnostics.kind === 'gaps') return joinGaps(names, diagnostics);
  if (names.kind === 'gaps') return names;
  if (diagnostics.kind === 'gaps') return diagnostics;
  const ms = { ...diagnostics.ms, ...names.ms, diagnostics: diagnostics.ms['diagnostics'] ?? 0 };
  return { ...names, diagnostics: diagnostics.diagnostics, ms };
}

/** The two halves of the names. */
function joinNames(first: ProofReport, second: ProofReport): ProofReport {
  if (first.kind !== 'proven' || second.kind !== 'proven') return joinReports(first, second);
  return { ...first, tokens: first.tokens + second.tokens };
}

type Gaps = Extract<ProofReport, { kind: 'gaps' }>;

/** What both found is told once; places beyond the limit stay a number. */
function joinGaps(names: Gaps, diagnostics: Gaps): Gaps {
  const keyOf = (gap: Gaps['places'][number]) => JSON.stringify(gap);
  const places = new Map([...names.places, ...diagnostics.places].map((gap) => [keyOf(gap), gap]));
  return { kind: 'gaps', places: [...places.values()], more: names.more + diagnostics.more };
}
