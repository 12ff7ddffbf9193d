/** Trees of 1, 2 and 50 files with the changes made to them, equal in the test and in the processes it starts. */

import { blake3Hex } from '../../src/kernel/base/hash.ts';
import type { FileChange } from '../../src/mutate/plans/plan.ts';

export const sizes = ['1', '2', '50'] as const;
export type Size = (typeof sizes)[number];

export function isSize(given: string): given is Size {
  return (sizes as readonly string[]).includes(given);
}

const counts: Readonly<Record<Size, number>> = { '1': 1, '2': 2, '50': 49 };

export function filesOf(size: Size): Readonly<Record<string, string>> {
  const names = Array.from({ length: counts[size] }, (_, n) => `src/f${String(n).padStart(2, '0')}.ts`);
  return Object.fromEntries(names.map((name, n) => [name, `export const old${n} = ${n};\n`]));
}

/** With two files the second moves into a directory that is not there yet; of fifty, one does. */
export function changesOf(size: Size): readonly FileChange[] {
  const files = Object.entries(filesOf(size));
  const moved = size === '1' ? undefined : files.at(-1);
  const changes: FileChange[] = files
    .filter((file) => file !== moved)
    .map(([path, text]) => ({ kind: 'replace', path, oldHash: blake3Hex(text), newBytes: Buffer.from(changed(text)) }));
  if (moved !== undefined) {
    const [path, text] = moved;
    changes.push({ kind: 'remove', path, oldHash: blake3Hex(text) });
    changes.push({ kind: 'create', path: 'src/new/deep/moved.ts', newBytes: Buffer.from(changed(text)), mode: 0o755 });
  }
  return changes;
}

function changed(text: string): string {
  return text.replace('old', 'renamed');
}
