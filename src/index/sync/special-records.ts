/** Rows of files that are not read: links, and what a sparse checkout leaves out. */

import { resolveLink } from '../../kernel/repo/resolve-link.ts';
import type { AliasReason, FileRecord } from '../store/rows.ts';
import { type FileIdentity, skippedRecord } from '../syntax/describe-file.ts';

const nothingRead = { stat: null, hashedUs: null, contentHash: null } as const;

export function secretRecord(identity: FileIdentity): FileRecord {
  return skippedRecord(identity, 'secret', nothingRead);
}

export function unreadableRecord(identity: FileIdentity): FileRecord {
  return skippedRecord(identity, 'unreadable', nothingRead);
}

export function absentRecord(identity: FileIdentity): FileRecord {
  const record = skippedRecord(identity, 'unreadable', nothingRead);
  return { ...record, file: { ...record.file, presence: 'absent', skipReason: null } };
}

export type AliasEnd = { readonly canonicalPath: string | null; readonly reason: AliasReason | null };

/** F6: another name of a file in scope, or a name with the reason why it is none. */
export function findAliasEnd(root: string, path: string, isInScope: (path: string) => boolean): AliasEnd {
  const end = resolveLink(root, path);
  if (end.kind !== 'file') return { canonicalPath: null, reason: end.kind };
  return isInScope(end.path)
    ? { canonicalPath: end.path, reason: null }
    : { canonicalPath: null, reason: 'out_of_scope' };
}

export function aliasRecord(root: string, identity: FileIdentity, isInScope: (path: string) => boolean): FileRecord {
  const { canonicalPath, reason } = findAliasEnd(root, identity.path, isInScope);
  const { file, ...rest } = skippedRecord(identity, 'unreadable', nothingRead);
  return { ...rest, file: { ...file, kind: 'alias', language: null, canonicalPath, skipReason: reason } };
}
