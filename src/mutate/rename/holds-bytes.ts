/** Is a name somewhere in a file that the index does not read as text? In UTF-8 and both byte orders of UTF-16 (§2.4). */

import { readSource } from '../../kernel/repo/read-source.ts';
import { createDirectoryGuard } from '../../kernel/repo/safe-read.ts';

const maxBytes = 64 * 1024 ** 2;

/** `unknown`: it could not be read, or is larger than we look. */
export function holdsBytes(root: string, path: string, name: string): 'yes' | 'no' | 'unknown' {
  const outcome = readSource(root, path, maxBytes, createDirectoryGuard(root));
  if (outcome.kind === 'absent') return 'no';
  if (outcome.kind !== 'read') return 'unknown';
  const little = Buffer.from(name, 'utf16le');
  const big = Buffer.from(little).swap16();
  return [Buffer.from(name), little, big].some((needle) => outcome.bytes.includes(needle)) ? 'yes' : 'no';
}
