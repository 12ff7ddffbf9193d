/** What the disk refuses is no bug of ours: its error code, and the refusal it leads to. */

import { OutputRefused } from '../../kernel/base/write-file.ts';
import type { RefusedReason } from '../outcome.ts';

/** `undefined`: no failure of the disk. */
export function errnoOf(error: unknown): string | undefined {
  if (error instanceof OutputRefused) return /\((E[A-Z]+)\)/.exec(error.why)?.[1] ?? 'EIO';
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}

export function reasonOf(errno: string): RefusedReason {
  if (errno === 'ENOSPC' || errno === 'EDQUOT') return 'no_space';
  return errno === 'EROFS' || errno === 'EACCES' || errno === 'EPERM' ? 'read_only' : 'unsafe_volume';
}
