/** A file for a tool, in the probe's own scratch directory, which goes when the probe is over. */

import { ensureParents, writeAtomically } from '../../../kernel/base/write-file.ts';

/** `path` is below the workspace; the absolute path of what was written. */
export function writeScratch(workspace: string, path: string, content: string | Uint8Array): string {
  const file = `${workspace}/${path}`;
  ensureParents(workspace, file);
  writeAtomically(file, content, { durable: false });
  return file;
}
