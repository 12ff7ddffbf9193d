/**
 * Paths of moving files in text that nobody parses here: configuration, scripts, prose. A path counts where it is whole: seen from the
 * directory of the text or from the root it is exactly the file, and no longer word goes through it.
 */

import { posix } from 'node:path';
import type { TextSpan } from '../../index/syntax/facts.ts';
import type { Moves } from './moved-tree.ts';
import { directoryOf, pathNamed, relativeTo, stemOf } from './path-style.ts';

export type PathString = TextSpan & { readonly oldText: string; readonly newText: string };

const word = '\\w@~+\\-./';

/** `home`: the file the text is of. Sorted. */
export function findPathStrings(home: string, text: string, moves: Moves): readonly PathString[] {
  const found: PathString[] = [];
  for (const [from, to] of moves) {
    const base = posix.basename(from);
    if (!text.includes(base)) continue;
    const pattern = new RegExp(`(?<![${word}])([${word}]*?)${quote(base)}(?![\\w\\-/]|\\.\\w)`, 'g');
    for (const match of text.matchAll(pattern)) {
      const newText = renamePath(match[0], home, from, to);
      if (newText !== undefined && newText !== match[0])
        found.push({ start: match.index, end: match.index + match[0].length, oldText: match[0], newText });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The path of a directory, alone or with what follows it: `src/lib`, `./src/lib/*`. */
export function findDirectoryStrings(
  home: string,
  text: string,
  { from, to }: { readonly from: string; readonly to: string },
): readonly PathString[] {
  const base = posix.basename(from);
  if (!text.includes(base)) return [];
  const pattern = new RegExp(`(?<![${word}])([${word}]*?)${quote(base)}(?![\\w\\-.])`, 'g');
  return [...text.matchAll(pattern)].flatMap(({ 0: oldText, index }): PathString[] => {
    const newText = oldText.includes('/') ? renamePath(oldText, home, from, to) : undefined;
    if (newText === undefined || newText === oldText) return [];
    return [{ start: index, end: index + oldText.length, oldText, newText }];
  });
}

/** Strings of a module configuration, where a path may leave its ending out. */
export function findConfigStems(home: string, text: string, moves: Moves): readonly PathString[] {
  const found: PathString[] = [];
  for (const match of text.matchAll(/"((?:\.{1,2}\/)?[^"\\\n:*]+)"/g)) {
    const oldText = match[1] ?? '';
    for (const [from, to] of moves) {
      const stem = stemOf(from);
      const newText = stem === from ? undefined : renamePath(oldText, home, stem, stemOf(to));
      if (newText === undefined || newText === oldText || !oldText.includes('/')) continue;
      const start = match.index + 1;
      found.push({ start, end: start + oldText.length, oldText, newText });
    }
  }
  return found;
}

function renamePath(written: string, home: string, from: string, to: string): string | undefined {
  const directory = directoryOf(home);
  if (pathNamed(directory, written) === from) {
    const relative = relativeTo(directory, to);
    return written.startsWith('./') || relative.startsWith('../') ? relative : relative.slice(2);
  }
  const fromRoot = /^(?:\.?\/)?(.*)$/s.exec(written);
  return fromRoot?.[1] === from ? `${written.slice(0, written.length - from.length)}${to}` : undefined;
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
