/**
 * What a file is called in answers, logs and databases where its own name cannot or may not be written: bytes that are not UTF-8, and tokens.
 * Promise: what comes from here holds no token that is known by its own letters. Secrets go first: an escape is letters too, and what stands
 * before a token decides whether it is one.
 */

import { findSecrets } from '../secrets/find-secrets.ts';
import { constantFingerprintClasses } from '../secrets/patterns.ts';
import { redactString } from '../secrets/redact-string.ts';

/** A place that a listing could not look at, under the name by which it may be shown. */
export type Gap = { readonly path: string; readonly reason: string };

/** `path` as it is on disk; one that is not UTF-8 with one character per byte, and then `isBytes`. */
export function gapAt(path: string, reason: string, isBytes = false): Gap {
  const shown = findStandIn(path) ?? path;
  return { path: isBytes ? escapeBytes(shown) : shown, reason };
}

/** A name that is not UTF-8, in a folder whose name is. */
export function gapOfName(folder: string, name: Uint8Array): Gap {
  const bytes = Buffer.concat([Buffer.from(folder === '' ? '' : `${folder}/`), name]);
  return gapAt(bytes.toString('latin1'), 'name_not_utf8', true);
}

/** What a file is called where its name may be written nowhere; undefined for all others. */
export function findStandIn(path: string): string | undefined {
  return holdsSecret(path) ? redactString(path, { entropy: false }).text : undefined;
}

/** A secret that is known by its own letters. What is only suspected by its surroundings or its looks is a name like others. */
function holdsSecret(path: string): boolean {
  return findSecrets(path, { entropy: false }).some(({ class: found }) => !constantFingerprintClasses.has(found));
}

function escapeBytes(bytes: string): string {
  return bytes.replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
