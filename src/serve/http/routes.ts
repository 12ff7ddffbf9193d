/** The routes of surfaces.md §4, each made of the operation or the change that answers it. */

import { outcomeSince } from '../../gather/freshness/since.ts';
import type { GatherOutcome } from '../../gather/gather.ts';
import { AskedScopes } from '../../index/refresh/asked-scope.ts';
import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import move from '../changes/move.ts';
import { planCancel, planCommit, planFile, planList, planShow, planUndo } from '../changes/plan-requests.ts';
import rename from '../changes/rename.ts';
import { adviceOn, afterInterrupt } from '../operations/answer-words.ts';
import def from '../operations/def.ts';
import deps from '../operations/deps.ts';
import implementations from '../operations/implementations.ts';
import index from '../operations/index.ts';
import map from '../operations/map.ts';
import { changeHeads, heads, type Operation, RepoHead } from '../operations/operation.ts';
import outline from '../operations/outline.ts';
import refs from '../operations/refs.ts';
import search from '../operations/search.ts';
import slice from '../operations/slice.ts';
import status from '../operations/status.ts';
import symbols from '../operations/symbols.ts';
import text from '../operations/text.ts';
import { findInContext, nearestSections, readContext } from '../workspace/context-sections.ts';
import type { AskOptions, RepoFacts } from '../workspace/workspace.ts';
import { ChosenCandidate, isChosenCandidate, readChosen } from './chosen-candidate.ts';
import {
  anything,
  type Call,
  checkInput,
  defineRoute,
  failure,
  Refusal,
  type Reply,
  type Route,
  replyOf,
} from './route.ts';
import { workspaceRoutes } from './workspace-routes.ts';

/** Of what is told from a published context: `stale` where it may no longer be so. */
const outcome = z.enum(['ok', 'stale']);
const sinceAnswer = z
  .object({
    says: z.string(),
    files: z.array(z.string()),
    count: z.number(),
    sections: z.array(z.string()),
    perhaps: z.array(z.string()),
  })
  .nullable();

const names = z.array(z.string().min(1).max(100)).max(200);

const gatherRoute = defineRoute({
  method: 'POST',
  url: '/v1/gather',
  says: 'Run the probes and publish the context',
  input: strictInput({
    task: z.string().min(1).max(100).optional(),
    only: names.optional(),
    skip: names.optional(),
    component: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('only this directory of the tree, and what governs it from above'),
    cache: oneOf(['default', 'no_cache', 'cache_only']).optional(),
    max_concurrency: z.number().int().min(1).max(256).optional(),
  }),
  answer: z.object({
    outcome: z.literal('ok'),
    repo: RepoHead,
    component: z.string().nullable(),
    gather_status: z.string(),
    probe_failures: z.array(anything),
    not_looked: z.array(anything),
    warnings: z.array(anything),
    report_problem: z.string().nullable(),
    duration_ms: z.number(),
    files: anything,
  }),
  async run({ task, only, skip, component, cache, max_concurrency }, { workspace, tell }) {
    const outcome = await workspace.gather({
      task: task ?? null,
      only: only ?? null,
      skip: skip ?? [],
      component,
      mode: cache ?? 'default',
      maxConcurrency: max_concurrency ?? null,
      onProgress: (progress) => {
        if (progress.kind === 'settled') {
          const { probe, status, durationMs } = progress.execution;
          tell({ progress: { probe: probe.name, status, ms: Math.round(durationMs) } });
        } else if (progress.kind === 'started') tell({ progress: { probe: progress.probe, status: 'started' } });
        else if (progress.kind === 'first') tell({ progress: { status: 'published', files: progress.outcome.files } });
      },
    });
    return replyOfGather(outcome, workspace.repo());
  },
});

