/**
 * What one question has seen of the disk: which directories are real ones, and the stat of the very bytes it read. What is compared with
 * the disk after it was read for the same question need not be looked at again.
 */

import type { SourceStat } from './read-source.ts';
import { createDirectoryGuard, type DirectoryGuard } from './safe-read.ts';

export type DiskLook = { readonly guard: DirectoryGuard; readonly stats: Map<string, SourceStat> };

export function createDiskLook(root: string): DiskLook {
  return { guard: createDirectoryGuard(root), stats: new Map() };
}
