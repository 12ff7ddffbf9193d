/** `codegenie completion`: what makes a shell complete commands, flags and values. The script asks the program, so it is never out of date. */

import { defineCommand, printJson } from '../command.ts';
import { type Shell, shells } from '../shell-scripts.ts';

export default defineCommand({
  name: 'completion',
  says: 'Print the script that makes your shell complete commands, flags, probes, plans and ids',
  args: [{ name: '<shell>', says: 'bash, zsh or fish', words: Object.keys(shells) }],
  flags: [
    {
      flags: '--line <text>',
      says: 'print what could stand at the end of this line instead, one a line with what it is; the scripts ask so',
      kind: 'text',
    },
  ],
  async run({ args, flags, globals, terminal }) {
    const { script, install } = shells[args[0] as Shell];
    const line = flags['line'];
    if (typeof line !== 'string') {
      if (globals.json) printJson(terminal, { outcome: 'ok', install, script });
      else terminal.stdout.write(`${script}# To have it always: ${install}\n`);
      return 'ok';
    }
    const { completeLine } = await import('../complete-line.ts');
    const { shown } = await import('../../kernel/base/text.ts');
    const { cwd, home, environment } = terminal;
    const candidates = await completeLine(line, { cwd, home, environment });
    if (globals.json) printJson(terminal, { outcome: 'ok', candidates });
    else terminal.stdout.write(candidates.map(({ word, says }) => `${word}\t${shown(says, 120)}\n`).join(''));
    return 'ok';
  },
});
