/**
 * One request for a change from its words to its answer: checks the input, becomes the writer of the root, finishes or takes back what
 * an earlier change left half done, compares every file with the disk, and only then asks. M2: whatever the surface, this is the door.
 */

import type { SemanticSettings } from '../../index/refresh/refresher.ts';
import { type IndexSession, openIndexSession, type SessionSettings } from '../../index/sync/index-session.ts';
import { type CodeView, openSessionView, readText } from '../../index/view/code-view.ts';
import { isNotAnswered, type NotAnswered } from '../../index/view/not-answered.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import type { z } from '../../kernel/base/schema.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import type { Answer } from '../../mutate/answer.ts';
import type { KeptCompilers } from '../../mutate/compiler/session/kept-compilers.ts';
import type { StartedCompiler } from '../../mutate/compiler/session/open-compiler.ts';
import type { PlanStore } from '../../mutate/plans/plan-store.ts';
import type { LongProofs, MutationWorld } from '../../mutate/world.ts';
import { whyRefused } from '../operations/answer-words.ts';
import type { Freshness, RepoHead } from '../operations/operation.ts';
import { describeFreshness, describeRepo, readInput } from '../operations/run-operation.ts';
import type { AnyAnswer, Change, SourceLines } from './change.ts';
import { type ChangeRefresh, createChangeRefresh } from './change-refresh.ts';

export type Changed<O> = O & { readonly repo: z.infer<typeof RepoHead>; readonly freshness: Freshness };

