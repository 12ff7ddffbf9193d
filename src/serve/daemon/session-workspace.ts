/**
 * The façade inside a daemon: the same answers as `workspace/local-workspace.ts`, from the open session. Made for each request, with the
 * request's own signal. What only reads files (`report`, `explain`, `audit`, `doctor`) is the local one's.
 */

import { randomBytes } from 'node:crypto';
import type { LentIndexers } from '../../gather/run/code-documents.ts';
import type { ReconcileOutcome } from '../../index/sync/reconcile.ts';
import { type CodeView, compilerLimits, runOf, settleWith } from '../../index/view/code-view.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { openPinnedView } from '../../index/view/pinned-view.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import { orAborted, type Turns, within } from '../../kernel/base/turns.ts';
import type { KeptCompilers } from '../../mutate/compiler/session/kept-compilers.ts';
import { outcomeKindOf } from '../changes/change.ts';
import { type ChangeRefresh, changeRefreshWith } from '../changes/change-refresh.ts';
import { planCancel } from '../changes/plan-requests.ts';
import type { RanChange } from '../changes/run-change.ts';
import { answerAndClose, answerFrom, readInput } from '../operations/run-operation.ts';
import {
  asStoreRefusal,
  createLocalWorkspace,
  type ReadySettings,
  readSessionSettings,
} from '../workspace/local-workspace.ts';
import type { LocalSettings, Workspace } from '../workspace/workspace.ts';
import type { DaemonCore, IndexerRuns } from './daemon-core.ts';
import type { EventHub } from './daemon-events.ts';
import type { Keeper } from './daemon-lifetime.ts';
import type { ProofJobs } from './proof-jobs.ts';
import { answerEarly, answerNamed, isAboutNamed } from './verify-then-answer.ts';

type SessionWorld = {
  /** Of the daemon; the request brings its own signal. */
  readonly settings: LocalSettings;
  readonly keeper: Keeper;
  readonly hub: EventHub;
  readonly changes: Turns;
  readonly proofs: ProofJobs;
  readonly compilers: KeptCompilers;
  readonly indexers: IndexerRuns;
  /** From how many files on a tree is a large one. */
  readonly largeTreeFiles: number;
};

