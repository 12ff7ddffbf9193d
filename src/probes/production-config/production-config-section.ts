/** Settings of environments, by name and digest, never by value. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

const setting = z.strictObject({
  name: namedOnly(z.string()),
  kind: z.enum(['literal', 'reference', 'templated']),
  /** BLAKE3 of a literal that cannot be a secret; null for everything else. */
  value_digest: namedOnly(z.string()).nullable(),
});
export type ConfigValue = Readonly<z.output<typeof setting>>;

const environment = z.strictObject({ name: z.string(), path: z.string(), keys: z.array(setting) });
export type Environment = Readonly<z.output<typeof environment>>;

const drift = z.strictObject({ key: namedOnly(z.string()), environments: z.array(z.string()) });
export type Drift = Readonly<z.output<typeof drift>>;

export const productionConfigSection = z.strictObject({
  environments: z.array(environment),
  /** Settings in which the environments differ, with the environments that have them. */
  drift: z.array(drift),
});
