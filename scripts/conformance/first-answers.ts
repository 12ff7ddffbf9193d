/**
 * The same questions about one tree before, while and after its indexers run (code-plane.md §9): what is answered early may be less than the
 * whole, and never claims to be it. The indexers wait at a gate, so that nothing depends on how fast they are.
 */

import { createQuestion } from '../../src/index/navigate/question.ts';
import { connectParts } from '../../src/index/refresh/refresh-wiring.ts';
import { createRefresher } from '../../src/index/refresh/refresher.ts';
import { isLive, listContexts } from '../../src/index/store/stored-contexts.ts';
import { listAllPaths } from '../../src/index/store/stored-files.ts';
import { type IndexSession, openIndexSession } from '../../src/index/sync/index-session.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { isJavaScript } from '../../src/languages/language-family.ts';
import def from '../../src/serve/operations/def.ts';
import implementations from '../../src/serve/operations/implementations.ts';
import type { KnownCount, Operation } from '../../src/serve/operations/operation.ts';
import refs from '../../src/serve/operations/refs.ts';
import { answerFrom, type OperationOutcome, runOperation } from '../../src/serve/operations/run-operation.ts';
import { quietSettings } from './case-tree.ts';

const operations = { refs, def, implementations } as const;
type Asked = { readonly op: keyof typeof operations; readonly target: string };
type Said =
  | { readonly places: ReadonlySet<string>; readonly count: KnownCount; readonly isLacking: boolean }
  | { readonly outcome: string };

export const phases = ['before', 'running', 'half', 'asked'] as const;
type Phase = (typeof phases)[number];

export type FirstAnswers = {
  readonly questions: number;
  readonly contexts: number;
  /** Of each phase: answers that say `eq`, that say less than the whole and so, that equal the one when all is indexed; what is wrong. */
  readonly phases: Readonly<Record<Phase, Tally>>;
  readonly wrong: readonly string[];
};
type Tally = { asked: number; exact: number; partial: number; unknown: number; whole: number; wrong: number };

/** How many of the questions are asked of a program that has to ask the compiler itself, each of an index without compiler facts. */
const askedAlone = 3;

export async function compareFirstAnswers(
  root: string,
  makeStateDir: () => string,
  wanted: number,
  isGit: boolean,
): Promise<FirstAnswers> {
  const signal = new AbortController().signal;
  const stateDir = makeStateDir();
  const opened = await openIndexSession(quietSettings(root, stateDir, isGit, signal));
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  const { session } = opened;
  const indexing = gatedIndexers(session, root, stateDir, signal);
  try {
    await indexing.refresher.refreshContexts();
    await indexing.refresher.enqueueUnsettled('conformance');
    const contexts = session.facts.read((moment) => listContexts(moment).filter(isLive).length);
    const questions = await chooseQuestions(session, root, wanted, signal);
    const askAll = () => askEach(questions, (one) => askIn(session, root, one, signal));
    const said: { -readonly [name in Phase]?: ReadonlyMap<Asked, Said> } = {};
    said.before = await askAll();
    const run = indexing.refresher.runUntilIdle({ skipGuard: true, waitMs: null });
    await indexing.waiting();
    said.running = await askAll();
    await indexing.letThrough(Math.ceil(contexts / 2));
    said.half = await askAll();
    await indexing.letThrough(null);
    const { failed } = await run;
    for (const { context, failure, detail } of failed) console.log(`${context}: ${failure}: ${detail}`);
    const after = await askAll();
    const spread = Array.from(
      { length: askedAlone },
      (_, at) => questions[Math.floor((at * questions.length) / askedAlone)],
    );
    said.asked = await askEach(
      spread.filter((one) => one !== undefined),
      (one) => askAlone(root, makeStateDir(), isGit, one, signal),
    );
    return judge(questions.length, contexts, said as Record<Phase, ReadonlyMap<Asked, Said>>, after);
  } finally {
    await indexing.refresher.close();
    await session.close();
  }
}

/** The real ones, each of which begins when it is let through. */
function gatedIndexers(session: IndexSession, root: string, stateDir: string, signal: AbortSignal) {
  const world = {
    root,
    stateDir,
    cacheDir: stateDir,
    environment: process.env,
    signal,
    nowMs: Date.now,
    toolPaths: {},
    maxFileMb: 4,
  };
  const parts = connectParts(world);
  let [room, ended, atGate] = [0, 0, 0];
  const listeners: (() => void)[] = [];
  const ring = () => {
    for (const wake of listeners.splice(0)) wake();
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => listeners.push(resolve));
  };
  const refresher = createRefresher({
    ...world,
    session,
    owner: 'first-answers',
    onEvent: (event) => {
      if (event.kind === 'job_finished') ended += 1;
      ring();
    },
    parts: {
      async runIndexer(adapter, context, place) {
        atGate += 1;
        ring();
        await until(() => room > 0);
        room -= 1;
        return parts.runIndexer(adapter, context, place);
      },
    },
  });
  return {
    refresher,
    waiting: () => until(() => atGate > 0),
    /** So many of them, and waits until they have ended; null: all that come. */
    async letThrough(count: number | null) {
      if (count === null) room = Number.POSITIVE_INFINITY;
      else room = count;
      const goal = ended + (count ?? 0);
      ring();
      await until(() => ended >= goal);
    },
  };
}