export function createSessionWorkspace(world: SessionWorld, signal: AbortSignal): Workspace {
  const settings = { ...world.settings, signal };
  const { root } = settings;
  const { hub } = world;
  /** A gather has indexers run by the one who keeps the store. */
  const lend: LentIndexers = async (run, until) => {
    if (world.indexers === 'never') return undefined;
    const opened = await openCore(longestBuildMs);
    if (opened.kind !== 'ready') return undefined;
    const { core } = opened;
    const reconciled = await orAborted(core.session.reconcile('all'), until);
    const settled = await orAborted(settle(core, run, reconciled), until);
    return openPinnedView({ ...core, root, writer: core.identity, settled, reconciled });
  };
  // Loaded when it is asked for: most questions are about code.
  const local = createLocalWorkspace({ ...settings, lentIndexers: lend });

  /** The core of the configuration of now, waited for at most this long. */
  const openCore = async (waitMs: number) => {
    const ready = await readSessionSettings(settings, () => {});
    if (ready.kind === 'config_invalid') return ready;
    const opening = world.keeper.fitting(fitOf(ready));
    if (!(await within(opening, { waitMs, signal }))) {
      const message = `process ${process.pid} is building the index of ${root}; try again when it is done`;
      return { kind: 'busy' as const, message };
    }
    const opened = await opening;
    return opened.kind === 'open' ? { kind: 'ready' as const, ready, core: opened.core } : opened;
  };
  /** What can be read of the configuration of now while the core is being opened. */
  const peekEarly = async () => {
    if (world.keeper.peek() !== undefined) return undefined;
    const ready = await readSessionSettings(settings, () => {});
    return ready.kind === 'settings' ? world.keeper.peekEarly(fitOf(ready)) : undefined;
  };
  const refuse = (error: unknown) => {
    world.keeper.noteFailure(error);
    return asStoreRefusal(error, settings);
  };

  return {
    root,
    repo: () => ({ root, root_hash: sha256Hex(root).slice(0, 16), worktree: root, head: null, generation: null }),
    report: () => local.report(),
    explain: (field) => local.explain(field),
    facts: (ask) => local.facts(ask),
    audit: () => local.audit(),
    doctor: () => local.doctor(),
    async gather(ask) {
      hub.events.emit({ type: 'gather', state: 'started' });
      let outcome = 'failed';
      try {
        // Probes read the store beside the session, and wait for it to be as the disk is.
        const opened = await openCore(0).catch(() => undefined);
        if (opened?.kind === 'ready') await orAborted(opened.core.session.reconcile('all'), signal).catch(() => {});
        const gathered = await local.gather(ask);
        outcome = gathered.kind;
        return gathered;
      } finally {
        hub.events.emit({ type: 'gather', state: 'finished', outcome });
      }
    },
    async ask(operation, given, options) {
      const input = readInput(operation, given);
      if (isNotAnswered(input)) return { kind: 'not_answered', problem: input };
      if (options.refresh != null && world.indexers === 'never')
        return { kind: 'busy', message: `process ${process.pid} keeps the index and ${runsNoIndexers}` };
      const ends = [hub.progress.listen(options.onProgress)];
      if (options.onRefresh !== undefined) ends.push(hub.refreshes.listen(options.onRefresh));
      try {
        const { nowMs } = settings;
        const isNamed = options.verify === 'named' && isAboutNamed(operation, input.input);
        const named = {
          operation,
          input: input.input,
          root,
          signal,
          nowMs,
          largeTreeFiles: world.largeTreeFiles,
          mayAsk: world.indexers !== 'never',
        };
        const early = isNamed ? await peekEarly() : undefined;
        const soon = early === undefined ? undefined : await answerEarly(named, early);
        if (soon !== undefined) return soon;
        const opened = await openCore(options.waitMs);
        if (opened.kind !== 'ready') return opened;
        const { core } = opened;
        const quick = isNamed ? await answerNamed(named, core) : undefined;
        if (quick !== undefined) return quick;
        const run = options.refresh ?? null;
        const mayLook = run === null && (operation.semantic !== true || core.refresher.isCaughtUp());
        const beside = mayLook && core.session.hold.isLent ? await openBeside(core, signal) : undefined;
        if (beside !== undefined) {
          // What is being imported may be what it lacks: the answer then says that it is on its way.
          try {
            return await answerFrom(operation, input.input, beside, { signal, nowMs });
          } finally {
            await beside.close();
          }
        }
        const reconciled = await orAborted(core.session.reconcile('all'), signal);
        const settled =
          operation.semantic === true ? await orAborted(settle(core, run, reconciled), signal) : undefined;
        const pinned = await openPinnedView({ ...core, root, writer: core.identity, settled, reconciled });
        const view = world.indexers === 'never' ? pinned : catchingUp(pinned, core, { root, signal });
        return await answerAndClose(operation, input.input, view, { signal, nowMs });
      } catch (error) {
        return refuse(error);
      } finally {
        for (const end of ends) end();
      }
    },
    async change(change, given, options) {
      const input = readInput(change, given);
      if (isNotAnswered(input)) return { kind: 'not_answered', problem: input };
      const ends = [
        hub.progress.listen(options.onProgress),
        hub.refreshes.listen((event) => {
          if (event.kind === 'job_started') options.onStep(`indexing ${event.context}`);
        }),
      ];
      try {
        type Outcome = RanChange<ReturnType<typeof change.output.parse>>;
        const request = canonicalJson([change.name, JSON.parse(JSON.stringify(input.input)) as Json]);
        const under = await askProof<Outcome>(world.proofs, change.name, request, input.input, signal);
        if (under !== undefined) return under;
        const opened = await openCore(options.waitMs);
        if (opened.kind !== 'ready') return opened;
        const { runChange } = await import('../changes/run-change.ts');
        const tell = (outcome: Outcome): Outcome => {
          if (outcome.kind !== 'answered') return outcome;
          const { answer } = outcome;
          const plan_id = planIdOf(answer.outcome);
          hub.events.emit({ type: 'plan', request: change.name, outcome: outcomeKindOf(answer), plan_id });
          return outcome;
        };
        const outcome = await world.changes.take({ waitMs: options.waitMs, signal }, () =>
          world.proofs.run<Outcome>(request, signal, async (job) => {
            const { proofs } = job;
            return tell(
              await runChange(
                change,
                given,
                {
                  ...opened.ready.settings,
                  waitMs: options.waitMs,
                  signal: job.signal,
                  onProgress: () => {},
                  // Who was answered does not listen any more.
                  onStep: (says) => void (job.isDetached() || options.onStep(says)),
                  random: () => randomBytes(8).toString('hex'),
                  semantic: opened.ready.semantic,
                  trusted: opened.ready.trusted,
                  planLifeMs: opened.ready.planLifeMs,
                  kept: world.compilers,
                  changeRefresh: patient(opened.core, world.indexers, job.signal),
                  longProofs: {
                    ...proofs,
                    detach: (of) => proofs.detach({ ...of, outcome: tell(of.outcome as Outcome) }),
                  },
                },
                opened.core.session,
              ),
            );
          }),
        );
        return (
          outcome ?? { kind: 'busy', message: `another change of ${root} is under way; try again when it is done` }
        );
      } catch (error) {
        return refuse(error);
      } finally {
        for (const end of ends) end();
      }
    },
  };
}

