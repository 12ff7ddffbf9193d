/**
 * A path that a program computes, of which the beginning is written down: a template in `import()`, a sum in `require()`, a glob of a
 * bundler. Where it stands in a file that moves, its beginning leads elsewhere; where it may mean one that moves, somebody has to look.
 */

import { compileGlobs, isGlob } from '../../kernel/repo/glob.ts';
import type { ItemDraft } from '../rename/build-groups.ts';
import type { FileMove } from '../types.ts';
import type { Specifier } from './list-specifiers.ts';
import type { Moves } from './moved-tree.ts';
import { directoryOf, pathNamed, relativeTo } from './path-style.ts';

export function lookAtPattern(
  path: string,
  { start, end, text }: Specifier,
  moves: Moves,
  directory: FileMove | null,
): ItemDraft | undefined {
  if (!/^\.{1,2}\//.test(text)) return undefined;
  const fixed = text.slice(0, text.search(/[*?{[]|$/));
  const cut = fixed.lastIndexOf('/') + 1;
  const below = pathNamed(directoryOf(path), text.slice(0, cut));
  const home = moves.get(path);
  if (home !== undefined) {
    const movesAlong = directory !== null && `${below}/`.startsWith(`${directory.from}/`);
    const newText = `${relativeTo(directoryOf(home), below)}/${text.slice(cut)}`;
    if (movesAlong || newText === text) return undefined;
    return {
      path,
      start,
      end,
      kind: 'string_reference',
      detail: `the beginning of a path that is computed, seen from the file that moves; it would become \`${newText}\``,
      edits: { rename: [{ path, start, end, oldText: text, newText, form: 'string' }] },
    };
  }
  const prefix = below === '' ? '' : `${below}/`;
  const matches = isGlob(text) ? compileGlobs([prefix + text.slice(cut)]) : undefined;
  const meant = [...moves].find(([from, to]) =>
    matches === undefined ? from.startsWith(prefix + text.slice(cut)) : matches(from) && !matches(to),
  );
  if (meant === undefined) return undefined;
  const detail = `the path is computed, and ${meant[0]} may be what it means`;
  return { path, start, end, kind: 'dynamic_access', detail, edits: {} };
}
