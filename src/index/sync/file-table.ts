/**
 * What the store says of every file, in memory: the reconciler compares the disk with it and keeps it equal to what it wrote.
 * One object per file with few numbers, because a daemon holds it for as long as it lives.
 */

import type { ReadSession } from '../store/facts-handle.ts';
import { foldInode } from '../store/inode.ts';
import { loadFileStates } from '../store/queries/load-file-states.ts';
import type { FileRow, StatSignature } from '../store/rows.ts';

export type FileState = {
  readonly kind: 'file' | 'alias';
  readonly presence: 'present' | 'absent';
  readonly contentHash: string | null;
  readonly size: number;
  readonly mtimeUs: number;
  readonly ctimeUs: number;
  readonly ino: number;
  readonly hashedUs: number;
  readonly skipReason: string | null;
  readonly conflicted: boolean;
  readonly canonicalPath: string | null;
  readonly language: string | null;
};

export type FileTable = Map<string, FileState>;

export function loadFileTable(session: ReadSession): FileTable {
  const states = loadFileStates(session);
  const table: FileTable = new Map();
  for (let index = 0; index < states.count; index += 1) {
    table.set(states.path[index] as string, {
      kind: states.kind[index] as FileState['kind'],
      presence: states.presence[index] as FileState['presence'],
      contentHash: states.contentHash[index] ?? null,
      size: states.size[index] ?? -1,
      mtimeUs: states.mtimeUs[index] ?? -1,
      ctimeUs: states.ctimeUs[index] ?? -1,
      ino: states.ino[index] ?? -1,
      hashedUs: states.hashedUs[index] ?? -1,
      skipReason: states.skipReason[index] ?? null,
      conflicted: states.conflicted[index] as boolean,
      canonicalPath: states.canonicalPath[index] ?? null,
      language: states.language[index] ?? null,
    });
  }
  return table;
}

export function stateOf(row: FileRow): FileState {
  return {
    kind: row.kind,
    presence: row.presence,
    contentHash: row.contentHash,
    size: row.stat?.size ?? -1,
    mtimeUs: row.stat?.mtimeUs ?? -1,
    ctimeUs: row.stat?.ctimeUs ?? -1,
    ino: row.stat === null ? -1 : foldInode(row.stat.ino),
    hashedUs: row.hashedUs ?? -1,
    skipReason: row.skipReason,
    conflicted: row.conflicted,
    canonicalPath: row.canonicalPath,
    language: row.language,
  };
}

export function withStat(state: FileState, stat: StatSignature, hashedUs: number): FileState {
  return { ...state, ...stat, ino: foldInode(stat.ino), hashedUs };
}

/**
 * The stat screen (§2): unchanged if the signature is equal and the bytes were hashed at least the racy window after both of its
 * times. Within that window a second write can leave everything but the bytes as it was.
 */
export function isUnchanged(state: FileState, stat: StatSignature, racyWindowUs: number): boolean {
  if (
    state.size !== stat.size ||
    state.mtimeUs !== stat.mtimeUs ||
    state.ctimeUs !== stat.ctimeUs ||
    state.ino !== stat.ino
  ) {
    return false;
  }
  // Too large to be read at any time: its size is all that is kept.
  if (state.skipReason === 'large' && state.contentHash === null) return true;
  return state.hashedUs >= Math.max(stat.mtimeUs, stat.ctimeUs) + racyWindowUs;
}
