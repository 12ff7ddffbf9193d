/** Lines and columns of stored byte offsets, from bytes that are the ones the offsets were counted in, and from no others. */

import type { CodeView } from '../../../index/state/code-view.ts';
import { blake3Hex } from '../../../kernel/base/hash.ts';
import { type ByteOffset, createPositions } from '../../../kernel/repo/positions.ts';

export type SourcePlace = { readonly line: number; readonly col: number };

/** 1-based. `undefined`: the file on disk is not the one that was indexed, so its offsets mean nothing in it. */
export function openPositions(
  view: CodeView,
  path: string,
  contentHash: string | null,
): ((byte: number) => SourcePlace) | undefined {
  const source = view.readText(path);
  if (source === undefined || blake3Hex(source.bytes) !== contentHash) return undefined;
  const positions = createPositions(source.bytes);
  return (byte) => {
    const { line, column } = positions.toLineColumn(byte as ByteOffset);
    return { line: line + 1, col: column + 1 };
  };
}
