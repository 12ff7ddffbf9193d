/** Every file of a tree by its bytes: what was written that should not have been, or left behind, is a difference. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/kernel/base/hash.ts';

export type Snapshot = ReadonlyMap<string, string>;

const skipped = new Set(['.git', 'node_modules', '.codegenie']);

export function snapshotTree(root: string): Snapshot {
  const hashes = new Map<string, string>();
  const directories = [''];
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) directories.push(path);
      else if (entry.isFile()) hashes.set(path, sha256Hex(readFileSync(join(root, path))));
    }
  }
  return hashes;
}

export function listChanged(before: Snapshot, after: Snapshot): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
}
