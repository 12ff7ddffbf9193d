/** What moving a file is asked with, on every surface. Light, because surfaces load it at start. */

import { z } from '../../kernel/base/schema.ts';
import { WaitMs } from '../refactoring.ts';

/** What it is about: with the bytes of the tree, this decides the plan. */
export const MoveInput = z.strictObject({
  file: z.string().min(1, 'name a file'),
  /** Where relative paths may be meant from; the root otherwise. */
  cwd: z.string().optional(),
  /** A path, or a directory in which it keeps its name. */
  to: z.string().min(1, 'name where it is to be'),
  wait_ms: WaitMs,
});
export type MoveInput = z.infer<typeof MoveInput>;
