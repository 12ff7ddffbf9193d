/** What every request for a plan takes besides what it is about. */

import { z } from '../../../kernel/base/schema.ts';

export const requestFields = {
  /** How long a refresh may take before the answer is `blocked`. */
  wait_ms: z.number().int().min(0).max(600_000).default(10_000),
  apply: z.boolean().default(false),
  /** Asked again with the same id, the same answer is given and nothing is done twice. */
  request_id: z.string().min(1).max(200).optional(),
} as const;

export const planFields = { plan_id: z.string().min(1, 'name a plan: plan_list lists them') } as const;
