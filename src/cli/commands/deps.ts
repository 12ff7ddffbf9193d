/** `codegenie deps`: what a file imports, or who imports it. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'deps',
  says: 'Show the imports of one file and where they lead, or with --reverse the files that import it',
  args: [{ name: '<file>', says: 'from here or from the root, or the end of its path' }],
  flags: [
    { flags: '--reverse', says: 'who imports it', kind: 'boolean' },
    { flags: '--limit <n>', says: 'imports to show (200)', kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ],
  async run(invocation) {
    const { args, flags, globals, terminal } = invocation;
    const { default: operation } = await import('../../serve/operations/deps.ts');
    const { runOperationCommand } = await import('../ask.ts');
    const input = present({
      path: args[0],
      cwd: terminal.cwd,
      reverse: flags['reverse'],
      limit: flags['limit'],
      continue: flags['continue'],
      candidates: globals.verbose || globals.json ? true : undefined,
    });
    return runOperationCommand(invocation, operation, input);
  },
});
