/** What operations about one thing or one file take, before it is looked for (`index/state/target`). */

import { z } from '../../../kernel/base/schema.ts';

/** Where a relative path may be meant from; the root otherwise. */
const cwd = z.string().optional();

export const subjectFields = {
  target: z.string().min(1, 'name a place (file:line:col) or a name path (Class/method)'),
  cwd,
} as const;

export const targetFields = { path: z.string().min(1, 'name a file'), cwd } as const;
