/** `codegenie symbols`: declarations by name or name path. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'symbols',
  says: 'Find symbols by name or name path (Class/method), by any part of the name unless --exact',
  args: [{ name: '<query>', says: 'a name, its beginning, a part of it, or its initials: gUN for getUserName' }],
  flags: [
    { flags: '--kind <kinds>', says: 'only these kinds, comma-separated: class, function, method, …', kind: 'list' },
    { flags: '--path <glob>', says: 'only below these paths: src, src/**/*.ts; !glob excludes', kind: 'text' },
    { flags: '--exact', says: 'only this very name', kind: 'boolean' },
    { flags: '--limit <n>', says: 'symbols to show (200)', kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ],
  async run(invocation) {
    const { args, flags } = invocation;
    const { default: operation } = await import('../../serve/operations/symbols.ts');
    const { runOperationCommand } = await import('../ask.ts');
    const input = present({
      query: args[0],
      kind: flags['kind'],
      path: flags['path'] === undefined ? undefined : [flags['path']],
      exact: flags['exact'],
      limit: flags['limit'],
      continue: flags['continue'],
    });
    return runOperationCommand(invocation, operation, input);
  },
});
