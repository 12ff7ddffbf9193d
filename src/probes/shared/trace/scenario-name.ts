/** Names of scenarios are keys of the slice and parts of file names: a closed alphabet, and nothing that is refused as a key. */

import { findSecretKey } from '../../../gather/json-closed.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';

export function isScenarioName(name: string): boolean {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name) || findSecretKey({ [name]: null }) !== undefined) return false;
  return redactString(name, { entropy: true }).findings.length === 0;
}
