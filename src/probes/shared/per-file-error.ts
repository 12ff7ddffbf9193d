/** How a probe of layer D says what was wrong with one authored file: the path, a reason of a closed set, and its detail. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

export type PerFileError<R extends string = string> = {
  readonly path: string;
  readonly reason: R;
  readonly details?: string;
  readonly errno_name?: string;
  readonly offending_kind?: string;
};

export function perFileErrorSchema<const R extends readonly [string, ...string[]]>(reasons: R) {
  return z.strictObject({
    path: z.string(),
    reason: z.enum(reasons),
    details: z.string().optional(),
    errno_name: z.string().optional(),
    offending_kind: z.string().optional(),
  });
}

export function sortPerFileErrors<E extends PerFileError>(errors: readonly E[]): E[] {
  return [...errors].sort(
    (a, b) =>
      compareCodeUnits(a.path, b.path) ||
      compareCodeUnits(a.reason, b.reason) ||
      compareCodeUnits(a.details ?? '', b.details ?? ''),
  );
}

/** Layer D's rule: every file read → high; some not → medium; none usable → low. */
export function confidenceOf(read: number, unusable: number): 'high' | 'medium' | 'low' {
  if (unusable === 0) return 'high';
  return read > 0 ? 'medium' : 'low';
}
