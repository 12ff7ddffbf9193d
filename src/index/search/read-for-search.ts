/** Files as searching reads them: from disk, through the one way files are opened, judged as the index judges them (F12). */

import { isUtf8 } from 'node:buffer';
import { textLimits } from '../../kernel/base/limits.ts';
import { decodeText } from '../../kernel/tree/content-kind.ts';
import { createDiskLook, type DiskLook, readSource } from '../../kernel/tree/safe-read.ts';
import type { SearchRead } from './types.ts';

/** Nearly every source is shorter. */
const SCRATCH_BYTES = 256 * 1024;

/**
 * For one question: what was seen of the directories is remembered, and of what was read its stat. `reuse`: what was read is good until
 * the next read, because memory that is new for each file takes as long to get as the bytes.
 */
export function createSearchReader(
  root: string,
  options: { readonly reuse: boolean; readonly look?: DiskLook | undefined } = { reuse: false },
): (path: string) => SearchRead {
  const { guard, stats } = options.look ?? createDiskLook(root);
  const scratch = options.reuse ? Buffer.allocUnsafeSlow(SCRATCH_BYTES) : undefined;
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard, scratch);
    if (read.kind === 'absent') return read;
    if (read.kind === 'too_large') return { kind: 'skipped', reason: 'large' };
    if (read.kind === 'read') stats.set(path, read.stat);
    if (read.kind === 'unreadable') return { kind: 'skipped', reason: 'unreadable' };
    if (isPlainText(read.bytes)) return { kind: 'read', bytes: read.bytes };
    const decoded = decodeText(read.bytes);
    return decoded.kind === 'skip' ? { kind: 'skipped', reason: decoded.reason } : { kind: 'read', bytes: read.bytes };
  };
}

/** What `decodeText` is sure to take for text, without decoding it: most files, and decoding takes longer than searching. */
function isPlainText(bytes: Buffer): boolean {
  const mayBePointer = bytes.length < 1024 && bytes[0] === 0x76;
  return !mayBePointer && !bytes.includes(0) && isUtf8(bytes);
}
