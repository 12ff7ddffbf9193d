/** Which sources hints are looked for in, and the section about them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

export const hintSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go}'];

const place = { path: namedOnly(z.string()), line: z.int() };

export const invariantHintsSection = z.strictObject({
  /** The first 1000 of each list; `counts` are of all. Of test files only the titles. */
  assertions: z.array(
    z.strictObject({
      ...place,
      kind: z.enum(['assert', 'invariant', 'throw_guard', 'type_guard', 'exhaustive_never']),
      text: z.string().max(200),
    }),
  ),
  /** Schemas and models, by the name they are declared with. */
  validators: z.array(
    z.strictObject({
      ...place,
      library: z.enum(['zod', 'yup', 'joi', 'valibot', 'ajv', 'class-validator', 'pydantic']),
      name: z.string(),
    }),
  ),
  test_titles: z.array(z.strictObject({ ...place, title: z.string() })),
  jsdoc_contracts: z.array(
    z.strictObject({ ...place, tag: z.enum(['throws', 'deprecated', 'internal', 'invariant', 'pre', 'post']) }),
  ),
  counts: z.strictObject({
    assertions: z.int(),
    validators: z.int(),
    test_titles: z.int(),
    jsdoc_contracts: z.int(),
  }),
});