/**
 * Where a proof goes on that this is about: its answer, which may be that it still goes on. Undefined where there is none, or none any more,
 * and the request is to be run.
 */
async function askProof<T>(
  proofs: ProofJobs,
  change: string,
  request: string,
  input: unknown,
  signal: AbortSignal,
): Promise<T | undefined> {
  const same = proofs.ofRequest(request);
  if (same !== undefined) return (await same.answer(signal)) as T;
  const planId = typeof input === 'object' && input !== null && 'plan_id' in input ? String(input.plan_id) : '';
  const job = proofs.ofPlan(planId);
  if (job === undefined) return undefined;
  if (change === planCancel.name) {
    await orAborted(job.stop(), signal);
    return undefined;
  }
  const answer = (await job.answer(signal)) as T;
  return job.isOver() ? undefined : answer;
}

/** P1: contexts and the queue are brought up to date with what was reconciled; indexers run only where the request waits for them. */
async function settle(core: DaemonCore, run: Parameters<typeof settleWith>[2], reconciled: ReconcileOutcome) {
  await core.settled;
  if (run !== null) return settleWith(core.refresher, core.session, run);
  // Questions that shared a reconcile share what follows from it.
  const noted = noting.get(reconciled) ?? core.refresher.noteReconciled();
  noting.set(reconciled, noted);
  await noted;
  return { refreshed: null, contextProblems: core.contextProblems() };
}

/** Jobs go on when a question stops waiting for them. */
function catchingUp(
  view: CodeView,
  core: DaemonCore,
  of: { readonly root: string; readonly signal: AbortSignal },
): CodeView {
  const { root, signal } = of;
  return {
    ...view,
    async catchUp(contexts) {
      await view.close();
      const settled = await orAborted(
        settleWith(core.refresher, core.session, runOf(contexts, compilerLimits.daemon)),
        signal,
      );
      return catchingUp(await openPinnedView({ ...core, root, writer: core.identity, settled }), core, of);
    },
  };
}

const noting = new WeakMap<ReconcileOutcome, Promise<void>>();

/**
 * While an import holds the store it cannot be reconciled: what differs from the disk is then named. A question that needs compiler facts is
 * answered so only where contexts are those of the stored files (T7), because others could not be stored now.
 */
async function openBeside(core: DaemonCore, signal: AbortSignal): Promise<CodeView | undefined> {
  const opening = core.beside.open(core.session.facts.writer.generation);
  try {
    return await orAborted(opening, signal);
  } catch (error) {
    // A client that has gone does not close it any more.
    opening.then((view) => view?.close()).catch(() => {});
    throw error;
  }
}

/** How long a gather waits for a store that is being built. */
const longestBuildMs = 60_000;

const runsNoIndexers = 'was started with --syntactic-only: it runs no indexers; `codegenie daemon stop` ends it';

/** A refresher that others use too: who goes away stops waiting for it, and stops nothing. */
function patient(core: DaemonCore, indexers: IndexerRuns, signal: AbortSignal): ChangeRefresh {
  const { discover, refresh } = changeRefreshWith(core.refresher);
  return {
    discover: () =>
      orAborted(
        core.settled.then(() => discover()),
        signal,
      ),
    refresh: indexers === 'never' ? undefined : (asks, waitMs) => orAborted(refresh(asks, waitMs), signal),
  };
}

/** What a core was opened with, as far as the configuration decides it. */
export function fitOf({ settings, semantic }: ReadySettings): string {
  const { toolPaths, maxFileMb, typeScriptIndexer, extraProjects } = semantic;
  const extensions = [...settings.extraExtensions].sort();
  return JSON.stringify([extensions, toolPaths, maxFileMb, typeScriptIndexer, extraProjects]);
}

function planIdOf(outcome: unknown): string | null {
  const plan = typeof outcome === 'object' && outcome !== null && 'plan' in outcome ? outcome.plan : null;
  const id = typeof plan === 'object' && plan !== null && 'id' in plan ? plan.id : null;
  return typeof id === 'string' ? id : null;
}
