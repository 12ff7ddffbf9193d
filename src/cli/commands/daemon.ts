/** `codegenie daemon`: the daemon of a work tree in the background, started, ended, asked how it is, and read. */

import type { Health } from '../../serve/daemon/find-daemon.ts';
import { type Command, defineCommand, portFlag, printJson, syntacticFlag } from '../command.ts';

export default [
  defineCommand({
    name: 'daemon start',
    says: 'Start the daemon of the work tree in the background, if it does not run; it ends after a time without questions',
    args: [],
    flags: [portFlag, syntacticFlag],
    async run(invocation) {
      const { flags, globals, terminal } = invocation;
      const { endWith, locateForCommand, settingsOf } = await import('../ask.ts');
      const located = await locateForCommand(invocation, undefined);
      if (located.kind === 'ended') return located.ending;
      const { startDaemon } = await import('../../serve/daemon/daemon-process.ts');
      const port = flags['port'] as string | undefined;
      const started = await startDaemon(located.root, {
        ...settingsOf(invocation),
        flags: [
          ...(port === undefined ? [] : ['--port', port]),
          ...(flags['syntacticOnly'] === true ? ['--syntactic-only'] : []),
        ],
      });
      if (started.kind === 'failed') return endWith(invocation, 'busy', started.message);
      const { pid, root, indexers } = started.health;
      if (!started.isNew && flags['syntacticOnly'] === true && indexers !== 'never')
        return endWith(invocation, 'busy', `process ${pid} runs already, and runs indexers; stop it first`);
      if (globals.json) printJson(terminal, { outcome: 'ok', is_new: started.isNew, ...describeDaemon(started) });
      else if (!globals.quiet)
        terminal.stdout.write(`${started.isNew ? 'started' : 'already runs'}: process ${pid} · ${root}\n`);
      return 'ok';
    },
  }),
  defineCommand({
    name: 'daemon stop',
    says: 'End the daemon of the work tree and wait until it has ended',
    args: [],
    flags: [{ flags: '--wait <s>', says: 'how long to wait for it (15)', kind: 'seconds' }],
    async run(invocation) {
      const { flags, globals, terminal } = invocation;
      const { endWith, locateForCommand, settingsOf } = await import('../ask.ts');
      const located = await locateForCommand(invocation, undefined);
      if (located.kind === 'ended') return located.ending;
      const { stopDaemon } = await import('../../serve/daemon/daemon-process.ts');
      const waitMs = ((flags['wait'] as number | undefined) ?? 15) * 1000;
      const stopped = await stopDaemon(
        { ...settingsOf(invocation), root: located.root },
        { waitMs, signal: terminal.signal },
      );
      if (stopped.kind === 'still_there')
        return endWith(invocation, 'busy', `process ${stopped.pid} was told to end and has not yet`);
      const pid = stopped.kind === 'stopped' ? stopped.pid : null;
      if (globals.json) printJson(terminal, { outcome: 'ok', stopped: pid });
      else if (!globals.quiet)
        terminal.stdout.write(
          pid === null ? `none runs · ${located.root}\n` : `stopped: process ${pid} · ${located.root}\n`,
        );
      return 'ok';
    },
  }),
  defineCommand({
    name: 'daemon status',
    says: 'Say whether the daemon of the work tree runs, since when, and which clients it has',
    args: [],
    flags: [],
    async run(invocation) {
      const { globals, terminal } = invocation;
      const { locateForCommand, settingsOf } = await import('../ask.ts');
      const located = await locateForCommand(invocation, undefined);
      if (located.kind === 'ended') return located.ending;
      const { findDaemon } = await import('../../serve/daemon/find-daemon.ts');
      const settings = settingsOf(invocation);
      const found = await findDaemon({ ...settings, root: located.root, version: settings.cliVersion });
      if (found.kind === 'none' || found.kind === 'silent') {
        const pid = found.kind === 'silent' ? found.pid : null;
        const says = pid === null ? 'does not run' : `process ${pid} keeps the index and does not answer`;
        if (globals.json) printJson(terminal, { outcome: 'ok', state: pid === null ? 'none' : 'silent', pid });
        else terminal.stdout.write(`${says} · ${located.root}\n`);
        return 'ok';
      }
      const { health, socket } = found;
      if (globals.json) printJson(terminal, { outcome: 'ok', ...describeDaemon(found) });
      else {
        const { formatAge, formatTime } = await import('../../kernel/base/quantities.ts');
        const other = found.kind === 'other_version' ? ` · codegenie ${health.version}, which is not this one` : '';
        const lines = [
          `${health.state}: process ${health.pid} · ${health.root}${other}`,
          `  since    ${formatTime(health.started_at)}, ${formatAge(Date.parse(health.started_at), terminal.nowMs())}`,
          `  socket   ${socket}`,
          ...(health.port === null ? [] : [`  port     127.0.0.1:${health.port}`]),
          `  watcher  ${health.watch === 'ok' ? 'on' : health.watch}`,
          ...(health.indexers === 'never' ? ['  indexers none: it was started with --syntactic-only'] : []),
          `  clients  ${health.clients}`,
        ];
        terminal.stdout.write(`${lines.join('\n')}\n`);
      }
      return 'ok';
    },
  }),
  defineCommand({
    name: 'daemon logs',
    says: 'Print the end of the log of the daemon of the work tree',
    args: [],
    flags: [{ flags: '--lines <n>', says: 'how many lines (50)', kind: 'count' }],
    async run(invocation) {
      const { flags, globals, terminal } = invocation;
      const { endWith, locateForCommand, settingsOf } = await import('../ask.ts');
      const located = await locateForCommand(invocation, undefined);
      if (located.kind === 'ended') return located.ending;
      const { ownDirsOf } = await import('../../kernel/base/own-dirs.ts');
      const { stateDir } = ownDirsOf({ ...settingsOf(invocation), root: located.root });
      const { readDaemonLog } = await import('../../serve/daemon/daemon-log.ts');
      const { stripControls } = await import('../../kernel/base/text.ts');
      const lines = readDaemonLog(stateDir, (flags['lines'] as number | undefined) ?? 50);
      if (lines === undefined) return endWith(invocation, 'usage', 'there is no log; no daemon was started here yet');
      if (globals.json) printJson(terminal, { outcome: 'ok', lines });
      else terminal.stdout.write(lines.map((line) => `${stripControls(line)}\n`).join(''));
      return 'ok';
    },
  }),
] satisfies readonly Command[];

/** What `--json` says about a daemon. */
function describeDaemon({ socket, health }: { readonly socket: string; readonly health: Health }): object {
  const { state, version, pid, root, root_hash, watch, indexers, started_at, clients, port, generation } = health;
  return { state, version, pid, root, root_hash, socket, port, watch, indexers, generation, started_at, clients };
}
