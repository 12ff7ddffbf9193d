/**
 * The last output of each context, redacted, named by the fingerprint of what it was made from (code-plane.md §7 "Retention"): where
 * the store is new or interfaces of dependencies moved, it is imported again instead of running the indexer. It may go at any time.
 */

import { readdirSync, renameSync, rmSync } from 'node:fs';
import { ensureOwnDirectory, lstatOwn, OutputRefused } from '../../../kernel/base/write-file.ts';
import { idOf } from './fingerprint.ts';

export interface KeptOutputs {
  find(contextKey: string, fingerprint: string): string | undefined;
  /** `write` makes the file at the given path; false: there is nothing to keep. */
  keep(contextKey: string, fingerprint: string, write: (path: string) => boolean): void;
  /** It turned out to be of no use. */
  drop(contextKey: string): void;
  /** Those of contexts that are no more. */
  prune(contextKeys: readonly string[]): void;
}

export function createKeptOutputs(dataDir: string): KeptOutputs {
  const directory = `${dataDir}/cache/scip`;
  const prefixOf = (contextKey: string) => `${idOf(contextKey).slice(0, 16)}-`;
  const removeWhere = (isOver: (name: string) => boolean) =>
    forgiving(() => {
      for (const name of readdirSync(directory)) if (isOver(name)) rmSync(`${directory}/${name}`, { force: true });
    });
  return {
    find(contextKey, fingerprint) {
      const path = `${directory}/${prefixOf(contextKey)}${fingerprint}.scip`;
      return forgiving(() => lstatOwn(path))?.isFile() === true ? path : undefined;
    },
    keep(contextKey, fingerprint, write) {
      const prefix = prefixOf(contextKey);
      const name = `${prefix}${fingerprint}.scip`;
      const made = `${directory}/${prefix}new.tmp`;
      forgiving(() => {
        ensureOwnDirectory(`${dataDir}/cache`);
        ensureOwnDirectory(directory);
        rmSync(made, { force: true });
        const isMade = write(made);
        if (isMade) renameSync(made, `${directory}/${name}`);
        rmSync(made, { force: true });
        if (isMade) removeWhere((other) => other !== name && other.startsWith(prefix));
      });
    },
    drop(contextKey) {
      removeWhere((name) => name.startsWith(prefixOf(contextKey)));
    },
    prune(contextKeys) {
      const prefixes = new Set(contextKeys.map(prefixOf));
      removeWhere((name) => !prefixes.has(name.slice(0, 17)));
    },
  };
}

/** A disk that is full, a directory that is missing or not ours: nothing is kept, and nothing else follows. */
function forgiving<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof OutputRefused) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
