/** What answers about one file share: which file answers, how much its facts are worth, and lines and columns of stored offsets. */

import type { FoundFile } from '../../index/navigate/question-target.ts';
import type { StoredFile } from '../../index/store/stored-files.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { z } from '../../kernel/base/schema.ts';
import { type ByteOffset, createPositions } from '../../kernel/tree/positions.ts';
import { plural, quotedPath } from './answer-words.ts';

export const FileHead = z.object({
  /** The file that was asked about. */
  path: z.string(),
  /** Where that is a link: the file that answers for it. */
  alias_of: z.string().nullable(),
  language: z.string().nullable(),
  lines: z.number().int().nullable(),
  /** `changed`: the bytes on disk are not the ones the facts are of. */
  state: z.enum(['clean', 'changed']),
  parse: z.enum(['ok', 'errors', 'failed', 'skipped']).nullable(),
  /** Why there are no facts, or not all; null where nothing is missing. */
  missing: z.string().nullable(),
  marks: z.array(z.enum(['test', 'generated', 'vendored', 'conflicted'])),
});
export type FileHead = z.infer<typeof FileHead>;

export function describeFile(view: CodeView, { file, alias }: FoundFile, isChanged: boolean): FileHead {
  return {
    path: alias ?? file.path,
    alias_of: alias === null ? null : file.path,
    language: file.language,
    lines: file.lines,
    state: isChanged || view.differences.changed.has(file.path) ? 'changed' : 'clean',
    parse: file.parse,
    missing: whyMissing(file),
    marks: (['test', 'generated', 'vendored', 'conflicted'] as const).filter((mark) => file[mark]),
  };
}

/** Reasons for which a list taken from this file may lack something. */
export function whyIncomplete(head: FileHead): readonly string[] {
  const stale = 'the file has changed since it was indexed';
  return [...(head.missing === null ? [] : [head.missing]), ...(head.state === 'changed' ? [stale] : [])];
}

export function renderFileHead(head: FileHead): string {
  const name =
    head.alias_of === null ? quotedPath(head.path) : `${quotedPath(head.path)} → ${quotedPath(head.alias_of)}`;
  const parts = [name, head.language ?? 'no known language', ...head.marks];
  if (head.lines !== null) parts.push(plural(head.lines, 'line'));
  return parts.join(' · ');
}

const skipWords: Readonly<Record<string, string>> = {
  secret: 'its name says that it holds secrets: it is never opened',
  large: 'it is larger than 4 MiB',
  binary: 'it is binary',
  encoding: 'it is not valid UTF-8',
  lfs: 'it is a Git LFS pointer',
  unreadable: 'it could not be read',
};

function whyMissing(file: StoredFile): string | null {
  if (file.skipReason !== null) return skipWords[file.skipReason] ?? file.skipReason;
  switch (file.parse) {
    case 'ok':
      return null;
    case 'errors':
      return 'parts of the file could not be parsed';
    case 'failed':
      return 'the file could not be parsed';
    case 'skipped':
      return 'the file is larger than 1 MiB, so it was not parsed';
    case null:
      return `there is no grammar for ${file.language ?? 'this kind of file'}: it is text only`;
  }
}

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
