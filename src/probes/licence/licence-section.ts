/** The section about licences: texts, and what manifests declare. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

const path = namedOnly(z.string());

export const licenceTextGlobs: readonly string[] = [
  '**/{LICENSE,LICENCE,License,Licence,license,licence,COPYING,Copying,copying,UNLICENSE,Unlicense,MIT-LICENSE}',
  '**/{LICENSE,LICENCE,License,Licence,license,licence,COPYING,UNLICENSE,MIT-LICENSE}{.,-,_}*',
];

export const licenceManifestGlobs: readonly string[] = [
  '**/{package.json,composer.json,pyproject.toml,Cargo.toml,pom.xml,setup.cfg}',
  '**/*.gemspec',
];

export const licenceReadmes: readonly string[] = ['{README,Readme,readme}{,.md,.rst,.txt,.adoc}'];

export const licenceSection = z.strictObject({
  texts: z.array(
    z.strictObject({
      path,
      /** Null: it is no licence that we know, or more than one. */
      spdx: z.string().nullable(),
      line: z.int().nullable(),
      /** Words of the text that stand in the line. */
      shows: z.string().nullable(),
      /** The file holds little besides the licence. */
      alone: z.boolean(),
    }),
  ),
  declared: z.array(
    z.strictObject({
      path,
      /** As it stands there. */
      written: namedOnly(z.string()),
      /** An SPDX expression; null where it names no licence that we know. */
      spdx: z.string().nullable(),
    }),
  ),
  /** What the section of the README about the licence says, where it names one. */
  readme: z
    .strictObject({ path, written: namedOnly(z.string()), spdx: z.string().nullable(), line: z.int() })
    .nullable(),
});
export type LicenceSection = Readonly<z.output<typeof licenceSection>>;
