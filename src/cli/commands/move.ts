/** `codegenie move`: plan moving a file with every import of it. */

import { changeFlags, defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'move',
  says: 'Plan moving a file and updating every import of it',
  args: [
    { name: '<file>', says: 'the file' },
    { name: '<new-path>', says: 'where it is to be: a path, or a directory in which it keeps its name' },
  ],
  flags: changeFlags,
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const { default: move } = await import('../../serve/changes/move.ts');
    const { runChangeCommand } = await import('../ask.ts');
    const waitS = flags['wait'] as number | undefined;
    const input = present({
      file: args[0],
      cwd: terminal.cwd,
      to: args[1],
      apply: flags['apply'],
      wait_ms: waitS === undefined ? undefined : waitS * 1000,
    });
    return runChangeCommand(invocation, move, input, { waitS });
  },
});
