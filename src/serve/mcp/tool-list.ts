/**
 * The tools, in the order they are listed: at most eight, and all of their schemas together within `schemaTokens` (surfaces.md §3). A
 * schema is as small as it can be: what a model does not use to fill in a call is left out.
 */

import { z } from '../../kernel/base/schema.ts';
import { commitPlanTool, planRefactorTool } from './change-tools.ts';
import { repoContextTool } from './context-tool.ts';
import { navigateTool, searchTool, sliceTool, statusTool, symbolsTool } from './question-tools.ts';
import type { Tool } from './tool.ts';

export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: { readonly readOnlyHint: boolean };
};

export const schemaTokens = 2_000;

export const tools: readonly Tool[] = [
  repoContextTool,
  statusTool,
  searchTool,
  symbolsTool,
  navigateTool,
  sliceTool,
  planRefactorTool,
  commitPlanTool,
];

export function listTool({ name, says, input, unlisted = [], brief = [], readsOnly }: Tool): ListedTool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input', override: slim });
  const properties = schema.properties ?? {};
  for (const field of unlisted) delete properties[field];
  for (const field of brief) {
    const { type, description } = properties[field] as z.core.JSONSchema.BaseSchema;
    properties[field] = { type, description } as z.core.JSONSchema.BaseSchema;
  }
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
  for (const key of ['minimum', 'maximum', 'minLength', 'maxLength', 'additionalProperties', 'propertyNames'] as const)
    delete jsonSchema[key];
}
