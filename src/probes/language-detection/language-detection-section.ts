/** The section about languages, frameworks and package roots. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { knownLanguages } from '../../languages/file-language.ts';

const perLanguage = z
  .record(z.string().regex(/^[a-z][a-z0-9_+#-]{0,31}$/), z.int().min(0))
  .describe(
    `keys: ${knownLanguages.join(', ')}, and languages named in languages.extra_extensions; languages with no file are left out`,
  );

export const languageStackSection = z.strictObject({
  counts: perLanguage,
  bytes: perLanguage,
  primary: z.string().nullable(),
  secondary: z.array(z.string()),
  test_files: z.int().min(0),
  generated_or_vendored: z.int().min(0),
  framework_hints: z.array(z.string()),
  /** What each hint rests on: the manifest, and the dependency as it is written there. */
  framework_evidence: z.array(
    z.strictObject({ framework: z.string(), path: namedOnly(z.string()), dependency: namedOnly(z.string()) }),
  ),
  monorepo: z.strictObject({ tool: z.string(), markers: z.array(z.string()) }).nullable(),
  roots: z.array(z.strictObject({ path: namedOnly(z.string()), kind: z.string() })),
});
