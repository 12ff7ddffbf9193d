/**
 * Files that are found by the name of another alone move with it: a declaration beside the JavaScript it describes, which are one module,
 * and the snapshots of a test. One without the other would come to mean something else.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import type { Moves } from './moved-tree.ts';

export type Twins =
  | { readonly kind: 'moves'; readonly moves: Moves; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly detail: string };

export function listTwins(question: Question, from: string, to: string): Twins {
  const isThere = (path: string) => question.file(path)?.presence === 'present';
  const moves = new Map([[from, to]]);
  const notes: string[] = [];
  for (const twinOf of [declarationTwin, snapshotOf]) {
    const [was, is] = [twinOf(from), twinOf(to)];
    if (was === undefined || is === undefined || !isThere(was)) continue;
    if (isThere(is)) return { kind: 'refused', detail: `${was} goes with ${from}, and ${is} exists already` };
    moves.set(was, is);
    notes.push(`${was} belongs to it and moves with it`);
  }
  return { kind: 'moves', moves, notes };
}

/** `a.js` and `a.d.ts`, in both directions. */
export function declarationTwin(path: string): string | undefined {
  const declaration = /\.d\.([cm]?)ts$/.exec(path);
  if (declaration !== null) return `${path.slice(0, declaration.index)}.${declaration[1]}js`;
  const script = /\.([cm]?)jsx?$/.exec(path);
  return script === null ? undefined : `${path.slice(0, script.index)}.d.${script[1]}ts`;
}

function snapshotOf(path: string): string | undefined {
  return /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/[^/]+$/, '__snapshots__/$&.snap') : undefined;
}
