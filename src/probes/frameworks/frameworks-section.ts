/** The section about frameworks: declared by a manifest, and used by code that is neither test nor sample. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

const path = namedOnly(z.string());

export const frameworksSection = z.strictObject({
  /** Directories with a manifest, each of which was looked at. */
  directories: z.array(path),
  used: z.array(
    z.strictObject({
      framework: z.string(),
      /** Of the package whose code uses it. */
      directory: path,
      manifest: path,
      /** The words of the manifest that name it. */
      shows: namedOnly(z.string()),
      /** The first place that imports it; null where declaring it is using it. */
      imported_at: z.strictObject({ path, line: z.int().min(1) }).nullable(),
    }),
  ),
});
