/**
 * One file that a program has under two names, through a link: two modules to the compiler, one to whoever edits it. Tokens are told apart
 * by file and place, so what is said of one could be true of the other alone; where such a file spells a name that matters, nothing is said.
 */

import type { Programs } from './in-job.ts';

export type DoubleFile = { readonly path: string; readonly detail: string };

export function findDoubleFile(programs: Programs, names: readonly string[]): DoubleFile | undefined {
  for (const { key, doubles, sourceFile } of programs.open) {
    for (const [path, fileNames] of doubles) {
      const text = sourceFile(path)?.text ?? '';
      if (!names.some((name) => text.includes(name))) continue;
      const [first = '', second = ''] = fileNames.map((name) => name.replace(`${programs.root}/`, ''));
      return { path, detail: `${first} and ${second} are one file, and ${key} has both` };
    }
  }
  return undefined;
}
