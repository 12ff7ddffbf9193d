/** The tools, in the order they are listed: at most eight, and all of their schemas together within `schemaTokens` (surfaces.md §3). */

import { z } from '../../kernel/base/schema.ts';
import type { Tool } from './tool.ts';
import commitPlan from './tools/commit-plan.ts';
import navigate from './tools/navigate.ts';
import planRefactor from './tools/plan-refactor.ts';
import repoContext from './tools/repo-context.ts';
import search from './tools/search.ts';
import slice from './tools/slice.ts';
import status from './tools/status.ts';
import symbols from './tools/symbols.ts';

export const tools: readonly Tool[] = [repoContext, status, search, symbols, navigate, slice, planRefactor, commitPlan];

export const schemaTokens = 2_500;

// The JSON Schema of a tool, as small as it can be said: what a model does not use to fill in a call is left out.

export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: { readonly readOnlyHint: boolean };
};

export function listTool({ name, says, input, readsOnly }: Tool): ListedTool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input', override: slim });
  return {
    name,
    description: says,
    // What zod hangs on the object besides JSON goes with the round trip.
    inputSchema: JSON.parse(JSON.stringify(schema)) as ListedTool['inputSchema'],
    annotations: { readOnlyHint: readsOnly },
  };
}

/** Bounds are said when they are broken; a place may be written as an object. */
function slim({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const key of ['minimum', 'maximum', 'minLength', 'maxLength', 'additionalProperties'] as const)
    delete jsonSchema[key];
}
