/** `codegenie daemon start`: the daemon of a work tree in the background. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'daemon start',
  says: 'Start the daemon of the work tree in the background, if it does not run; it ends when nobody has asked for long',
  args: [],
  flags: [
    {
      flags: '--port <n>',
      says: 'also answer on 127.0.0.1 at this port, with a token (0 takes a free one)',
      kind: 'text',
    },
    { flags: '--syntactic-only', says: 'run no indexers', kind: 'boolean' },
  ],
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
    const { pid, root } = started.health;
    const { describeDaemon } = await import('../describe-daemon.ts');
    if (globals.json)
      terminal.stdout.write(
        `${JSON.stringify({ outcome: 'ok', is_new: started.isNew, ...describeDaemon(started) })}\n`,
      );
    else if (!globals.quiet)
      terminal.stdout.write(`${started.isNew ? 'started' : 'already runs'}: process ${pid} · ${root}\n`);
    return 'ok';
  },
});
