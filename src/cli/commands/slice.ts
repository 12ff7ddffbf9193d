/** `codegenie slice`: deterministic extracts for reading. */

import { defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'slice',
  says: 'Show an extract for reading: a variable, the imports of a file, or what a definition leans on',
  args: [{ name: '<target>', says: 'file:line:col, or a name path; for imports a file is enough' }],
  flags: [{ flags: '--kind <kind>', says: 'def-use (default), imports or dependency-chain', kind: 'text' }],
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const { default: operation } = await import('../../serve/operations/slice.ts');
    const { runOperationCommand } = await import('../ask.ts');
    const input = present({ target: args[0], cwd: terminal.cwd, kind: flags['kind'] ?? 'def-use' });
    return runOperationCommand(invocation, operation, input);
  },
});
