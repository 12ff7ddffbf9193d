/**
 * The version of a set of catalog files: which files there are and what they hold, never when or where.
 * Made of input fingerprints alone, so that asking "what would it be now" reads no file.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';

/** `<format>+blake3:<16 hex>`; `format` is raised when the same files come to mean something else. */
export function catalogVersion(format: string, repo: ProbeRepo, ids: readonly string[]): string {
  return `${format}+blake3:${digestInputs(repo, ids).slice(0, 16)}`;
}

/** 64 hex over id, content hash and size of each input, in id order. */
export function digestInputs(repo: ProbeRepo, ids: readonly string[]): string {
  const entries = [...ids].sort(compareCodeUnits).map((id) => {
    const fingerprint = repo.inputs.fingerprint(id);
    return [id, fingerprint?.contentHash ?? 'absent', fingerprint?.size ?? 0];
  });
  return blake3Hex(JSON.stringify(entries));
}
