/**
 * What a person sees while files are indexed, on stderr. On a terminal one line, redrawn in place and gone at the end; elsewhere one
 * line per step that took long enough to wonder about.
 */

import type { IndexProgress } from '../index/sync/reconcile.ts';
import type { Globals, Terminal } from './command.ts';

export type IndexProgressView = { readonly show: (progress: IndexProgress) => void; readonly end: () => void };

const redrawMs = 100;
/** Shorter work than this is over before anybody reads about it. */
const quietMs = 1_000;

const words: Readonly<Record<IndexProgress['step'], string>> = {
  listing: 'looking at the files',
  describing: 'indexing',
  resolving: 'resolving imports',
};

export function createIndexProgress(terminal: Terminal, globals: Globals): IndexProgressView {
  const { stderr } = terminal;
  const live = stderr.isTTY === true && terminal.environment['TERM'] !== 'dumb';
  if (globals.quiet || (globals.json && !live)) return { show() {}, end() {} };
  const startedMs = terminal.nowMs();
  let drawn = false;
  let lastMs = 0;
  const told = new Set<IndexProgress['step']>();
  return {
    show({ step, done, total }) {
      const now = terminal.nowMs();
      const text = total === 0 ? words[step] : `${words[step]} ${done}/${total}`;
      if (live) {
        if (now - startedMs < quietMs / 4 || now - lastMs < redrawMs) return;
        lastMs = now;
        drawn = true;
        stderr.write(`\r\x1b[K${text} · ${((now - startedMs) / 1000).toFixed(1)} s`);
      } else if (now - startedMs > quietMs && !told.has(step) && total > 0) {
        told.add(step);
        stderr.write(`${words[step]}: ${total} files\n`);
      }
    },
    end() {
      if (drawn) stderr.write('\r\x1b[K');
      drawn = false;
    },
  };
}
