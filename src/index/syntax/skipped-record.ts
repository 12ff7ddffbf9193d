/** The row of a file that is not described. Apart from what describes: whoever only compares files needs no parser. */

import type { FileRecord, SkipReason, StatSignature } from '../store/rows.ts';
import type { FileIdentity } from './describe-file.ts';

/** A row that says why nothing else is known (F12). */
export function skippedRecord(
  identity: FileIdentity,
  skipReason: SkipReason,
  read: { readonly stat: StatSignature | null; readonly hashedUs: number | null; readonly contentHash: string | null },
): FileRecord {
  return {
    file: {
      ...identity,
      kind: 'file',
      canonicalPath: null,
      presence: 'present',
      contentHash: read.contentHash,
      stat: read.stat,
      hashedUs: read.hashedUs,
      eol: null,
      bom: false,
      lines: null,
      redacted: false,
      skipReason,
      parse: null,
      synIface: null,
      ifaceClosed: false,
      ifaceCore: null,
    },
    facts: null,
    text: null,
  };
}
