/** The façade for programs: `import { openWorkspace } from 'codegenie'`. Like the other clients it decides nothing. */

import { homedir } from 'node:os';
import { packageVersion } from '../../kernel/base/package-files.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import move from '../changes/move.ts';
import { planCancel, planCommit, planList, planShow, planUndo } from '../changes/plan-requests.ts';
import rename from '../changes/rename.ts';
import def from '../operations/def.ts';
import deps from '../operations/deps.ts';
import implementations from '../operations/implementations.ts';
import type { Operation } from '../operations/operation.ts';
import outline from '../operations/outline.ts';
import refs from '../operations/refs.ts';
import type { Answered } from '../operations/run-operation.ts';
import search from '../operations/search.ts';
import slice from '../operations/slice.ts';
import status from '../operations/status.ts';
import symbols from '../operations/symbols.ts';
import { locateRoot, openRoot } from '../workspace/open-workspace.ts';
import type { AskOutcome, ChangeOutcome } from '../workspace/workspace.ts';
import type { Facts, Gathered, OpenWorkspace, Problem } from './library-types.ts';

const requiredMajor = 24;
const waitedMs = 60_000;

export const openWorkspace: OpenWorkspace = async (path, options = {}) => {
  if (Number.parseInt(process.versions.node, 10) < requiredMajor)
    throw new Error(
      `codegenie as a library needs Node ${requiredMajor} or newer; its command line starts one by itself`,
    );
  const { environment = process.env, home = environment['HOME'] ?? homedir(), waitMs = waitedMs, onStep } = options;
  const closing = new AbortController();
  const signal = options.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, options.signal]);
  const settings = { home, environment, signal, nowMs: Date.now, pool: undefined, cliVersion: packageVersion() };
  const located = await locateRoot(path, process.cwd(), settings);
  if (located.kind !== 'located') throw new Error(`${located.path}: ${located.kind.replaceAll('_', ' ')}`);
  // For each call anew: a daemon may have come or gone.
  const open = () => openRoot(located, settings);

  const ask =
    <I, O extends object>(operation: Operation<I, O>) =>
    async (input: object = {}): Promise<Answered<O> | Problem> => {
      const workspace = await open();
      return answerOf(
        await workspace.ask(operation, input, {
          waitMs,
          onProgress: ({ step, done, total }) => onStep?.(`indexing: ${step} ${done} of ${total}`),
          onRefresh: (event) => {
            if (event.kind === 'job_started') onStep?.(`asking the compiler about ${event.context}`);
          },
        }),
      );
    };
  const change =
    <I, O extends AnyAnswer>(asked: Change<I, O>) =>
    async (input: object = {}): Promise<O | Problem> => {
      const workspace = await open();
      const step = (says: string) => onStep?.(says);
      return answerOf(await workspace.change(asked, input, { waitMs, onStep: step, onProgress: () => {} }));
    };

  return {
    root: located.root,
    async gather({ task = null, component } = {}): Promise<Gathered> {
      const gathered = await (await open()).gather({
        ...{ task, component, only: null, skip: [], mode: 'default', maxConcurrency: null },
        onProgress: (progress) => {
          if (progress.kind === 'started') onStep?.(`gathering: ${progress.probe}`);
        },
      });
      const says: unknown = 'message' in gathered ? gathered.message : 'detail' in gathered ? gathered.detail : null;
      return { outcome: gathered.kind, message: typeof says === 'string' ? says : null };
    },
    async facts({ id = null, scope = null, explain = false } = {}): Promise<Facts | Problem> {
      const answer = await (await open()).facts({ id, scope, explain });
      switch (answer.kind) {
        case 'facts':
          return answer;
        case 'unknown_id':
        case 'unknown_scope':
          return problem(
            answer.kind,
            `there is no ${answer.kind.slice('unknown_'.length)} '${answer.given}'`,
            answer.nearest,
          );
        case 'config_invalid':
          return problem('config_invalid', answer.problems.map(({ message }) => message).join('; '));
        case 'no_context':
        case 'broken_context':
          return problem(
            'no_context',
            `${answer.path}: ${answer.kind === 'no_context' ? 'not gathered yet' : answer.why}`,
          );
      }
    },
    search: ask(search),
    symbols: ask(symbols),
    outline: ask(outline),
    def: ask(def),
    refs: ask(refs),
    implementations: ask(implementations),
    deps: ask(deps),
    slice: ask(slice),
    status: ask(status),
    rename: change(rename),
    move: change(move),
    commit: change(planCommit),
    showPlan: change(planShow),
    undo: change(planUndo),
    cancel: change(planCancel),
    plans: change(planList),
    close: () => closing.abort(),
  };
};

type Unanswered = Exclude<AskOutcome<never> | ChangeOutcome<never>, { readonly kind: 'answered' }>;

function answerOf<A>(outcome: { readonly kind: 'answered'; readonly answer: A } | Unanswered): A | Problem {
  switch (outcome.kind) {
    case 'answered':
      return outcome.answer;
    case 'not_answered':
      return problem(outcome.problem.outcome, outcome.problem.message, outcome.problem.candidates);
    case 'busy':
      return problem('busy', outcome.message);
    case 'refused':
      return problem('output_refused', outcome.message);
    case 'config_invalid':
      return problem('config_invalid', outcome.problems.map(({ message }) => message).join('; '));
  }
}

function problem(outcome: Problem['outcome'], message: string, candidates: readonly string[] = []): Problem {
  return { outcome, message, candidates };
}
