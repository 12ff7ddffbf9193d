/** Lists regular files and links below one directory, following nothing; for data outside the scope (user folder, authored data). */

import { readdirSync } from 'node:fs';
import { compareCodeUnits } from '../base/json.ts';
import { isHardName } from './scope-layers.ts';

const maxFiles = 100_000;

/** Paths relative to `base`, sorted. A directory that cannot be read contributes nothing. */
export function listDirectory(base: string, directory = ''): readonly string[] {
  const found: string[] = [];
  const pending = [directory];
  while (pending.length > 0 && found.length < maxFiles) {
    const next = pending.pop() as string;
    for (const entry of readEntries(next === '' ? base : `${base}/${next}`)) {
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      if (isHardName(entry.name)) continue;
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  return found.sort(compareCodeUnits);
}

function readEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
