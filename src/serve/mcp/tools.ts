/** The tools, in the order they are listed: at most eight, and all of their schemas together within `schemaTokens` (surfaces.md §3). */

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
