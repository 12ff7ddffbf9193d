/**
 * Paths in text that is not parsed as TypeScript or JavaScript: in configuration and scripts they are questions, in prose and in code of
 * other languages they are counted.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import { hasSyntax } from '../../index/syntax/has-syntax.ts';
import { lockfileNames } from '../../kernel/repo/foreign-files.ts';
import type { Found, Moving } from './changes.ts';
import { findConfigStems, findDirectoryStrings, findPathStrings, type PathString } from './find-path-strings.ts';
import { movesAlong } from './moved-tree.ts';

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
