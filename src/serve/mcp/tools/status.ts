/** `status`: what the index knows, and whether compiler facts are there. */

import { z } from '../../../kernel/base/schema.ts';
import { strictInput } from '../../operations/shared/input.ts';
import status from '../../operations/status.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'status',
  says: 'Is the code index complete, fresh, backed by compiler facts? Call it when a count is gte or a plan is blocked.',
  readsOnly: true,
  input: strictInput({ continue: z.string().optional() }),
  run: ({ continue: token, ...input }, world) =>
    askForTool(
      status,
      {
        input,
        token,
        lists: ['languages', 'semantic.contexts', 'semantic.problems', 'semantic.unsettled'],
        next: ({ semantic }) =>
          semantic.state === 'clean'
            ? 'Everything is indexed: ask with symbols, navigate and search.'
            : 'Syntax is indexed; for types run `codegenie index --semantic` in a shell, or plan with a longer wait_ms.',
      },
      world,
    ),
});
