/**
 * What is known of a file before it is read: its language, and whether it is generated, vendored, a test, or secret-bearing. Follows
 * from the set of paths and the repository's `.gitattributes`; `signature` changes when the latter could change an answer. Also the rows
 * of files that are never read: links, secrets, and what a sparse checkout leaves out.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { isSecretBearing } from '../../kernel/tree/content-kind.ts';
import { isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import {
  type AttributeFile,
  createLinguistAttributes,
  type LinguistFacts,
  mentionsLinguist,
} from '../../kernel/tree/linguist-attributes.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { createLanguageResolver, isSharedExtension, knownLanguages } from '../../languages/file-language.ts';
import { hasSyntax } from '../../languages/languages.ts';
import type { FileRecord } from '../store/file-rows.ts';
import { type FileIdentity, skippedRecord } from '../text/file-record.ts';
import { findAliasEnd } from './find-differences.ts';

export interface FileIdentifier {
  identify(path: string, conflicted: boolean): FileIdentity;
  isSecret(path: string): boolean;
  /** Files whose language depends on their neighbours (`.h`). */
  readonly shared: readonly string[];
  isShared(path: string): boolean;
  readonly signature: string;
}

const attributeBytes = 1024 * 1024;

export function createFileIdentifier(
  root: string,
  paths: readonly string[],
  extraExtensions: ReadonlyMap<string, string>,
  pathKey: (path: string) => string,
): FileIdentifier {
  const attributeFiles = readAttributeFiles(root, paths);
  const findAttributes = createLinguistAttributes(attributeFiles);
  // Each path is asked about two or three times.
  const attributesByPath = new Map<string, LinguistFacts>();
  const attributesOf = (path: string): LinguistFacts => {
    const facts = attributesByPath.get(path) ?? findAttributes(path);
    attributesByPath.set(path, facts);
    return facts;
  };
  const languageOf = createLanguageResolver(paths, extraExtensions);
  const known: ReadonlySet<string> = new Set(knownLanguages);
  const languageFor = (path: string) => {
    const named = attributesOf(path).language;
    return named !== undefined && known.has(named) ? named : languageOf(path);
  };
  return {
    identify(path, conflicted) {
      const attributes = attributesOf(path);
      return {
        path,
        pathKey: pathKey(path),
        language: languageFor(path),
        generated: attributes.generated ?? isGeneratedName(path),
        vendored: attributes.vendored ?? isVendoredPath(path),
        test: isTestFile(path),
        conflicted,
      };
    },
    isSecret: (path) => {
      const language = languageFor(path);
      return isSecretBearing(path, language !== null && hasSyntax(language));
    },
    shared: paths.filter(isSharedExtension),
    isShared: isSharedExtension,
    signature: attributeFiles.length === 0 ? '' : sha256Hex(JSON.stringify(attributeFiles)).slice(0, 16),
  };
}

function readAttributeFiles(root: string, paths: readonly string[]): AttributeFile[] {
  const guard = createDirectoryGuard(root);
  const files: AttributeFile[] = [];
  for (const path of paths) {
    if (path !== '.gitattributes' && !path.endsWith('/.gitattributes')) continue;
    const read = readSource(root, path, attributeBytes, guard);
    const text = read.kind === 'read' ? decodeLenient(read.bytes) : '';
    if (mentionsLinguist(text)) files.push({ directory: path.slice(0, Math.max(0, path.lastIndexOf('/'))), text });
  }
  return files;
}

// ---- rows of files that are not read

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
