/** Stands in until there is one. */

import type { TsgoJob } from './job-file.ts';

export function indexProgram(job: TsgoJob, say: (line: string) => void): number {
  say(`nothing of ${job.root} is indexed yet`);
  return 1;
}
