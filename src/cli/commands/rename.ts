/** `codegenie rename`: plan a rename, or make it where nothing is left to ask. */

import { targetArgs } from '../ask-about-target.ts';
import { changeFlags, defineCommand } from '../command.ts';
import { present } from '../present.ts';

export default defineCommand({
  name: 'rename',
  says: 'Plan the rename of a symbol everywhere it is meant',
  args: [...targetArgs, { name: '<new-name>', says: 'what it is to be called' }],
  flags: [
    ...changeFlags,
    {
      flags: '--mode <mode>',
      says: 'semantic, or force_syntactic: by scope and spelling, each edit outside one file to be selected (semantic)',
      kind: 'text',
    },
    {
      flags: '--public-names <policy>',
      says: 'names that a package shows to its users: ask, rename, or keep by an alias (ask)',
      kind: 'text',
    },
    {
      flags: '--alias-policy <policy>',
      says: 'importers: through, they use the new name; keep_local, they keep the old one by an alias (through)',
      kind: 'text',
    },
  ],
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const { default: rename } = await import('../../serve/changes/rename.ts');
    const { runChangeCommand } = await import('../ask.ts');
    const waitS = flags['wait'] as number | undefined;
    const input = present({
      target: args[0],
      cwd: terminal.cwd,
      new_name: args[1],
      apply: flags['apply'],
      wait_ms: waitS === undefined ? undefined : waitS * 1000,
      mode: flags['mode'],
      public_names: flags['publicNames'],
      alias_policy: flags['aliasPolicy'],
    });
    return runChangeCommand(invocation, rename, input, { waitS });
  },
});
