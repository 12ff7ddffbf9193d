/**
 * What there is here already, for who does not know yet what to do: at a glance, from what was written before. Nothing is compared with the disk,
 * built, locked or written, and nothing that came with the tree is believed (P9).
 */

import { DATA_DIR } from '../../gather/data-dir.ts';
import { isOurContext } from '../../gather/publish/audit.ts';
import { openFactsForRead } from '../../index/store/facts-file.ts';
import { listPlanHeads } from '../../index/store/ledger/plan-tables.ts';
import { countFiles, countSemantic } from '../../index/store/store-counts.ts';
import { StoreFailed } from '../../index/store/store-failed.ts';
import { identityOf } from '../../index/sync/index-session.ts';
import { limits } from '../../kernel/base/limits.ts';
import { type OwnDirsPlace, ownDirsOf } from '../../kernel/base/own-dirs.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';

export type Glance = {
  /** When the context of this tree was gathered here; null where none was. */
  readonly gathered_at: string | null;
  /** Null where there is no index that this version reads. */
  readonly index: { readonly files: number; readonly by_compilers: number } | null;
  /** Newest first. */
  readonly open_plans: readonly string[];
};

export function lookAround(
  of: OwnDirsPlace & { readonly extraExtensions: Parameters<typeof identityOf>[0]['extraExtensions'] },
): Glance {
  const { stateDir, cacheDir } = ownDirsOf(of);
  return {
    gathered_at: gatheredAt(of.root, stateDir),
    index: indexOf({ root: of.root, cacheDir, extraExtensions: of.extraExtensions }),
    open_plans: listPlanHeads(stateDir, 100).flatMap(({ id, status }) => (status === 'open' ? [id] : [])),
  };
}

function gatheredAt(root: string, stateDir: string): string | null {
  const path = `${DATA_DIR}/context/repo-context.yaml`;
  const read = readRegular(root, path, limits.toolOutputBytes, createDirectoryGuard(root));
  if (!('bytes' in read) || !isOurContext(stateDir, read.bytes)) return null;
  // A head of the document: the whole of it would have to be parsed for the same line.
  return /^gathered_at: ["']?([\dTZ:.-]{1,40})["']?$/m.exec(Buffer.from(read.bytes).toString('utf8'))?.[1] ?? null;
}

function indexOf(of: Parameters<typeof identityOf>[0]): Glance['index'] {
  const opened = openFactsForRead(identityOf(of));
  if (opened.kind !== 'open') return null;
  const { facts } = opened;
  try {
    return facts.read((session) => ({
      files: countFiles(session).files,
      by_compilers: [...countSemantic(session).contexts.values()].reduce((sum, { indexed }) => sum + indexed, 0),
    }));
  } catch (error) {
    if (error instanceof StoreFailed) return null;
    throw error;
  } finally {
    facts.close();
  }
}
