/**
 * The last output of each context, redacted, named by the fingerprint of what it was made from (code-plane.md §7 "Retention"): where
 * the store is new or interfaces of dependencies moved, it is imported again instead of running the indexer. It may go at any time.
 *
 * P9  One that came with the tree could say anything, and the author of the tree can compute its fingerprint. The name therefore ends
 * with a seal over the content, made with this root's key and the place of the data dir: a clone, an archive or a copy cannot carry the
 * latter, whatever key it brings.
 */

import { createHmac } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hashFile } from '../../kernel/base/hash.ts';
import { ensureOwnDirectory, lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';
import { findKey } from '../store/ledger/state-key.ts';
import type { SessionSettings } from '../sync/index-session.ts';
import { idOf } from './job-inputs.ts';

export interface KeptOutputs {
  find(contextKey: string, fingerprint: string): string | undefined;
  /** `write` makes the file at the given path; false: there is nothing to keep. */
  keep(contextKey: string, fingerprint: string, write: (path: string) => boolean | Promise<boolean>): Promise<void>;
  /** It turned out to be of no use. */
  drop(contextKey: string): void;
  /** Those of contexts that are no more. */
  prune(contextKeys: readonly string[]): void;
}

export function createKeptOutputs({ stateDir, cacheDir }: Pick<SessionSettings, 'stateDir' | 'cacheDir'>): KeptOutputs {
  const directory = `${cacheDir}/cache/scip`;
  const prefixOf = (contextKey: string) => `${idOf(contextKey).slice(0, 16)}-`;
  /** Nothing is read or removed through a link. */
  const listNames = (): readonly string[] => {
    const isOurs = [cacheDir, `${cacheDir}/cache`, directory].every((path) => lstatOwn(path)?.isDirectory() === true);
    return isOurs ? readdirSync(directory) : [];
  };
  const removeWhere = (isOver: (name: string) => boolean) =>
    forgiving(() => {
      for (const name of listNames()) if (isOver(name)) rmSync(`${directory}/${name}`, { force: true });
    });
  return {
    find(contextKey, fingerprint) {
      const begins = `${prefixOf(contextKey)}${fingerprint}-`;
      return forgiving(() => {
        for (const name of listNames()) {
          const path = `${directory}/${name}`;
          if (!name.startsWith(begins) || lstatOwn(path)?.isFile() !== true) continue;
          if (name === `${begins}${seal(stateDir, contextKey, fingerprint, path)}.scip`) return path;
        }
        return undefined;
      });
    },
    async keep(contextKey, fingerprint, write) {
      const prefix = prefixOf(contextKey);
      const made = `${directory}/${prefix}${fingerprint}.tmp`;
      try {
        ensureOwnDirectory(`${cacheDir}/cache`);
        ensureOwnDirectory(directory);
        rmSync(made, { force: true });
        const sealed = (await write(made)) ? seal(stateDir, contextKey, fingerprint, made) : undefined;
        const name = `${prefix}${fingerprint}-${sealed}.scip`;
        if (sealed !== undefined) renameSync(made, `${directory}/${name}`);
        rmSync(made, { force: true });
        if (sealed !== undefined) removeWhere((other) => other !== name && other.startsWith(prefix));
      } catch (error) {
        forgive(error);
      }
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

/** Undefined where there is no key: then nothing is kept, and nothing believed. */
function seal(stateDir: string, contextKey: string, fingerprint: string, path: string): string | undefined {
  const key = findKey(stateDir);
  if (key === undefined) return undefined;
  const { dev, ino } = lstatSync(stateDir, { bigint: true });
  const sealed = JSON.stringify(['kept output', `${dev}:${ino}`, contextKey, fingerprint, hashFile(path)]);
  return createHmac('sha256', key).update(sealed).digest('hex');
}

/** A disk that is full, a directory that is missing or not ours: nothing is kept, and nothing else follows. */
function forgiving<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    forgive(error);
    return undefined;
  }
}

function forgive(error: unknown): void {
  if (!(error instanceof OutputRefused) && (error as NodeJS.ErrnoException).code === undefined) throw error;
}
