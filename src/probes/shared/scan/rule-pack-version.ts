/**
 * The version of a set of rules: the tool that understands them, and a hash over their bytes in path order (gather.md §10).
 * A tool whose version is not known gives no version that could be compared.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';

/** A name that does not depend on the machine, and the hash of what the file holds. */
export type RuleFile = { readonly name: string; readonly hash: string };

/** `<tool version>+blake3:<16 hex>`. */
export function rulePackVersion(toolVersion: string, files: readonly RuleFile[]): string {
  const entries = [...files].sort((a, b) => compareCodeUnits(a.name, b.name)).map(({ name, hash }) => [name, hash]);
  return `${toolVersion}+blake3:${blake3Hex(JSON.stringify(entries)).slice(0, 16)}`;
}

/** Null where the tool is missing or does not say which one it is. */
export function expectedRulePackVersion(toolVersion: string, files: readonly RuleFile[]): string | null {
  return toolVersion === 'absent' || toolVersion === 'unknown' ? null : rulePackVersion(toolVersion, files);
}
