/**
 * Is the store what it says it is? (code-plane.md §4.5) Its invariants, and a sample of files that are described again from the disk
 * and compared with what is stored. Reads only; a file that changed since it was indexed is no witness.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { openFactsForRead } from '../store/facts-file.ts';
import { checkInvariants } from '../store/invariants.ts';
import { findKey } from '../store/ledger/state-key.ts';
import type { ReadSession } from '../store/read-session.ts';
import { listLanguages } from '../store/store-counts.ts';
import { StoreFailed } from '../store/store-failed.ts';
import { findFile } from '../store/stored-files.ts';
import { listImportsOfFile } from '../store/stored-imports.ts';
import { listSymbolsOfFile } from '../store/stored-symbols.ts';
import { loadFileTable } from '../sync/file-table.ts';
import { identityOf, type SessionSettings } from '../sync/index-session.ts';
import { describeFile } from '../text/describe-file.ts';

export type IndexExamination =
  | { readonly kind: 'absent'; readonly detail: string }
  | { readonly kind: 'unusable'; readonly detail: string }
  | {
      readonly kind: 'examined';
      readonly files: number;
      readonly languages: readonly string[];
      readonly generation: number;
      /** Invariant and what it says, for each that does not hold. */
      readonly broken: readonly { readonly id: string; readonly says: string }[];
      readonly sampled: number;
      /** Files whose facts are not those of their bytes. */
      readonly wrong: readonly string[];
    };

const sampleFiles = 200;

export async function examineIndex(
  settings: Pick<SessionSettings, 'root' | 'stateDir' | 'cacheDir' | 'extraExtensions'>,
  random: () => number,
): Promise<IndexExamination> {
  const opened = openFactsForRead(identityOf(settings));
  if (opened.kind === 'refused') return { kind: 'unusable', detail: `${opened.path}: ${opened.why}` };
  if (opened.kind === 'unavailable') {
    return { kind: opened.reason === 'absent' ? 'absent' : 'unusable', detail: opened.detail };
  }
  const { facts } = opened;
  try {
    const table = facts.read(loadFileTable);
    const hashed = [...table].flatMap(([path, state]) => (state.contentHash === null ? [] : [path]));
    const step = Math.max(1, Math.floor(hashed.length / sampleFiles));
    // Another start each time, so that repeated visits see other files.
    const start = Math.floor(random() * step);
    const sample = hashed.filter((_, index) => index % step === start).slice(0, sampleFiles);
    const key = findKey(settings.stateDir);
    const wrong: string[] = [];
    let sampled = 0;
    for (const path of key === undefined ? [] : sample) {
      const verdict = await compareFile(settings.root, path, Buffer.from(key as Uint8Array), facts.read);
      if (verdict === 'skipped') continue;
      sampled += 1;
      if (verdict === 'wrong') wrong.push(path);
    }
    return {
      kind: 'examined',
      files: table.size,
      languages: facts.read(listLanguages),
      generation: facts.read((session) => session.generation),
      broken: facts.read(checkInvariants).map(({ id, says }) => ({ id, says })),
      sampled,
      wrong,
    };
  } catch (error) {
    if (error instanceof StoreFailed) return { kind: 'unusable', detail: error.detail };
    throw error;
  } finally {
    facts.close();
  }
}

async function compareFile(
  root: string,
  path: string,
  key: Buffer,
  read: <T>(ask: (session: ReadSession) => T) => T,
): Promise<'same' | 'wrong' | 'skipped'> {
  const stored = read((session) => findFile(session, path));
  const source = readSource(root, path, textLimits.textBytes, createDirectoryGuard(root));
  if (stored === undefined || source.kind !== 'read' || blake3Hex(source.bytes) !== stored.contentHash)
    return 'skipped';
  // A parse that failed by taking too long would take as long again.
  if (stored.parse === 'failed') return 'skipped';
  const described = await describeFile(
    stored,
    { bytes: source.bytes, stat: source.stat, hashedUs: 0 },
    { key, parse: 'full' },
  );
  const now = [
    described.file.parse,
    described.file.ifaceCore,
    (described.facts?.symbols ?? []).map((row) => [row.namePath, row.kind, row.start, row.end]).sort(),
    (described.facts?.imports ?? []).map((row) => [row.specifier, row.kind, row.start]),
  ];
  const then = read((session) => [
    stored.parse,
    stored.ifaceCore,
    listSymbolsOfFile(session, path)
      .map((row) => [row.namePath, row.kind, row.start, row.end])
      .sort(),
    listImportsOfFile(session, path).map((row) => [row.specifier, row.kind, row.start]),
  ]);
  return JSON.stringify(now) === JSON.stringify(then) ? 'same' : 'wrong';
}
