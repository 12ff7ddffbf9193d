/** The section about what the tree consists of. */

import { namedOnly } from '../../gather/contract.ts';
import { componentKinds } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';

const path = namedOnly(z.string());

const component = z.strictObject({
  /** `.` is the root. */
  dir: path,
  name: namedOnly(z.string()).nullable(),
  kind: z.enum(componentKinds),
  /** By the files below it that lie in no other component; null where there is no code. */
  language: z.string().nullable(),
  /** Programming languages by files, then bytes, each with its largest file. */
  languages: z.array(z.strictObject({ language: z.string(), files: z.int(), sample: path })),
  manifests: z.array(path),
  /** How it is known to be one, and of this kind. */
  how: z.string(),
});
export type ComponentRow = Readonly<z.output<typeof component>>;

export const componentsSection = z.strictObject({
  /** By directory; the root is always there. */
  components: z.array(component),
  /** The directories that a workspace names as its packages; null where there is no workspace. */
  workspace: z.strictObject({ tool: z.string(), declared_in: path, members: z.array(path) }).nullable(),
});
