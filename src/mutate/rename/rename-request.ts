/** What a rename is asked with, on every surface, and where it begins. Light, because surfaces load it at start. */

import type { Subject } from '../../index/navigate/subject.ts';
import { oneOf, z } from '../../kernel/base/schema.ts';
import { WaitMs } from '../refactoring.ts';
import { aliasPolicies, publicNamePolicies, renameModes } from '../vocabulary.ts';

/** What it is about: with the bytes of the tree, this decides the plan. */
export const RenameInput = z.strictObject({
  /** `file:line:col`, `file:line`, or a name path. */
  target: z.string().min(1, 'name a place (file:line:col) or a name path (Class/method)'),
  /** Where a relative path may be meant from; the root otherwise. */
  cwd: z.string().optional(),
  new_name: z.string().min(1, 'name what it is to be called'),
  mode: oneOf(renameModes).default('semantic'),
  public_names: oneOf(publicNamePolicies).default('ask'),
  alias_policy: oneOf(aliasPolicies).default('through'),
  wait_ms: WaitMs,
});
export type RenameInput = z.infer<typeof RenameInput>;

export type RenameTarget = {
  readonly kind: 'target';
  readonly path: string;
  readonly language: string;
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly name: string;
  /** What syntax says it is; null for a position in TypeScript and JavaScript, which only the compiler is asked about. */
  readonly subject: Subject | null;
};
