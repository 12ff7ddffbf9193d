/** `codegenie implementations`: what implements or overrides it. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'implementations',
  says: 'Show what implements or overrides the thing at a place, or of a name (after `index --semantic`)',
  args: [{ name: '<target>', says: 'file:line:col, or a name path: Class/method, /top, name[1], file.ts#name' }],
  flags: [
    { flags: '--limit <n>', says: 'implementations to show (200)', kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ],
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const { default: operation } = await import('../../serve/operations/implementations.ts');
    const { runOperationCommand } = await import('../run-operation-command.ts');
    const input = present({
      target: args[0],
      cwd: terminal.cwd,
      limit: flags['limit'],
      continue: flags['continue'],
    });
    return runOperationCommand(invocation, operation, input);
  },
});
