/** `codegenie daemon stop`: end the daemon of the work tree, and wait until it has ended. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'daemon stop',
  says: 'End the daemon of the work tree and wait until it has ended',
  args: [],
  flags: [{ flags: '--wait <s>', says: 'how long to wait for it (15)', kind: 'count' }],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { endWith, locateForCommand } = await import('../ask.ts');
    const located = await locateForCommand(invocation, undefined);
    if (located.kind === 'ended') return located.ending;
    const { stopDaemon } = await import('../../serve/daemon/daemon-process.ts');
    const waitMs = ((flags['wait'] as number | undefined) ?? 15) * 1000;
    const stopped = await stopDaemon(located.root, { waitMs, signal: terminal.signal });
    if (stopped.kind === 'still_there')
      return endWith(invocation, 'busy', `process ${stopped.pid} was told to end and has not yet`);
    const pid = stopped.kind === 'stopped' ? stopped.pid : null;
    if (globals.json) terminal.stdout.write(`${JSON.stringify({ outcome: 'ok', stopped: pid })}\n`);
    else if (!globals.quiet)
      terminal.stdout.write(
        pid === null ? `none runs · ${located.root}\n` : `stopped: process ${pid} · ${located.root}\n`,
      );
    return 'ok';
  },
});
