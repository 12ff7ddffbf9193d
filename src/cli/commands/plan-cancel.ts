/** `codegenie plan cancel`: give a plan up. */

import { defineCommand, planArgs } from '../command.ts';

export default defineCommand({
  name: 'plan cancel',
  says: 'Give a plan up before it is committed',
  args: planArgs,
  flags: [],
  async run(invocation) {
    const { planCancel } = await import('../../serve/changes/plan-requests.ts');
    const { runChangeCommand } = await import('../ask.ts');
    return runChangeCommand(invocation, planCancel, { plan_id: invocation.args[0] });
  },
});
