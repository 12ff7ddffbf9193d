/** Files that people author for this tool (layer D): where configuration puts them, their version, and what was wrong with one. */

import { isAbsolute, relative } from 'node:path';
import type { ConfigKey } from '../../gather/config.ts';
import type { ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

/** `position` counts the entries of the key that have a path; 0 for a key that holds one path. */
export type ConfiguredPath = { readonly key: ConfigKey; readonly position: number; readonly path: string };

/** Inputs inside the root have root-relative ids, those outside `config:<key>:<position>/<rel>`. */
export function belowConfigured(root: string, id: string, configured: ConfiguredPath): boolean {
  return relativeToConfigured(root, id, configured) !== undefined;
}

/** The part of the id below the configured directory; undefined if the input is not below it. */
export function relativeToConfigured(root: string, id: string, configured: ConfiguredPath): string | undefined {
  const outside = `config:${configured.key}:${configured.position}/`;
  if (id.startsWith(outside)) return id.slice(outside.length);
  if (isForeign(id)) return undefined;
  const inside = isAbsolute(configured.path)
    ? relative(root, configured.path)
    : configured.path
        .split('/')
        .filter((segment) => segment !== '' && segment !== '.')
        .join('/');
  if (inside === '') return id;
  return id.startsWith(`${inside}/`) ? id.slice(inside.length + 1) : undefined;
}

/** Root-relative, or absolute for files outside the root; the sanitiser writes the home directory as `~`. */
export function shownPath(repo: ProbeRepo, id: string): string {
  return isForeign(id) ? (repo.inputs.fingerprint(id)?.path ?? id) : id;
}

function isForeign(id: string): boolean {
  return id.startsWith('config:') || id.startsWith('user:');
}

// The version of a set of catalog files: which files there are and what they hold, never when or where.
// Made of input fingerprints alone, so that asking "what would it be now" reads no file.

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

// How a probe of layer D says what was wrong with one authored file: the path, a reason of a closed set, and its detail.

export type PerFileError<R extends string = string> = {
  readonly path: string;
  readonly reason: R;
  readonly details?: string;
  readonly errno_name?: string;
  readonly offending_kind?: string;
};

export function perFileErrorSchema<const R extends readonly [string, ...string[]]>(reasons: R) {
  return z.strictObject({
    path: z.string(),
    reason: z.enum(reasons),
    details: z.string().optional(),
    errno_name: z.string().optional(),
    offending_kind: z.string().optional(),
  });
}

export function sortPerFileErrors<E extends PerFileError>(errors: readonly E[]): E[] {
  return [...errors].sort(
    (a, b) =>
      compareCodeUnits(a.path, b.path) ||
      compareCodeUnits(a.reason, b.reason) ||
      compareCodeUnits(a.details ?? '', b.details ?? ''),
  );
}

/** Layer D's rule: every file read → high; some not → medium; none usable → low. */
export function confidenceOf(read: number, unusable: number): 'high' | 'medium' | 'low' {
  if (unusable === 0) return 'high';
  return read > 0 ? 'medium' : 'low';
}
