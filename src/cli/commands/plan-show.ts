/** `codegenie plan show`: a plan again, or the form of the proof that a commit of it needs. */

import { defineCommand, planArgs } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'plan show',
  says: 'Show a plan again, which extends its life',
  args: planArgs,
  flags: [
    { flags: '--from <n>', says: 'the first question to show, where there are more than fit (1)', kind: 'count' },
    {
      flags: '--proof-template',
      says: 'print only the proof that a commit needs, as JSON whose empty texts are to be filled in with what stands at each place',
      kind: 'boolean',
    },
  ],
  async run(invocation) {
    const { planShow } = await import('../../serve/changes/plan-requests.ts');
    const { askChange, endChange } = await import('../ask.ts');
    const { openForCommand } = await import('../ask.ts');
    const opened = await openForCommand(invocation, undefined);
    if (opened.kind === 'ended') return opened.ending;
    const input = present({ plan_id: invocation.args[0], from: invocation.flags['from'] });
    const outcome = await askChange(invocation, opened.workspace, planShow, input);
    const template = outcome.kind === 'answered' ? outcome.answer.proof_template : null;
    if (invocation.flags['proofTemplate'] !== true || template === null)
      return endChange(invocation, planShow, outcome);
    invocation.terminal.stdout.write(`${JSON.stringify(template, null, invocation.globals.json ? 0 : 2)}\n`);
    return 'ok';
  },
});
