/** `codegenie def`: where a name is declared. */

import { askAboutTarget, pageFlags, targetArgs } from '../ask-about-target.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'def',
  says: 'Show where the thing at a place, or of a name, is declared, through imports and re-exports',
  args: targetArgs,
  flags: pageFlags('definitions'),
  async run(invocation) {
    const { default: operation } = await import('../../serve/operations/def.ts');
    return askAboutTarget(invocation, operation);
  },
});
