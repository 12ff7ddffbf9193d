/** `codegenie implementations`: what implements or overrides it. */

import { askAboutTarget, pageFlags, targetArgs } from '../ask-about-target.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'implementations',
  says: 'Show what implements or overrides the thing at a place, or of a name (after `index --semantic`)',
  args: targetArgs,
  flags: pageFlags('implementations'),
  async run(invocation) {
    const { default: operation } = await import('../../serve/operations/implementations.ts');
    return askAboutTarget(invocation, operation);
  },
});