function replyOfGather(outcome: GatherOutcome, repo: RepoFacts): Reply {
  switch (outcome.kind) {
    case 'published': {
      const { envelope } = outcome;
      return {
        status: 200,
        body: {
          outcome: 'ok',
          repo: { ...repo, head: envelope.repo.git_commit },
          component: envelope.repo.component ?? null,
          gather_status: envelope.gather_status,
          probe_failures: envelope.probe_failures,
          not_looked: envelope.not_looked,
          warnings: envelope.warnings,
          report_problem: outcome.reportProblem,
          duration_ms: envelope.gather_duration_ms,
          files: outcome.files,
        },
      };
    }
    case 'nothing_produced':
      return failure(422, 'nothing_produced', 'no probe produced anything; the previous context, if any, is untouched');
    case 'config_invalid':
      return replyOf(outcome);
    case 'task_invalid':
      return failure(422, 'task_invalid', `task class ${outcome.detail}`);
    case 'unknown_probe': {
      const { name: given, nearest = null } = outcome;
      const body = new Refusal(400, 'invalid', 'there is no such probe', { field: 'only', given, nearest }).problem;
      return { status: 400, body };
    }
    case 'unknown_component': {
      const { given, nearest = null } = outcome;
      const body = new Refusal(400, 'invalid', 'there is no such directory', { field: 'component', given, nearest })
        .problem;
      return { status: 400, body };
    }
    case 'refused':
      return failure(409, 'output_refused', `cannot write ${outcome.path}: it ${outcome.why}${adviceOn(outcome)}`);
    case 'schema_invalid':
      return failure(500, 'schema_invalid', `the context does not fit its schema; written as ${outcome.file}`);
    case 'busy':
      return failure(503, 'busy', `another gather is publishing (${outcome.owner}); try again`);
    case 'cancelled':
      return failure(503, 'cancelled', afterInterrupt(outcome));
  }
}

/** A commit in few words, where the plan is called so. */
const { plan_id: planId, answers, request_id } = (planCommit.input as z.ZodType as z.ZodObject).shape;
const ShortCommit = strictInput({
  plan: planId as z.ZodType<string>,
  answers: answers as z.ZodType,
  request_id: request_id as z.ZodType,
});

/** Three forms of one request: options by the numbers of the questions; what a plan says it needs; one candidate and what was read, as in `ChosenCandidate`. */
const commitRoute: Route = {
  method: 'POST',
  url: '/v1/decisions/commit',
  also: ['/decisions/commit'],
  says: `${planCommit.says}; or \`selected_candidate_id\` and the evidence for it, where one question is asked`,
  params: [],
  input: z.union([ShortCommit, planCommit.input, ChosenCandidate]),
  answer: whole(changeHeads, planCommit.output),
  async run(given, call) {
    if (isChosenCandidate(given))
      return replyToChange(planCommit, readChosen(checkInput(ChosenCandidate, given)), call);
    if (!('plan' in given))
      return checked(planCommit.input, (input, inner) => replyToChange(planCommit, input, inner))(given, call);
    const { plan, ...rest } = checkInput(ShortCommit, given);
    return replyToChange(planCommit, { plan_id: plan, ...rest }, call);
  },
};

/** How long a question waits for an index that is being built, and a change for another one. */
const waitMs = { ask: 60_000, change: 10_000 } as const;

const navigations = { def, refs, implementations, deps, outline } as const;
const refactorings = { rename, move } as const;

