/** `codegenie serve`: keep the index equal to the disk, in the foreground, until Ctrl-C. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'serve',
  says: 'Keep the index equal to the disk, in the foreground, until Ctrl-C',
  args: [],
  flags: [
    { flags: '--no-watch', says: 'do not watch the files; look at them every 10 s instead', kind: 'boolean' },
    { flags: '--syntactic-only', says: 'run no indexers', kind: 'boolean' },
    { flags: '--wait <s>', says: 'how long to wait for another process that writes the index (10)', kind: 'count' },
  ],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { endWith, openForCommand, showConfigProblems } = await import('../open-for-command.ts');
    const opened = await openForCommand(invocation, undefined);
    if (opened.kind === 'ended') return opened.ending;
    const { createIndexProgress } = await import('../index-progress.ts');
    const { createSyncLog } = await import('../sync-log.ts');
    const progress = createIndexProgress(terminal, globals);
    const log = createSyncLog(opened.workspace.root, invocation, progress.end);
    const outcome = await opened.workspace
      .sync({
        watch: flags['watch'] !== false,
        indexers: flags['syntacticOnly'] !== true,
        onRefresh: log.showRefresh,
        waitMs: ((flags['wait'] as number | undefined) ?? 10) * 1000,
        onProgress: (step) => (log.isReady() ? undefined : progress.show(step)),
        onEvent: log.show,
      })
      .finally(progress.end);
    switch (outcome.kind) {
      case 'busy':
        return endWith(invocation, 'busy', outcome.message);
      case 'refused':
        return endWith(invocation, 'output_refused', outcome.message);
      case 'config_invalid':
        return showConfigProblems(invocation, outcome.problems);
      case 'ended':
        // Being stopped is how it ends well.
        log.end();
        return 'ok';
    }
  },
});
