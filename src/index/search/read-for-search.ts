/** Files as searching reads them: from disk, through the one way files are opened, judged as the index judges them (F12). */

import { isUtf8 } from 'node:buffer';
import { decodeText } from '../../kernel/repo/content-kind.ts';
import { readSource } from '../../kernel/repo/read-source.ts';
import { createDirectoryGuard } from '../../kernel/repo/safe-read.ts';
import { textLimits } from '../syntax/text-limits.ts';
import type { SearchRead } from './types.ts';

/** For one question: what was seen of the directories is remembered. */
export function createSearchReader(root: string): (path: string) => SearchRead {
  const guard = createDirectoryGuard(root);
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard);
    if (read.kind === 'absent') return read;
    if (read.kind === 'too_large') return { kind: 'skipped', reason: 'large' };
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
