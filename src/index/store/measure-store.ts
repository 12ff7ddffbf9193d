/** Where the live facts file lies and how much disk it takes, its write-ahead log included. */

import { lstatOwn } from '../../kernel/base/write-file.ts';
import { factsPath, readCurrent } from './current-file.ts';

export type StoreSize = { readonly path: string; readonly bytes: number };

export function measureStore(dataDir: string): StoreSize | undefined {
  const current = readCurrent(dataDir);
  if (current === undefined) return undefined;
  const path = factsPath(dataDir, current.number);
  const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (lstatOwn(file)?.size ?? 0), 0);
  return { path, bytes };
}
