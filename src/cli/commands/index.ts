/** `codegenie index`: bring the index up to date with the disk now. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'index',
  says: 'Bring the index up to date with the disk now',
  args: [],
  flags: [
    {
      flags: '--semantic',
      says: 'also run indexers to completion (not available yet: ends with exit 10)',
      kind: 'boolean',
    },
    { flags: '--syntactic-only', says: 'only what needs no indexer, which is all there is today', kind: 'boolean' },
    { flags: '--wait <s>', says: 'how long to wait while another process builds the index (60)', kind: 'count' },
  ],
  async run(invocation) {
    const { flags, terminal } = invocation;
    if (flags['semantic'] === true) {
      const { endWith } = await import('../open-for-command.ts');
      if (flags['syntacticOnly'] === true) {
        return endWith(invocation, 'usage', '--semantic and --syntactic-only exclude each other');
      }
      return endWith(
        invocation,
        'unsupported',
        'there is no semantic layer yet; `codegenie index` without --semantic indexes syntax, names and text',
      );
    }
    const startedMs = terminal.nowMs();
    const { default: operation } = await import('../../serve/operations/index.ts');
    const { runOperationCommand } = await import('../run-operation-command.ts');
    const timed = {
      ...operation,
      render: (answer: Parameters<typeof operation.render>[0]) => {
        const [first = '', ...rest] = operation.render(answer).split('\n');
        return [`${first} · ${((terminal.nowMs() - startedMs) / 1000).toFixed(2)} s`, ...rest].join('\n');
      },
    };
    const waitS = flags['wait'] as number | undefined;
    return runOperationCommand(invocation, timed, {}, waitS === undefined ? {} : { waitS });
  },
});
