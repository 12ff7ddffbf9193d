/** Rows of files that are not read: links, and what a sparse checkout leaves out. */

import type { FileRecord } from '../store/rows.ts';
import type { FileIdentity } from '../text/describe-file.ts';
import { skippedRecord } from '../text/file-record.ts';
import { findAliasEnd } from './find-alias-end.ts';

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

export function aliasRecord(root: string, identity: FileIdentity, isInScope: (path: string) => boolean): FileRecord {
  const { canonicalPath, reason } = findAliasEnd(root, identity.path, isInScope);
  const { file, ...rest } = skippedRecord(identity, 'unreadable', nothingRead);
  return { ...rest, file: { ...file, kind: 'alias', language: null, canonicalPath, skipReason: reason } };
}
