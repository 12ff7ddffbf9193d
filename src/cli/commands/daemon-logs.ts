/** `codegenie daemon logs`: the end of the daemon's log. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'daemon logs',
  says: 'Print the end of the log of the daemon of the work tree',
  args: [],
  flags: [{ flags: '--lines <n>', says: 'how many lines (50)', kind: 'count' }],
  async run(invocation) {
    const { flags, globals, terminal } = invocation;
    const { endWith, locateForCommand } = await import('../ask.ts');
    const located = await locateForCommand(invocation, undefined);
    if (located.kind === 'ended') return located.ending;
    const { readDaemonLog } = await import('../../serve/daemon/daemon-log.ts');
    const { stripControls } = await import('../../kernel/base/text.ts');
    const lines = readDaemonLog(located.root, (flags['lines'] as number | undefined) ?? 50);
    if (lines === undefined) return endWith(invocation, 'usage', 'there is no log; no daemon was started here yet');
    if (globals.json) terminal.stdout.write(`${JSON.stringify({ outcome: 'ok', lines })}\n`);
    else terminal.stdout.write(lines.map((line) => `${stripControls(line)}\n`).join(''));
    return 'ok';
  },
});
