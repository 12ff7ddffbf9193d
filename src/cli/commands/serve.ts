/** `codegenie serve`: the daemon of a work tree in the foreground, until Ctrl-C. */

import { defineCommand, portFlag, syntacticFlag } from '../command.ts';

export default defineCommand({
  name: 'serve',
  says: 'Keep the index equal to the disk and answer questions, in the foreground, until Ctrl-C',
  args: [],
  flags: [
    portFlag,
    { flags: '--no-watch', says: 'do not watch the files; look at them every 10 s instead', kind: 'boolean' },
    syntacticFlag,
    { flags: '--open', says: 'open the page for people in a browser, as `codegenie ui` does', kind: 'boolean' },
    { flags: '--wait <s>', says: 'how long to wait for another process that writes the index (10)', kind: 'seconds' },
    {
      flags: '--background',
      says: 'as `daemon start` runs it: say nothing, and end after a time without questions',
      kind: 'boolean',
    },
  ],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { endWith, locateForCommand, settingsOf, showConfigProblems } = await import('../ask.ts');
    const port = readPort(flags['port'] as string | undefined);
    if (port === 'invalid') return endWith(invocation, 'usage', '--port: expected a number from 0 to 65535');
    const located = await locateForCommand(invocation, undefined);
    if (located.kind === 'ended') return located.ending;
    if (flags['background'] !== true) {
      const { findDaemon } = await import('../../serve/daemon/find-daemon.ts');
      const settings = settingsOf(invocation);
      const found = await findDaemon({ ...settings, root: located.root, version: settings.cliVersion });
      // It would be waited for, and does not end by itself while it is asked.
      if (found.kind === 'found' || found.kind === 'other_version')
        return endWith(
          invocation,
          'busy',
          `process ${found.health.pid} is the daemon of ${located.root} already; \`codegenie daemon stop\` ends it`,
        );
    }
    const opens = flags['open'] === true;
    const { buildForPerson, showPage } = await import('../show-page.ts');
    if (opens) await buildForPerson(invocation);
    const { createIndexProgress } = await import('../progress.ts');
    const { createSyncLog } = await import('../sync-log.ts');
    const { runDaemon } = await import('../../serve/daemon/run-daemon.ts');
    const progress = createIndexProgress(terminal, globals);
    const log = createSyncLog(located.root, invocation, progress.end);
    const outcome = await runDaemon({
      ...settingsOf(invocation),
      root: located.root,
      isGit: located.isGit,
      watch: flags['watch'] !== false,
      indexers: flags['syntacticOnly'] === true ? 'never' : 'background',
      waitMs: ((flags['wait'] as number | undefined) ?? 10) * 1000,
      port: opens ? (port ?? 0) : port,
      background: flags['background'] === true,
      onListening: (at) => {
        log.showListening(at);
        if (!opens || globals.json || at.page === null) return;
        terminal.stdout.write(`${at.page}\n`);
        void showPage(invocation, located.root);
      },
      onProgress: (step) => (log.isReady() ? undefined : progress.show(step)),
      onEvent: log.show,
      onRefresh: log.showRefresh,
      mcp: async (world) => (await import('../../serve/mcp/http-handler.ts')).createMcpHttpHandler(world),
    }).finally(progress.end);
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

function readPort(given: string | undefined): number | null | 'invalid' {
  if (given === undefined) return null;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  return port <= 65_535 ? port : 'invalid';
}
