/** What a run of the indexers did: every job with how it ended, and what is still to come. */

import type { RunSummary } from '../../../index/sync/refresh/refresher.ts';
import { z } from '../../../kernel/base/schema.ts';
import { failures } from '../../../languages/context-spec.ts';
import { plural, shown } from './words.ts';

const whole = z.number().int();

export const Refreshed = z.object({
  jobs: z.array(
    z.object({
      context: z.string(),
      status: z.enum(['completed', 'failed', 'superseded', 'lost']),
      /** By a run, from an output that was kept, or because nothing had changed. */
      by: z.enum(['indexer', 'kept_output', 'nothing_changed']).nullable(),
      seconds: z.number(),
      /** Documents that were taken over, and those that were not. */
      accepted: whole,
      rejected: whole,
      failure: z.enum(failures).nullable(),
      detail: z.string().nullable(),
    }),
  ),
  /** Contexts whose job is tried again later, or was still running when the time was up. */
  waiting: z.array(z.string()),
  running: z.array(z.string()),
});
export type Refreshed = z.infer<typeof Refreshed>;

export function describeRefresh(summary: RunSummary | null): Refreshed | null {
  if (summary === null) return null;
  return {
    jobs: summary.ran.map((report) => ({
      context: report.context,
      status: report.status,
      by: report.by,
      seconds: report.ms / 1000,
      accepted: report.accepted,
      rejected: report.rejected,
      failure: report.failure,
      detail: report.detail,
    })),
    waiting: summary.waiting.map(({ context }) => context),
    running: [...summary.running],
  };
}

export function renderRefresh({ jobs, waiting, running }: Refreshed): readonly string[] {
  const lines = jobs.map((job) => {
    const took = `${job.seconds.toFixed(1)} s`;
    const documents =
      job.status !== 'completed' || job.by === 'nothing_changed' ? '' : ` · ${plural(job.accepted, 'file')}`;
    const refused = job.rejected === 0 ? '' : `, ${job.rejected} not taken over`;
    const why =
      job.failure === null
        ? ''
        : `: ${job.failure.replaceAll('_', ' ')}${job.detail === null ? '' : ` (${shown(job.detail, 300)})`}`;
    return `  ${shown(job.context, 80)}  ${job.status}${why}${documents}${refused} · ${took}`;
  });
  return [
    ...lines,
    ...waiting.map((context) => `  ${shown(context, 80)}  is tried again later`),
    ...running.map(
      (context) => `  ${shown(context, 80)}  was still running and goes on with the next \`index --semantic\``,
    ),
  ];
}
