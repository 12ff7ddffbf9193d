/**
 * Reads a small file of the machine that may as well be one of the analysed repository: an interpreter's environment often lies in the
 * project. Below the repository's root no link is followed (§1.2): one could lead to a device without an end, or to what nobody showed us.
 * Elsewhere links are the user's own. Nothing but regular files up to a size is read, and nothing blocks.
 */

import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isInside } from '../../../kernel/exec/resolve-tool.ts';
import { createDirectoryGuard, readRegular } from '../../../kernel/tree/safe-read.ts';

/** Undefined for what is absent, not regular, too long, or behind a link of the repository. */
export function readBounded(path: string, maxBytes: number, repoRoot: string): string | undefined {
  const at = isInside(repoRoot, path) ? path : realPathOf(path);
  if (at === undefined) return undefined;
  const [base, name] = divide(at, repoRoot);
  const read = readRegular(base, name, maxBytes, createDirectoryGuard(base));
  return read.kind === 'read' ? Buffer.from(read.bytes).toString('utf8') : undefined;
}

/** Is it a directory that the repository has not led us to by a link? */
export function isPlainDirectory(path: string, repoRoot: string): boolean {
  const at = isInside(repoRoot, path) ? path : realPathOf(path);
  if (at === undefined) return false;
  const [base, name] = divide(at, repoRoot);
  return createDirectoryGuard(base).holds(`${name}/x`);
}

/** What is trusted to be where it is, and the way from there. */
function divide(path: string, repoRoot: string): [string, string] {
  return isInside(repoRoot, path) ? [repoRoot, path.slice(repoRoot.length + 1)] : [dirname(path), basename(path)];
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
