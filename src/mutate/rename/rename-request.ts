/** What a rename is asked with, on every surface. */

import { z } from '../../kernel/base/schema.ts';
import { aliasPolicies, publicNamePolicies, renameModes } from '../vocabulary.ts';

/** What it is about: with the bytes of the tree, this decides the plan. */
export const RenameInput = z.strictObject({
  /** `file:line:col`, `file:line`, or a name path. */
  target: z.string().min(1, 'name a place (file:line:col) or a name path (Class/method)'),
  /** Where a relative path may be meant from; the root otherwise. */
  cwd: z.string().optional(),
  new_name: z.string().min(1, 'say what it is to be called'),
  mode: z.enum(renameModes).default('semantic'),
  public_names: z.enum(publicNamePolicies).default('ask'),
  alias_policy: z.enum(aliasPolicies).default('through'),
  /** How long a refresh of the index may take before the answer is `blocked`. */
  wait_ms: z.number().int().min(0).default(10_000),
});
export type RenameInput = z.infer<typeof RenameInput>;
