/** What moving a file is asked with, on every surface. */

import { z } from '../../kernel/base/schema.ts';

/** What it is about: with the bytes of the tree, this decides the plan. */
export const MoveInput = z.strictObject({
  file: z.string().min(1, 'name a file'),
  /** A path, or a directory in which it keeps its name. */
  to: z.string().min(1, 'name where it is to be'),
  /** Where relative paths may be meant from; the root otherwise. */
  cwd: z.string().optional(),
  /** How long a refresh of the index may take before the answer is `blocked`. */
  wait_ms: z.number().int().min(0).default(10_000),
});
export type MoveInput = z.infer<typeof MoveInput>;