export const routes: readonly Route[] = [
  askRoute('GET', '/v1/status', status),
  askRoute('POST', '/v1/search', search),
  askRoute('POST', '/v1/symbols', symbols),
  oneOfRoute(
    '/v1/navigate',
    'Definitions, references, implementations, imports or the outline of a file',
    navigations,
    heads,
    (operation, given, call) => replyToQuestion(operation as Operation<unknown, object>, given, call),
  ),
  askRoute('POST', '/v1/slice', slice),
  askRoute('POST', '/v1/text', text),
  askRoute('POST', '/v1/map', map),
  defineRoute({
    method: 'POST',
    url: '/v1/index',
    says: `${index.says}; with \`semantic\`, run indexers as well`,
    input: strictInput({
      semantic: z.boolean().optional(),
      again: z.boolean().optional(),
      /** With `semantic`, these files, packages or contexts alone, as a `blocked` answer suggests them. */
      scope: AskedScopes.optional(),
      /** How long indexers may take; as long as it takes without it. */
      wait_ms: z.number().int().min(0).max(3_600_000).optional(),
    }),
    answer: whole(heads, index.output),
    run({ semantic, again, scope: scopes, wait_ms }, call) {
      const isRun = semantic === true || scopes !== undefined;
      const refresh = { waitMs: wait_ms ?? null, again, scopes };
      return replyToQuestion(index, {}, call, isRun ? { refresh } : {});
    },
  }),
  gatherRoute,
  defineRoute({
    method: 'GET',
    url: '/v1/context/{section}',
    params: ['section'],
    says: 'A section of the gathered context, or a field of one by its dotted path',
    input: strictInput({ section: z.string().min(1).max(500) }),
    answer: z.object({ outcome, section: z.string(), value: z.unknown(), since: sinceAnswer }),
    async run({ section }, { workspace }) {
      const context = await readContext(workspace);
      if (context.kind !== 'context') return noContext(context);
      const value = section === 'envelope' ? context.envelope : findInContext(context.envelope, section);
      const { since } = context;
      const told = outcomeSince(since, section);
      // What is not there, and may be by now, is no wrong name.
      if (value !== undefined || told === 'stale')
        return { status: 200, body: { outcome: told, section, value: value ?? null, since } };
      const accepted = [...nearestSections(context, section)];
      const [nearest = null] = accepted;
      const problem = failure(404, 'not_found', 'section: the context has no such section').body as object;
      return { status: 404, body: { ...problem, field: 'section', given: section, accepted, nearest } };
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/report',
    says: 'The report of the last gather, with freshness judged from the disk of now; as text for `Accept: text/markdown`',
    input: strictInput({}),
    answer: z.object({ outcome, markdown: z.string(), freshness_now: anything, since: sinceAnswer }),
    async run(_, { workspace, accepts }) {
      const report = await workspace.report();
      if (report.kind !== 'report') return noContext(report);
      const { markdown, since } = report;
      if (accepts('text/markdown')) return { status: 200, body: markdown, type: 'text/markdown; charset=utf-8' };
      const body = { outcome: outcomeSince(since), markdown, freshness_now: report.freshnessNow, since };
      return { status: 200, body };
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/facts',
    says: 'Facts of the last gather: `id` is an id or how ids begin, `scope` a directory, a file or `file#part`; `explain` adds meaning and lines',
    input: strictInput({
      id: z.string().min(1).max(200).optional(),
      scope: z.string().min(1).max(4_096).optional(),
      explain: oneOf(['true', 'false']).optional(),
    }),
    answer: z.object({
      outcome,
      gathered_at: z.string().nullable(),
      since: sinceAnswer,
      facts: z.array(anything),
    }),
    async run({ id, scope, explain }, { workspace }) {
      const answer = await workspace.facts({ id: id ?? null, scope: scope ?? null, explain: explain === 'true' });
      switch (answer.kind) {
        case 'facts': {
          const { kind: _, component: __, ...body } = answer;
          return { status: 200, body };
        }
        case 'unknown_id':
        case 'unknown_scope': {
          const field = answer.kind === 'unknown_id' ? 'id' : 'scope';
          const { given, nearest: accepted } = answer;
          const more = { field, given, accepted: [...accepted], nearest: accepted[0] ?? null };
          return { status: 404, body: new Refusal(404, 'not_found', `${field}: there is no such one`, more).problem };
        }
        case 'no_context':
        case 'broken_context':
        case 'config_invalid':
          return noContext(answer);
      }
    },
  }),
  oneOfRoute(
    '/v1/plans',
    'Plan a change of code; with `apply`, commit it where nothing is left to ask',
    refactorings,
    changeHeads,
    (change, given, call) => replyToChange(change as unknown as Change<unknown, AnyAnswer>, given, call),
  ),
  changeRoute('POST', '/v1/renames', rename),
  changeRoute('GET', '/v1/plans', planList),
  changeRoute('GET', '/v1/plans/{plan_id}', planShow, ['plan_id']),
  commitRoute,
  changeRoute('POST', '/v1/plans/{plan_id}/file', planFile, ['plan_id']),
  changeRoute('POST', '/v1/plans/{plan_id}/cancel', planCancel, ['plan_id']),
  changeRoute('POST', '/v1/plans/{plan_id}/undo', planUndo, ['plan_id']),
  ...workspaceRoutes,
];

function askRoute<I, O extends object>(method: Route['method'], url: string, operation: Operation<I, O>): Route {
  const { says, input, output } = operation;
  return {
    method,
    url,
    says,
    params: [],
    input,
    answer: whole(heads, output),
    run: checked(input, (given, call) => replyToQuestion(operation, given, call)),
  };
}

function changeRoute<I, O extends AnyAnswer>(
  method: Route['method'],
  url: string,
  change: Change<I, O>,
  params: readonly string[] = [],
  also: readonly string[] = [],
): Route {
  const { says, input, output } = change;
  const run = checked(input, (given, call) => replyToChange(change, given, call));
  return { method, url, also, says, params, input, answer: whole(changeHeads, output), run };
}

/** One address for things that are alike: `kind` says which. */
function oneOfRoute<T extends { readonly input: z.ZodType; readonly output: z.ZodType }>(
  url: string,
  says: string,
  members: Readonly<Record<string, T>>,
  above: z.ZodType,
  act: (member: T, given: unknown, call: Call) => Promise<Reply>,
): Route {
  const kinds = Object.keys(members) as [string, ...string[]];
  const Kind = z.looseObject({ kind: oneOf(kinds) });
  const inputs: readonly z.ZodType[] = Object.entries(members).map(([kind, { input }]) =>
    (input as z.ZodType as z.ZodObject).extend({ kind: z.literal(kind) }),
  );
  return {
    method: 'POST',
    url,
    says,
    params: [],
    input: z.union(inputs),
    answer: z.union(Object.values(members).map(({ output }) => whole(above, output))),
    async run(given, call) {
      const { op, ...others } = given;
      // The tools for agents call it `op`; the route takes both names.
      const named = op === undefined || 'kind' in given ? given : { ...others, kind: op };
      const { kind } = checkKind(Kind, named);
      const member = members[kind] as T;
      const { kind: _, ...rest } = named;
      return checked(member.input, (input, inner) => act(member, input, inner))(rest, call);
    },
  };
}

/** An answer with what stands above every answer of its kind; closed objects can be joined, lists of them one by one. */
function whole(above: z.ZodType, output: z.ZodType): z.ZodType {
  if (output instanceof z.ZodUnion) return z.union(output.options.map((one) => whole(above, one as z.ZodType)));
  return z.intersection(above, output);
}

function checkKind(schema: z.ZodType<{ kind: string }>, given: unknown): { readonly kind: string } {
  return checkInput(schema, given);
}

/** Checks first, so that what is wrong is named before anything is opened; what was given is passed on as it came. */
function checked(schema: z.ZodType, act: (given: unknown, call: Call) => Promise<Reply>): Route['run'] {
  return async (given, call) => {
    checkInput(schema, given);
    return act(given, call);
  };
}

async function replyToQuestion<I, O extends object>(
  operation: Operation<I, O>,
  given: unknown,
  { workspace, tell }: Call,
  more: Pick<AskOptions, 'refresh'> = {},
): Promise<Reply> {
  const onProgress: AskOptions['onProgress'] = (progress) => tell({ progress });
  const options = { ...more, onProgress, waitMs: waitMs.ask, verify: 'named' } as const;
  return replyOf(await workspace.ask(operation, given, options), given);
}

async function replyToChange<I, O extends AnyAnswer>(
  change: Change<I, O>,
  given: unknown,
  { workspace, tell }: Call,
): Promise<Reply> {
  return replyOf(await workspace.change(change, given, { ...stepsOf({ tell }), waitMs: waitMs.change }), given);
}

function stepsOf({ tell }: Pick<Call, 'tell'>) {
  const onProgress: AskOptions['onProgress'] = (progress) => tell({ progress });
  return { onProgress, onStep: (says: string) => tell({ progress: { step: says } }) };
}

function noContext(
  answer:
    | { readonly kind: 'no_context'; readonly path: string }
    | { readonly kind: 'broken_context'; readonly path: string; readonly why: string }
    | Extract<Parameters<typeof replyOf>[0], { kind: 'config_invalid' }>,
): Reply {
  if (answer.kind === 'config_invalid') return replyOf(answer);
  return answer.kind === 'no_context'
    ? failure(404, 'no_context', `${answer.path} does not exist yet; POST /v1/gather makes it`)
    : failure(409, 'broken_context', `${answer.path} cannot be used (${answer.why}); POST /v1/gather makes it anew`);
}
