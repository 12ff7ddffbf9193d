/**
 * The files of a plan: as they are on disk at this moment, each read once, so that hashes, texts and places are of the same bytes; as they may
 * be kept, with secrets hashed; and one digest over all files in scope.
 */

import { createHash } from 'node:crypto';
import { readOrCreateKey } from '../../index/store/ledger/state-key.ts';
import { loadFileStates } from '../../index/store/stored-files.ts';
import { redactSecrets } from '../../index/text/redact-secrets.ts';
import { screenSecrets } from '../../index/text/secret-screen.ts';
import { addTrigrams, dropTrigrams } from '../../index/text/trigrams.ts';
import type { CodeView, SourceText } from '../../index/view/code-view.ts';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { lazy } from '../../kernel/base/lazy.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeText } from '../../kernel/tree/content-kind.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { createLines, type Lines } from './anchors.ts';

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
  const lines = lazy(() => createLines(source?.text ?? ''));
  const hidden = lazy(() => {
    const text = source === undefined ? '' : hider.file(source);
    return { text, lines: text === source?.text ? lines() : createLines(text) };
  });
  return { bytes, hash: blake3Hex(bytes), source, lines, hidden };
}

// Secret-shaped text is kept as its keyed hash (mutation.md §5). A file's secrets are found in the whole file: the few characters of an
// anchor would not show that they are part of one. A hash is as long as what it stands for, so places stay true.

export type Hider = {
  /** The decoded text, as it may be kept. */
  file(source: Pick<SourceText, 'text' | 'bytes'>): string;
  text(text: string): string;
  /** Every string of a JSON value; keys are vocabulary. */
  json(value: unknown): unknown;
};

export function createHider(stateDir: string): Hider {
  const found = readOrCreateKey(stateDir);
  assert(found.kind === 'key', 'a session has read the key of its data dir before');
  const { key } = found;
  const text = (given: string) => redactSecrets(given, key, 'named').text;
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]));
  };
  return {
    text,
    json,
    file(source) {
      addTrigrams(source.bytes);
      const screen = screenSecrets(source.text, source.bytes);
      dropTrigrams();
      return redactSecrets(source.text, key, screen).text;
    },
  };
}

/**
 * One word for the tree a plan was made in: over path and content of every file in scope. Equal at commit, and every question that was
 * asked then would get the same answer now; different, and all of them are asked again.
 */
export function scopeDigestOf(view: Pick<CodeView, 'read'>): string {
  const files = view.read(loadFileStates);
  const hash = createHash('sha256');
  for (let at = 0; at < files.count; at += 1) {
    if (files.presence[at] !== 'present') continue;
    // What is too large or too secret to be read has only its looks.
    const content = files.contentHash[at] ?? `${files.size[at]} ${files.mtimeUs[at]} ${files.ctimeUs[at]}`;
    hash.update(`${files.path[at]}\0${files.kind[at]}\0${content}\0${files.canonicalPath[at] ?? ''}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

/** What a writer must know of the scope: all names of a file, and files in conflict. */
export function scopeFacts(view: CodeView): { listScope: () => readonly string[]; conflicted: ReadonlySet<string> } {
  const files = view.read(loadFileStates);
  const present = (_: string, at: number) => files.presence[at] === 'present';
  return {
    listScope: () => files.path.filter(present),
    conflicted: new Set(files.path.filter((_, at) => files.conflicted[at] === true)),
  };
}
