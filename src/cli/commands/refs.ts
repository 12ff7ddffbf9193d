/** `codegenie refs`: where a name is used. */

import { askAboutTarget, pageFlags, targetArgs } from '../ask-about-target.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'refs',
  says: 'List the references to the thing at a place, or of a name, and apart from them what could be one',
  args: targetArgs,
  flags: pageFlags('references'),
  async run(invocation) {
    const { default: operation } = await import('../../serve/operations/refs.ts');
    return askAboutTarget(invocation, operation);
  },
});
