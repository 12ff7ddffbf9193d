/**
 * The façade itself, method by method, for codegenie's own clients (`workspace/remote-workspace.ts`): every ending comes as the value that
 * the façade gives, not as a status.
 */

import { AskedScope } from '../../index/refresh/asked-scope.ts';
import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import { changes } from '../changes/changes.gen.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.gen.ts';
import { packGather, packProgress, packRefresh } from '../workspace/wire.ts';
import { anything, defineRoute, type Reply, type Route } from './route.ts';

const waitMs = z.number().int().min(0).max(3_600_000);
const operationNames = operations.map(({ name }) => name) as [string, ...string[]];
const changeNames = changes.map(({ name }) => name) as [string, ...string[]];
const names = z.array(z.string().min(1).max(100)).max(200);

const own = (method: string) => ({
  method: 'POST' as const,
  url: `/v1/workspace/${method}`,
  says: `The façade's \`${method}\`, for codegenie's own clients`,
  answer: anything,
});

export const workspaceRoutes: readonly Route[] = [
  defineRoute({
    ...own('ask'),
    input: strictInput({
      operation: oneOf(operationNames),
      input: z.unknown(),
      wait_ms: waitMs,
      verify: z.enum(['all', 'named']).optional(),
      refresh: z
        .strictObject({
          wait_ms: waitMs.nullable(),
          again: z.boolean().optional(),
          scopes: z.array(AskedScope).max(200).optional(),
        })
        .nullable(),
    }),
    async run({ operation: name, input, wait_ms, refresh, verify }, { workspace, tell }) {
      const operation = operations.find((one) => one.name === name) as Operation<unknown, object>;
      const outcome = await workspace.ask(operation, input, {
        onProgress: (progress) => tell({ progress }),
        onRefresh: (event) => tell({ refresh: packRefresh(event) }),
        waitMs: wait_ms,
        verify,
        ...(refresh === null
          ? {}
          : { refresh: { waitMs: refresh.wait_ms, again: refresh.again, scopes: refresh.scopes } }),
      });
      return value(outcome);
    },
  }),
  defineRoute({
    ...own('change'),
    input: strictInput({ mutation: oneOf(changeNames), input: z.unknown(), wait_ms: waitMs }),
    async run({ mutation: name, input, wait_ms }, { workspace, tell }) {
      const change = changes.find((one) => one.name === name) as unknown as Change<unknown, AnyAnswer>;
      const outcome = await workspace.change(change, input, {
        onProgress: (progress) => tell({ progress }),
        onStep: (step) => tell({ step }),
        waitMs: wait_ms,
      });
      if (outcome.kind !== 'answered') return value(outcome);
      // The client reads the lines of code itself.
      return value({ kind: 'answered', answer: outcome.answer });
    },
  }),
  defineRoute({
    ...own('gather'),
    input: strictInput({
      task: z.string().max(100).nullable(),
      only: names.nullable(),
      skip: names,
      component: z.string().max(4_096).optional(),
      mode: oneOf(['default', 'no_cache', 'cache_only']),
      max_concurrency: z.number().int().min(1).max(4096).nullable(),
    }),
    async run({ max_concurrency, ...ask }, { workspace, tell }) {
      const onProgress: Parameters<typeof workspace.gather>[0]['onProgress'] = (progress) =>
        tell({ progress: packProgress(progress) });
      return value(packGather(await workspace.gather({ ...ask, maxConcurrency: max_concurrency, onProgress })));
    },
  }),
  defineRoute({
    ...own('report'),
    input: strictInput({}),
    run: async (_, { workspace }) => value(await workspace.report()),
  }),
  defineRoute({
    ...own('explain'),
    input: strictInput({ field: z.string().max(1_000) }),
    run: async ({ field }, { workspace }) => value(await workspace.explain(field)),
  }),
  defineRoute({
    ...own('facts'),
    input: strictInput({
      id: z.string().max(200).nullable(),
      scope: z.string().max(4_096).nullable(),
      explain: z.boolean(),
    }),
    run: async (ask, { workspace }) => value(await workspace.facts(ask)),
  }),
  defineRoute({
    ...own('audit'),
    input: strictInput({}),
    run: async (_, { workspace }) => value(await workspace.audit()),
  }),
  defineRoute({
    ...own('doctor'),
    input: strictInput({}),
    run: async (_, { workspace }) => value(await workspace.doctor()),
  }),
];

function value(body: object): Reply {
  return { status: 200, body };
}
