/** YAML lockfiles as objects of strings: by the line reader where the file is what its tool writes, by the library otherwise. */

import type { JsonObject } from '../../base/json.ts';
import { readBlockYaml } from '../block-yaml.ts';
import { type ParseLimits, type ParseOutcome, parsed } from '../outcome.ts';
import { parseText } from '../text.ts';
import { parseYamlStrings } from '../yaml.ts';

export function parseLockYaml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const regular = readBlockYaml(text.value, limits.maxDepth);
  return regular === undefined ? parseYamlStrings(bytes, limits) : parsed(regular);
}
