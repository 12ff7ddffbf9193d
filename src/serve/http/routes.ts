/** The routes of surfaces.md §4, each made of the operation or the mutation that answers it. */

import { z } from '../../kernel/base/schema.ts';
import { changeHeads, heads } from '../answer-heads.ts';
import { findInContext, nearestSections, readContext } from '../mcp/read-context.ts';
import move from '../mutations/move.ts';
import type { AnyAnswer, Mutation } from '../mutations/mutation.ts';
import planCancel from '../mutations/plan-cancel.ts';
import planCommit from '../mutations/plan-commit.ts';
import planList from '../mutations/plan-list.ts';
import planShow from '../mutations/plan-show.ts';
import planUndo from '../mutations/plan-undo.ts';
import rename from '../mutations/rename.ts';
import def from '../operations/def.ts';
import deps from '../operations/deps.ts';
import implementations from '../operations/implementations.ts';
import index from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import outline from '../operations/outline.ts';
import refs from '../operations/refs.ts';
import search from '../operations/search.ts';
import { oneOf, strictInput } from '../operations/shared/input.ts';
import slice from '../operations/slice.ts';
import status from '../operations/status.ts';
import symbols from '../operations/symbols.ts';
import type { AskOptions } from '../workspace.ts';
import { gatherRoute } from './gather-route.ts';
import { checkInput } from './problem.ts';
import { anything, type Call, defineRoute, failure, type Reply, type Route, replyOf } from './route.ts';
import { workspaceRoutes } from './workspace-routes.ts';

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
    (operation, given, call) => ask(operation as Operation<unknown, object>, given, call),
  ),
  askRoute('POST', '/v1/slice', slice),
  defineRoute({
    method: 'POST',
    url: '/v1/index',
    says: `${index.says}; with \`semantic\`, run indexers as well`,
    input: strictInput({
      semantic: z.boolean().optional(),
      again: z.boolean().optional(),
      /** How long indexers may take; as long as it takes without it. */
      wait_ms: z.number().int().min(0).max(3_600_000).optional(),
    }),
    answer: whole(heads, index.output),
    run: ({ semantic, again, wait_ms }, call) =>
      ask(index, {}, call, semantic === true ? { refresh: { waitMs: wait_ms ?? null, again } } : {}),
  }),
  gatherRoute,
  defineRoute({
    method: 'GET',
    url: '/v1/context/{section}',
    params: ['section'],
    says: 'A section of the gathered context, or a field of one by its dotted path',
    input: strictInput({ section: z.string().min(1).max(500) }),
    answer: z.object({ outcome: z.literal('ok'), section: z.string(), value: z.unknown() }),
    async run({ section }, { workspace }) {
      const context = await readContext(workspace);
      if (context.kind !== 'context') return noContext(context);
      const value = section === 'envelope' ? context.envelope : findInContext(context.envelope, section);
      if (value !== undefined) return { status: 200, body: { outcome: 'ok', section, value } };
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
    answer: z.object({ outcome: z.literal('ok'), markdown: z.string(), freshness_now: anything }),
    async run(_, { workspace, accepts }) {
      const report = await workspace.report();
      if (report.kind !== 'report') return noContext(report);
      const { markdown } = report;
      if (accepts('text/markdown')) return { status: 200, body: markdown, type: 'text/markdown; charset=utf-8' };
      return { status: 200, body: { outcome: 'ok', markdown, freshness_now: report.freshnessNow } };
    },
  }),
  oneOfRoute(
    '/v1/plans',
    'Plan a change of code; with `apply`, commit it where nothing is left to ask',
    refactorings,
    changeHeads,
    (mutation, given, call) => change(mutation as unknown as Mutation<unknown, AnyAnswer>, given, call),
  ),
  changeRoute('POST', '/v1/renames', rename),
  changeRoute('GET', '/v1/plans', planList),
  changeRoute('GET', '/v1/plans/{plan_id}', planShow, ['plan_id']),
  changeRoute('POST', '/v1/decisions/commit', planCommit, [], ['/decisions/commit']),
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
    run: checked(input, (given, call) => ask(operation, given, call)),
  };
}

function changeRoute<I, O extends AnyAnswer>(
  method: Route['method'],
  url: string,
  mutation: Mutation<I, O>,
  params: readonly string[] = [],
  also: readonly string[] = [],
): Route {
  const { says, input, output } = mutation;
  const run = checked(input, (given, call) => change(mutation, given, call));
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
      const { kind } = checkKind(Kind, given);
      const member = members[kind] as T;
      const { kind: _, ...rest } = given;
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

async function ask<I, O extends object>(
  operation: Operation<I, O>,
  given: unknown,
  { workspace, tell }: Call,
  more: Pick<AskOptions, 'refresh'> = {},
): Promise<Reply> {
  const onProgress: AskOptions['onProgress'] = (progress) => tell({ progress });
  return replyOf(await workspace.ask(operation, given, { ...more, onProgress, waitMs: waitMs.ask, verify: 'named' }));
}

async function change<I, O extends AnyAnswer>(
  mutation: Mutation<I, O>,
  given: unknown,
  { workspace, tell }: Call,
): Promise<Reply> {
  const onProgress: AskOptions['onProgress'] = (progress) => tell({ progress });
  const onStep = (says: string) => tell({ progress: { step: says } });
  return replyOf(await workspace.change(mutation, given, { onProgress, onStep, waitMs: waitMs.change }));
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
    : failure(409, 'broken_context', `${answer.path} cannot be read (${answer.why}); POST /v1/gather makes it anew`);
}
