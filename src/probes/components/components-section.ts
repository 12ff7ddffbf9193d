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
  /** Programming languages of it and of the parts of the product below it, by bytes (at most 64 KiB of a file), each with its largest file. */
  languages: z.array(z.strictObject({ language: z.string(), files: z.int(), bytes: z.int(), sample: path })),
  manifests: z.array(path),
  /** Its manifest lets it be published (npm, Cargo); null where the ecosystem does not say. */
  published: z.boolean().nullable(),
  /** How it is known to be one, and of this kind. */
  how: z.string(),
});
export type ComponentRow = Readonly<z.output<typeof component>>;

export const componentsSection = z.strictObject({
  /** By directory; the root is always there. */
  components: z.array(component),
  /** The first workspace of the root; null where there is none. */
  workspace: z.strictObject({ tool: z.string(), declared_in: path, members: z.array(path) }).nullable(),
  /** Every workspace of the tree, also of directories below the root. */
  workspaces: z.array(
    z.strictObject({
      tool: z.string(),
      declared_in: path,
      /** What the declaring line holds. */
      shows: z.string(),
      /** Directories, without the declaring one. */
      members: z.array(path),
      /** False where members are computed. */
      complete: z.boolean(),
    }),
  ),
});

/** Programs by the names under which they are started. */
export const starterGlob = '**/bin/*.{php,pl,py,rb,sh}';
