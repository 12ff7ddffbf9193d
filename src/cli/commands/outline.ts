/** `codegenie outline`: what a file declares. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'outline',
  says: 'Show the declarations of one file as a tree with line ranges',
  args: [{ name: '<file>', says: 'from here or from the root, or the end of its path' }],
  flags: [],
  async run(invocation) {
    const { default: operation } = await import('../../serve/operations/outline.ts');
    const { runOperationCommand } = await import('../ask.ts');
    return runOperationCommand(invocation, operation, { path: invocation.args[0], cwd: invocation.terminal.cwd });
  },
});
