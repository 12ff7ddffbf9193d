/** `codegenie plan undo`: take a committed plan back. */

import { defineCommand, planArgs } from '../command.ts';

export default defineCommand({
  name: 'plan undo',
  says: 'Restore every file of a committed plan as it was, if none has changed since',
  args: planArgs,
  flags: [],
  async run(invocation) {
    const { planUndo } = await import('../../serve/changes/plan-requests.ts');
    const { runChangeCommand } = await import('../ask.ts');
    return runChangeCommand(invocation, planUndo, { plan_id: invocation.args[0] });
  },
});
