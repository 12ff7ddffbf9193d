/** The files of a plan as they are on disk at this moment, each read once: hashes, texts and places are of the same bytes. */

import type { SourceText } from '../../index/state/code-view.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeText } from '../../kernel/repo/content-kind.ts';
import { readSource } from '../../kernel/repo/read-source.ts';
import { createDirectoryGuard } from '../../kernel/repo/safe-read.ts';
import { createLines, type Lines } from './anchors.ts';
import type { Hider } from './hide-secrets.ts';

export type DiskFile = {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Undefined for what is no text. */
  readonly source: SourceText | undefined;
  /** Of the text without its BOM. */
  lines(): Lines;
  /** The text as it may be kept and compared with what is kept; the same where there is no secret. */
  hidden(): { readonly text: string; readonly lines: Lines };
};

export type DiskFiles = ReadonlyMap<string, DiskFile | undefined>;

export function readPlanFiles(root: string, paths: Iterable<string>, hider: Hider): DiskFiles {
  const guard = createDirectoryGuard(root);
  return new Map(
    [...paths].map((path) => {
      const read = readSource(root, path, limits.inputHashBytes, guard);
      return [path, read.kind === 'read' ? toDiskFile(read.bytes, hider) : undefined];
    }),
  );
}

function toDiskFile(bytes: Buffer, hider: Hider): DiskFile {
  const decoded = decodeText(bytes);
  const source = decoded.kind === 'text' ? { ...decoded, bytes } : undefined;
  const lines = once(() => createLines(source?.text ?? ''));
  const hidden = once(() => {
    const text = source === undefined ? '' : hider.file(source);
    return { text, lines: text === source?.text ? lines() : createLines(text) };
  });
  return { bytes, hash: blake3Hex(bytes), source, lines, hidden };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
