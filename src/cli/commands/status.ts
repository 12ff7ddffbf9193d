/** `codegenie status`: what the index holds, how fresh it is, and who keeps it. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'status',
  says: 'Show what the index holds, how fresh it is, and who keeps it; --verbose names skipped files',
  args: [],
  flags: [],
  async run(invocation) {
    const { default: operation } = await import('../../serve/operations/status.ts');
    const { runOperationCommand } = await import('../ask.ts');
    return runOperationCommand(invocation, operation, invocation.globals.verbose ? { skipped_limit: 1_000 } : {});
  },
});