export type RanChange<O> =
  | { readonly kind: 'answered'; readonly answer: Changed<O>; readonly look: SourceLines }
  | { readonly kind: 'not_answered'; readonly problem: NotAnswered }
  | { readonly kind: 'busy'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

export type ChangeSettings = SessionSettings & {
  /** How long to wait for another writer to end. */
  readonly waitMs: number;
  readonly random: () => string;
  /** One line for the caller who waits. */
  readonly onStep: (says: string) => void;
  /** The session was opened for this request, and has just compared every file with the disk. */
  readonly isFresh?: boolean | undefined;
  /** Instead of a new compiler for each request: for a caller with many questions about one tree. */
  readonly openCompiler?: MutationWorld['openCompiler'] | undefined;
  /** Compilers of a daemon, which the next request finds as this one leaves them. */
  readonly kept?: KeptCompilers | undefined;
  /** Without it no indexer is run, and a change that rests on one waits for another process. */
  readonly semantic?: Omit<SemanticSettings, 'onEvent'> | undefined;
  /** The indexers of a daemon, which runs them in the background. */
  readonly changeRefresh?: ChangeRefresh | undefined;
  /** `rename.trust` of this root. */
  readonly trusted?: ReadonlySet<string> | undefined;
  /** Instead of writing. */
  readonly handOver?: MutationWorld['handOver'];
  /** `plans.life_hours`; a day where nothing is said. */
  readonly planLifeMs?: number | undefined;
  /** Where a proof may outlast the request. */
  readonly longProofs?: LongRequests | undefined;
};

type LongRequests = Omit<LongProofs, 'detach'> & {
  readonly detach: (of: {
    readonly planId: string;
    readonly operation: string;
    readonly outcome: RanChange<Answer>;
  }) => void;
};

export async function runChange<I, O extends AnyAnswer>(
  change: Change<I, O>,
  given: unknown,
  settings: ChangeSettings,
  /** Without it one is opened for the request. */
  session?: IndexSession,
): Promise<RanChange<O>> {
  const input = readInput(change, given);
  if (isNotAnswered(input)) return { kind: 'not_answered', problem: input };
  const early = change.asksCompiler?.(input.input) === true ? await startEarly(settings) : undefined;
  try {
    const withEarly = { ...settings, openCompiler: settings.openCompiler ?? early?.open };
    if (session !== undefined) return await runWithPlans(change, input.input, session, withEarly);
    return await runAlone(change, input.input, { ...withEarly, isFresh: true });
  } finally {
    await early?.close();
  }
}

/** The compiler's process loads while the index is opened and compared with the disk: most requests need both. */
async function startEarly(settings: ChangeSettings) {
  const { root, environment, signal, kept } = settings;
  const { openCompiler, startCompiler } = await import('../../mutate/compiler/session/open-compiler.ts');
  let started: StartedCompiler | undefined = startCompiler({ root, environment, signal, kept });
  const open: MutationWorld['openCompiler'] = (programs) => {
    const ready = started;
    started = undefined;
    return ready?.open(programs) ?? openCompiler({ root, programs, environment, signal, kept });
  };
  return { open, close: async () => started?.close() };
}

async function runAlone<I, O extends AnyAnswer>(
  change: Change<I, O>,
  input: I,
  settings: ChangeSettings,
): Promise<RanChange<O>> {
  const opened = await openIndexSession(settings);
  if (opened.kind === 'busy') {
    const who = opened.holder === null ? 'another process' : `process ${opened.holder.pid}`;
    return {
      kind: 'busy',
      message: `${who} keeps the index of ${settings.root}, and only one may change code; stop it, or wait for it`,
    };
  }
  if (opened.kind === 'refused') return { kind: 'refused', message: whyRefused(opened) };
  const { session } = opened;
  try {
    return await runWithPlans(change, input, session, settings);
  } finally {
    await session.close();
  }
}

async function runWithPlans<I, O extends AnyAnswer>(
  change: Change<I, O>,
  input: I,
  session: IndexSession,
  settings: ChangeSettings,
): Promise<RanChange<O>> {
  const { openPlanStore } = await import('../../mutate/plans/plan-store.ts');
  const { openSeal } = await import('../../mutate/apply/seal.ts');
  const { root, stateDir, environment } = settings;
  const stored = openPlanStore(stateDir, openSeal({ root, home: environment['HOME'] }));
  if (stored.kind === 'refused') return { kind: 'refused', message: whyRefused(stored) };
  if (stored.kind === 'unusable') {
    const path = `${settings.stateDir}/state/ledger.db`;
    return { kind: 'refused', message: whyRefused({ path, why: stored.detail }) };
  }
  try {
    return await runInSession(change, input, session, stored.plans, settings);
  } finally {
    stored.plans.close();
  }
}

/** In the open session, which stays open. */
export async function runInSession<I, O extends AnyAnswer>(
  change: Change<I, O>,
  input: I,
  session: IndexSession,
  plans: PlanStore,
  settings: ChangeSettings,
): Promise<RanChange<O>> {
  const { root } = settings;
  const isSemantic = typeof change.semantic === 'function' ? change.semantic(input) : change.semantic === true;
  const semantic = isSemantic ? settings.semantic : undefined;
  const opened = await openWorld(session, plans, { ...settings, semantic });
  const { longProofs } = settings;
  const world: MutationWorld = {
    ...opened,
    longProofs: longProofs && {
      ...longProofs,
      detach({ answer: output, ...of }) {
        const answer = { ...output, repo: describeRepo(opened.view), freshness: describeFreshness(opened.view) };
        longProofs.detach({ ...of, outcome: { kind: 'answered', answer, look: openSourceLines(root) } });
      },
    },
  };
  const output = await change.run(world, input);
  // A request that was stopped gets no answer, unless it has written.
  if (!hasWritten(output)) settings.signal.throwIfAborted();
  const now = await openSessionView(root, session, 'none').catch((error: unknown) => {
    // Also where the index cannot say any more what it is like now.
    if (!hasWritten(output)) throw error;
    return world.view;
  });
  // A commit moves the generation on; what was compared with the disk before it, was.
  const view: CodeView = { ...now, swept: world.view.swept };
  const answer = { ...output, repo: describeRepo(view), freshness: describeFreshness(view) };
  return { kind: 'answered', answer, look: openSourceLines(root) };
}

export async function openWorld(
  session: IndexSession,
  plans: PlanStore,
  settings: ChangeSettings,
): Promise<MutationWorld> {
  const { root, stateDir, signal, nowMs, environment, kept } = settings;
  const { openCompiler } = await import('../../mutate/compiler/session/open-compiler.ts');
  const { recoverJournals } = await import('../../mutate/apply/recover.ts');
  const home = environment['HOME'];
  const { recovered } = recoverJournals({ root, home, stateDir, plans, nowMs });
  for (const { planId, to } of recovered) settings.onStep(`plan ${planId} was interrupted; now it is ${to}`);
  const sweep = () => openSessionView(root, session, 'sweep');
  const isSwept = settings.isFresh === true && recovered.length === 0;
  let view = isSwept ? await openSessionView(root, session, 'first') : await sweep();
  const { resumePatch } = await import('../../mutate/apply/patch-facts.ts');
  const { patched } = await resumePatch({ session, plans, root, stateDir, settings, nowMs, signal });
  if (patched.length > 0) view = await sweep();
  const { semantic } = settings;
  const refreshing =
    semantic === undefined
      ? undefined
      : (settings.changeRefresh ?? createChangeRefresh(session, { ...settings, semantic }));
  await refreshing?.discover();
  return {
    session,
    view,
    sweep,
    settings,
    root,
    home,
    stateDir,
    rootHash: sha256Hex(root).slice(0, 16),
    worktree: root,
    plans,
    nowMs,
    random: settings.random,
    signal,
    openCompiler: settings.openCompiler ?? ((programs) => openCompiler({ root, programs, environment, signal, kept })),
    refresh: refreshing?.refresh,
    trusted: settings.trusted,
    handOver: settings.handOver,
    planLifeMs: settings.planLifeMs,
    onProgress: settings.onStep,
  };
}

function hasWritten({ outcome }: AnyAnswer): boolean {
  return outcome !== 'ok' && 'state' in outcome && outcome.state !== 'planned';
}

export function openSourceLines(root: string): SourceLines {
  const known = new Map<string, readonly string[]>();
  return {
    line(path, line) {
      let lines = known.get(path);
      if (lines === undefined) {
        lines = readText(root, path)?.text.split(/\r\n|\n|\r/) ?? [];
        known.set(path, lines);
      }
      const text = lines[line - 1];
      // P8: what is printed ends up in logs.
      return text === undefined ? undefined : redactString(text, { entropy: false }).text;
    },
  };
}
