/** Where owners are declared, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

/** In the order the forges look. */
export const codeownersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

export const CATALOG_PATH = 'catalog-info.yaml';

const coverage = z.strictObject({
  files: z.int(),
  owned: z.int(),
  /** Directories at the root in which no file has an owner. */
  unowned_top_dirs: z.array(z.string()),
});
export type Coverage = Readonly<z.output<typeof coverage>>;

export const ownershipSection = z.strictObject({
  /** The file that counts; null when only the catalog is there. */
  source_path: z.string().nullable(),
  entries: z.array(
    z.strictObject({
      pattern: namedOnly(z.string()),
      owners: z.array(namedOnly(z.string())),
      line_number: z.int(),
      section: z.string().nullable(),
    }),
  ),
  coverage,
  catalog: z
    .strictObject({ system: z.string().nullable(), owner: z.string().nullable(), lifecycle: z.string().nullable() })
    .nullable(),
  also_present: z.array(z.string()),
});
