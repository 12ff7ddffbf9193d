/**
 * Paths of moving files in text that is not parsed here: configuration, scripts, prose. A path counts where it is whole: seen from the
 * directory of the text or from the root it is exactly the file, and no longer word goes through it.
 */

import { posix } from 'node:path';
import type { Question } from '../../index/navigate/question.ts';
import { lockfileNames } from '../../kernel/tree/file-roles.ts';
import type { TextSpan } from '../../languages/facts.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import { type Found, type Moves, type Moving, movesAlong } from './moved-tree.ts';
import { pathNamed, relativeTo, stemOf } from './path-style.ts';

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

// Paths in text that is not parsed as TypeScript or JavaScript: in configuration and scripts they are questions, in prose and in code of
// other languages they are counted.

export function isProse(path: string): boolean {
  return prose.test(path);
}

const prose = /(?:\.(?:mdx?|markdown|rst|txt|adoc|org|tex|snap)|(?:^|\/)(?:LICENSE|CHANGELOG|AUTHORS)[^/]*)$/i;
/** Tools write these anew. */
const written = /\.(?:tsbuildinfo|map)$/;
const moduleConfigs = /(?:^|\/)(?:package|[^/]*(?:tsconfig|jsconfig)[^/]*)\.json$/;

/** Text that is not parsed as TypeScript or JavaScript. The edits that a configuration would need. */
export function lookAtText(
  question: Question,
  path: string,
  text: string,
  { moves, directory }: Moving,
  found: Found,
): readonly PathString[] {
  const { language = null, generated = false } = question.file(path) ?? {};
  if (generated || lockfileNames.has(path.slice(path.lastIndexOf('/') + 1)) || written.test(path)) return [];
  const isConfig = moduleConfigs.test(path);
  const places = distinct([
    // What moves along is seen from its new place.
    ...findPathStrings(path, text, moves).filter(
      ({ oldText }) => !moves.has(path) || !movesAlong(path, oldText, moves),
    ),
    ...(isConfig ? findConfigStems(path, text, moves) : []),
    ...(directory === null || moves.has(path) ? [] : findDirectoryStrings(path, text, directory)),
  ]);
  if (places.length === 0) return [];
  const isForeignCode = language !== null && hasSyntax(language);
  if (prose.test(path) || isForeignCode) {
    found.mentions.push(...places.map(({ start }) => ({ path, start })));
    return [];
  }
  for (const { start, end, oldText, newText } of places) {
    found.items.push({
      path,
      start,
      end,
      kind: 'string_reference',
      detail: `the path of what moves, in a file that is not code of this language; it would become \`${newText}\``,
      edits: { rename: [{ path, start, end, oldText, newText, form: 'string' }] },
    });
  }
  return places;
}

function distinct(places: readonly PathString[]): readonly PathString[] {
  let end = -1;
  return [...places]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((place) => {
      if (place.start < end) return false;
      end = place.end;
      return true;
    });
}
