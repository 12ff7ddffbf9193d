/** `status`: what the index knows, and whether compiler facts are there. */

import { z } from '../../../kernel/base/schema.ts';
import type { Semantics } from '../../operations/describe-index.ts';
import { strictInput } from '../../operations/input.ts';
import status from '../../operations/status.ts';
import { askForTool } from '../ask-for-tool.ts';
import { defineTool, type ToolInput } from '../tool.ts';
import { dropNothing } from '../tool-wording.ts';

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
        show: showStatus,
        lists: ['languages', 'semantic.contexts', 'semantic.problems', 'semantic.unsettled'],
        next: ({ semantic: { state, jobs, contexts }, writer }) => {
          if (state === 'clean' && contexts.every(({ probe }) => probe === 'ok'))
            return 'Everything is indexed: ask with symbols, navigate and search.';
          if (state === 'none') return 'No compiler facts are to be had here; everything syntactic is indexed: ask.';
          if (jobs.queued + jobs.running === 0)
            return 'Everything syntactic is indexed: ask. Why compiler facts are missing is in semantic.contexts.';
          return writer === null
            ? 'Syntax is indexed; for types run `codegenie index --semantic` in a shell, or plan with a longer wait_ms.'
            : 'Syntax is indexed: ask. Compiler facts are on their way without your doing.';
        },
      },
      world,
    ),
});

/** What is above every answer is not said twice, and files that a job will come to are not named one by one. */
function showStatus({ repo, freshness, root: _, head: __, generation: ___, ...fields }: ToolInput): ToolInput {
  const { semantic } = fields as { readonly semantic: Semantics };
  const { unsettled, jobs } = semantic;
  const isUnderWay = jobs.queued + jobs.running > 0;
  const named = unsettled.filter((file) => file.freshness !== 'unindexed' || !isUnderWay);
  const slim = dropNothing({ ...fields, semantic: { ...semantic, unsettled: named } });
  return { repo, freshness, ...(slim as ToolInput) };
}
