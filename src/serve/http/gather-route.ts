/** `POST /v1/gather`: runs the probes, publishes the context, and says where it is and how it went. */

import type { GatherOutcome } from '../../gather/gather.ts';
import { z } from '../../kernel/base/schema.ts';
import { RepoHead } from '../operations/operation.ts';
import { oneOf, strictInput } from '../operations/shared/input.ts';
import type { RepoFacts } from '../workspace.ts';
import { Refusal } from './problem.ts';
import { anything, defineRoute, failure, type Reply, replyOf } from './route.ts';

const names = z.array(z.string().min(1).max(100)).max(200);

export const gatherRoute = defineRoute({
  method: 'POST',
  url: '/v1/gather',
  says: 'Run the probes and publish the context',
  input: strictInput({
    task: z.string().min(1).max(100).optional(),
    only: names.optional(),
    skip: names.optional(),
    cache: oneOf(['default', 'no_cache', 'cache_only']).optional(),
    max_concurrency: z.number().int().min(1).max(256).optional(),
  }),
  answer: z.object({
    outcome: z.literal('ok'),
    repo: RepoHead,
    gather_status: z.string(),
    probe_failures: z.array(anything),
    warnings: z.array(anything),
    report_problem: z.string().nullable(),
    duration_ms: z.number(),
    files: anything,
  }),
  async run({ task, only, skip, cache, max_concurrency }, { workspace, tell }) {
    const outcome = await workspace.gather({
      task: task ?? null,
      only: only ?? null,
      skip: skip ?? [],
      mode: cache ?? 'default',
      maxConcurrency: max_concurrency ?? null,
      onProgress: (progress) => {
        if (progress.kind === 'settled') {
          const { probe, status, durationMs } = progress.execution;
          tell({ progress: { probe: probe.name, status, ms: Math.round(durationMs) } });
        } else if (progress.kind === 'started') tell({ progress: { probe: progress.probe, status: 'started' } });
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
          gather_status: envelope.gather_status,
          probe_failures: envelope.probe_failures,
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
    case 'refused':
      return failure(409, 'output_refused', `cannot write ${outcome.path}: it ${outcome.why}`);
    case 'schema_invalid':
      return failure(500, 'schema_invalid', `the context does not fit its schema; written as ${outcome.file}`);
    case 'busy':
      return failure(503, 'busy', `another gather is publishing (${outcome.owner}); try again`);
    case 'cancelled':
      return failure(503, 'cancelled', 'the gather was cancelled; nothing was published');
  }
}
