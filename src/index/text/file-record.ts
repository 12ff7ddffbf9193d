/** What records of files share with code that only compares files: kept apart from `describe-file.ts`, which loads the parser. */

import { sha256Hex } from '../../kernel/base/hash.ts';
import type { FileRecord, SkipReason, StatSignature } from '../store/file-rows.ts';
import { extractorVersion } from './extractor-version.gen.ts';

/** What is known of a file before it is read. */
export type FileIdentity = {
  readonly path: string;
  readonly pathKey: string;
  /** By name; `null` lets a first line `#!…` decide. */
  readonly language: string | null;
  readonly generated: boolean;
  readonly vendored: boolean;
  readonly test: boolean;
  readonly conflicted: boolean;
};

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

const namePathChars = 1_000;

/** `Class/method`: the names on the way to a symbol. Hostile nesting must not make the paths of a file longer than the file is. */
export function joinNamePath(above: string, name: string): string {
  const path = `${above}/${name}`;
  return path.length <= namePathChars ? path : `…/${name}`;
}

/** A `tsconfig` may extend a file of any name: whatever speaks of compiler options provides this name, and imports may depend on it. */
export const compilerOptionsName = 'config:compilerOptions';

/** Which reading of files a store holds (S9): the extractor, and what the configuration adds to the table of languages. */
export function extractorIdentity(extraExtensions: ReadonlyMap<string, string>): string {
  if (extraExtensions.size === 0) return extractorVersion;
  return `${extractorVersion}:${sha256Hex(JSON.stringify([...extraExtensions].sort())).slice(0, 16)}`;
}
