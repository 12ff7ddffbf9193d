/** The commands that plan a refactoring, or make it where nothing is left to ask. */

import { aliasPolicies, publicNamePolicies, renameModes } from '../../mutate/vocabulary.ts';
import { type Argument, type Command, defineCommand, type Flag, type Invocation, targetArgument } from '../command.ts';

const changeFlags: readonly Flag[] = [
  {
    flags: '--apply',
    says: 'write it at once if it is proven and nothing is left to ask; exit 8 if it is only planned',
    kind: 'boolean',
  },
  { flags: '--wait <s>', says: 'how long to wait for another writer, and for a refresh (10)', kind: 'seconds' },
];

const newName: Argument = { name: '<new-name>', says: 'what it is to be called' };

export default [
  defineCommand({
    name: 'rename',
    says: 'Plan the rename of a symbol everywhere it is meant',
    args: [targetArgument, newName],
    flags: [
      ...changeFlags,
      {
        flags: '--mode <mode>',
        says: 'semantic, or force_syntactic: by scope and spelling, each edit outside one file to be selected (semantic)',
        kind: 'text',
        words: renameModes,
      },
      {
        flags: '--public-names <policy>',
        says: 'names that a package shows to its users: ask, rename, or keep by an alias (ask)',
        kind: 'text',
        words: publicNamePolicies,
      },
      {
        flags: '--alias-policy <policy>',
        says: 'importers: through, they use the new name; keep_local, they keep the old one by an alias (through)',
        kind: 'text',
        words: aliasPolicies,
      },
    ],
    async run(invocation) {
      const { args, flags } = invocation;
      const { default: rename } = await import('../../serve/changes/rename.ts');
      const { askChange } = await import('../ask.ts');
      const { waitS, ...shared } = sharedFields(invocation);
      const input = {
        target: args[0],
        new_name: args[1],
        ...shared,
        mode: flags['mode'],
        public_names: flags['publicNames'],
        alias_policy: flags['aliasPolicy'],
      };
      return askChange(invocation, rename, input, { waitS, asks: true });
    },
  }),
  defineCommand({
    name: 'move',
    says: 'Plan moving a file and updating every import of it',
    args: [
      { name: '<file>', says: 'the file' },
      { name: '<new-path>', says: 'where it is to be: a path, or a directory in which it keeps its name' },
    ],
    flags: changeFlags,
    async run(invocation) {
      const { args } = invocation;
      const { default: move } = await import('../../serve/changes/move.ts');
      const { askChange } = await import('../ask.ts');
      const { waitS, ...shared } = sharedFields(invocation);
      return askChange(invocation, move, { file: args[0], to: args[1], ...shared }, { waitS, asks: true });
    },
  }),
] satisfies readonly Command[];

function sharedFields({ flags, terminal }: Invocation) {
  const waitS = flags['wait'] as number | undefined;
  return {
    cwd: terminal.cwd,
    apply: flags['apply'],
    wait_ms: waitS === undefined ? undefined : waitS * 1000,
    waitS,
  };
}
