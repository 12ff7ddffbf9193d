/**
 * One word for the tree a plan was made in: over path and content of every file in scope. Equal at commit, and every question that was
 * asked then would get the same answer now; different, and all of them are asked again.
 */

import { createHash } from 'node:crypto';
import type { CodeView } from '../../index/state/code-view.ts';
import { loadFileStates } from '../../index/store/queries/load-file-states.ts';

export function scopeDigestOf(view: Pick<CodeView, 'read'>): string {
  const files = view.read(loadFileStates);
  const hash = createHash('sha256');
  for (let at = 0; at < files.count; at += 1) {
    if (files.presence[at] !== 'present') continue;
    // What is too large or too secret to be read has only its looks.
    const content = files.contentHash[at] ?? `${files.size[at]} ${files.mtimeUs[at]} ${files.ctimeUs[at]}`;
    hash.update(`${files.path[at]}\0${files.kind[at]}\0${content}\0${files.canonicalPath[at] ?? ''}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}
