/** Which reading of files a store holds (S9): the extractor, and what the configuration adds to the table of languages. */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { extractorVersion } from './extractor-version.gen.ts';

export function extractorIdentity(extraExtensions: ReadonlyMap<string, string>): string {
  if (extraExtensions.size === 0) return extractorVersion;
  return `${extractorVersion}:${sha256Hex(JSON.stringify([...extraExtensions].sort())).slice(0, 16)}`;
}
