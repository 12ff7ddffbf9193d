/**
 * A declaration beside the JavaScript it describes is found by its name alone: the two are one module, and one without the other would
 * change what every import of it means. They move together.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import type { Moves } from './moved-tree.ts';

export type Twins =
  | { readonly kind: 'moves'; readonly moves: Moves; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly detail: string };

export function listTwins(question: Question, from: string, to: string): Twins {
  const [was, is] = [twinOf(from), twinOf(to)];
  const isThere = (path: string | undefined): path is string =>
    path !== undefined && question.file(path)?.presence === 'present';
  if (!isThere(was) || is === undefined) return { kind: 'moves', moves: new Map([[from, to]]), notes: [] };
  if (isThere(is)) return { kind: 'refused', detail: `${was} goes with ${from}, and ${is} exists already` };
  const moves = new Map([
    [from, to],
    [was, is],
  ]);
  return { kind: 'moves', moves, notes: [`${was} is the other half of the module and moves with it`] };
}

/** `a.js` and `a.d.ts`, in both directions. */
function twinOf(path: string): string | undefined {
  const declaration = /\.d\.([cm]?)ts$/.exec(path);
  if (declaration !== null) return `${path.slice(0, declaration.index)}.${declaration[1]}js`;
  const script = /\.([cm]?)jsx?$/.exec(path);
  return script === null ? undefined : `${path.slice(0, script.index)}.d.${script[1]}ts`;
}