/** Names in code, the same ones each time: spread over all files, and over a file. */
async function chooseQuestions(
  session: IndexSession,
  root: string,
  wanted: number,
  signal: AbortSignal,
): Promise<readonly Asked[]> {
  const view = await openSessionView(root, session, 'none');
  const question = createQuestion(view, { nowMs: () => 0, signal });
  const files = view.read(listAllPaths).filter((path) => isJavaScript(question.file(path)?.language ?? ''));
  const ops = ['refs', 'refs', 'def', 'refs', 'implementations'] as const;
  const asked: Asked[] = [];
  // A step that has no factor in common with their number visits each once.
  const step = Math.max(1, Math.floor(files.length * 0.618)) | 1;
  for (let turn = 0; asked.length < wanted && turn < wanted * 3 && files.length > 0; turn += 1) {
    const path = files[(turn * step) % files.length] as string;
    const facts = await question.facts(path);
    const names = facts?.tokens.filter((token) => token.class === 'code') ?? [];
    const token = names[Math.floor(names.length * ((turn * 0.377) % 1))];
    if (facts === undefined || token === undefined) continue;
    const { line, column } = facts.toLineColumn(token.start);
    asked.push({ op: ops[asked.length % ops.length] as Asked['op'], target: `${path}:${line + 1}:${column + 1}` });
  }
  return asked;
}

async function askEach(questions: readonly Asked[], ask: (one: Asked) => Promise<Said>): Promise<Map<Asked, Said>> {
  const said = new Map<Asked, Said>();
  for (const one of questions) said.set(one, await ask(one));
  return said;
}

/** Of the store as it is: what is not there is not brought. */
async function askIn(session: IndexSession, root: string, { op, target }: Asked, signal: AbortSignal): Promise<Said> {
  const view = await openSessionView(root, session, 'sweep');
  const operation = operations[op] as unknown as Operation<unknown, Answer>;
  return read(await answerFrom(operation, { target, limit: 10_000 }, view, { nowMs: Date.now, signal }));
}

/** As a command asks. */
async function askAlone(root: string, stateDir: string, isGit: boolean, { op, target }: Asked, signal: AbortSignal) {
  const semantic = { toolPaths: {}, maxFileMb: 4, run: null, onEvent: () => {} };
  const settings = { ...quietSettings(root, stateDir, isGit, signal), semantic };
  const operation = operations[op] as unknown as Operation<unknown, Answer>;
  return read(await runOperation(operation, { target, limit: 10_000 }, settings));
}

type Answer = {
  readonly count: KnownCount;
  readonly files?: readonly { readonly path: string; readonly hits: readonly Spot[] }[];
  readonly definitions?: readonly (Spot & { readonly path: string })[];
  readonly implementations?: readonly (Spot & { readonly path: string })[];
};
type Spot = { readonly line: number; readonly col: number };

function read(outcome: OperationOutcome<Answer>): Said {
  if (outcome.kind !== 'answered')
    return { outcome: outcome.kind === 'not_answered' ? outcome.problem.outcome : outcome.kind };
  const { count, freshness, files = [], definitions = [], implementations: found = [] } = outcome.answer;
  const hits = files.flatMap(({ path, hits }) => hits.map((hit) => ({ ...hit, path })));
  return {
    count,
    isLacking: freshness.missing !== undefined,
    places: new Set([...hits, ...definitions, ...found].map((at) => `${at.path}:${at.line}:${at.col}`)),
  };
}

function judge(
  questions: number,
  contexts: number,
  said: Readonly<Record<Phase, ReadonlyMap<Asked, Said>>>,
  after: ReadonlyMap<Asked, Said>,
): FirstAnswers {
  const wrong: string[] = [];
  const judged = phases.map((phase) => {
    const tally: Tally = { asked: 0, exact: 0, partial: 0, unknown: 0, whole: 0, wrong: 0 };
    for (const [{ op, target }, early] of said[phase]) {
      tally.asked += 1;
      const late = after.get([...after.keys()].find((one) => one.op === op && one.target === target) as Asked);
      const why = late === undefined ? 'it is not answered later' : whyWrong(phase, early, late);
      if (why !== undefined) wrong.push(`${phase}: ${op} ${target}: ${why}`);
      if (why !== undefined) tally.wrong += 1;
      if ('outcome' in early) continue;
      if (early.count.value === null) tally.unknown += 1;
      else tally[early.count.relation === 'eq' ? 'exact' : 'partial'] += 1;
      if (late !== undefined && !('outcome' in late) && isSame(early.places, late.places)) tally.whole += 1;
    }
    return [phase, tally] as const;
  });
  return { questions, contexts, phases: Object.fromEntries(judged) as Record<Phase, Tally>, wrong };
}

function whyWrong(phase: Phase, early: Said, late: Said): string | undefined {
  if ('outcome' in early || 'outcome' in late) {
    const [a, b] = [early, late].map((said) => ('outcome' in said ? said.outcome : 'ok'));
    return a === b ? undefined : `${a}, and ${b} when all is indexed`;
  }
  const { value, relation } = early.count;
  const isWhole = isSame(early.places, late.places);
  if (relation === 'eq' && !isWhole) return `eq ${value}, and ${late.places.size} places when all is indexed`;
  // A local is known by scope. What other files may mean is not, before a compiler has said it.
  if (
    phase !== 'half' &&
    relation === 'eq' &&
    early.isLacking &&
    new Set([...early.places].map((place) => place.split(':')[0])).size > 1
  )
    return `eq ${value} in several files, of which compiler facts are missing`;
  if (value === 0 && (late.places.size > 0 || late.count.value !== 0)) return 'zero, and something when all is indexed';
  // What is reckoned to take too long is not asked, and said.
  if (phase === 'asked' && early.isLacking) return undefined;
  if (phase === 'asked' && (!isWhole || relation !== late.count.relation))
    return `${relation} ${value} by asking the compiler, ${late.count.relation} ${late.count.value} when all is indexed`;
  return undefined;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((place) => b.has(place));
}
