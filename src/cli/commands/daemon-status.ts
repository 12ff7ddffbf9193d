/** `codegenie daemon status`: whether a daemon of the work tree runs, and how it is. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'daemon status',
  says: 'Say whether the daemon of the work tree runs, since when, and who asks it',
  args: [],
  flags: [],
  async run(invocation) {
    const { globals, terminal } = invocation;
    const { locateForCommand, settingsOf } = await import('../ask.ts');
    const located = await locateForCommand(invocation, undefined);
    if (located.kind === 'ended') return located.ending;
    const { findDaemon } = await import('../../serve/daemon/find-daemon.ts');
    const { cliVersion: version } = settingsOf(invocation);
    const found = await findDaemon({ root: located.root, version, signal: terminal.signal });
    if (found.kind === 'none' || found.kind === 'silent') {
      const pid = found.kind === 'silent' ? found.pid : null;
      const says = pid === null ? 'does not run' : `process ${pid} keeps the index and does not answer`;
      if (globals.json)
        terminal.stdout.write(`${JSON.stringify({ outcome: 'ok', state: pid === null ? 'none' : 'silent', pid })}\n`);
      else terminal.stdout.write(`${says} · ${located.root}\n`);
      return 'ok';
    }
    const { describeDaemon } = await import('../describe-daemon.ts');
    const { health, socket } = found;
    if (globals.json) terminal.stdout.write(`${JSON.stringify({ outcome: 'ok', ...describeDaemon(found) })}\n`);
    else {
      const other = found.kind === 'other_version' ? ` · codegenie ${health.version}, which is not this one` : '';
      const lines = [
        `${health.state}: process ${health.pid} · ${health.root}${other}`,
        `  since    ${health.started_at}`,
        `  socket   ${socket}`,
        ...(health.port === null ? [] : [`  port     127.0.0.1:${health.port}`]),
        `  watcher  ${health.watch === 'ok' ? 'on' : health.watch}`,
        `  clients  ${health.clients}`,
      ];
      terminal.stdout.write(`${lines.join('\n')}\n`);
    }
    return 'ok';
  },
});
