/** `codegenie search`: full-text search, verified against the disk. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'search',
  says: 'Search the text of all files in scope, verified against the disk',
  args: [{ name: '<text>', says: 'what to look for; case counts' }],
  flags: [
    { flags: '--regex', says: 'the text is a regular expression (JavaScript), matched line by line', kind: 'boolean' },
    { flags: '--ignore-case', says: 'upper and lower case are the same', kind: 'boolean' },
    { flags: '--word', says: 'whole words only', kind: 'boolean' },
    {
      flags: '--path <glob>',
      says: 'only these paths: src, src/**/*.ts; without a slash at any depth; !glob excludes',
      kind: 'text',
    },
    { flags: '--lang <languages>', says: 'only these languages, comma-separated: typescript or ts', kind: 'list' },
    { flags: '--limit <n>', says: 'hits to show (200)', kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ],
  async run(invocation) {
    const { args, flags } = invocation;
    const { default: operation } = await import('../../serve/operations/search.ts');
    const { runOperationCommand } = await import('../ask.ts');
    const input = present({
      query: args[0],
      regex: flags['regex'],
      ignore_case: flags['ignoreCase'],
      word: flags['word'],
      path: flags['path'] === undefined ? undefined : [flags['path']],
      lang: flags['lang'],
      limit: flags['limit'],
      continue: flags['continue'],
    });
    return runOperationCommand(invocation, operation, input);
  },
});
