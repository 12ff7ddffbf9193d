/** `codegenie plan list`: what has been planned here, and what became of it. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'plan list',
  says: 'List the plans of this repository, newest first',
  args: [],
  flags: [{ flags: '--limit <n>', says: 'plans to show (20)', kind: 'count' }],
  async run(invocation) {
    const { planList } = await import('../../serve/changes/plan-requests.ts');
    const { runChangeCommand } = await import('../ask.ts');
    return runChangeCommand(invocation, planList, present({ limit: invocation.flags['limit'] }));
  },
});
