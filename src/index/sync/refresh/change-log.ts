/**
 * What the reconciler has found different since somebody last asked. Worked out by comparing, so that no path is missed however it
 * was noticed.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { FileState, FileTable } from '../file-table.ts';

export type Changes = {
  /** Sorted; each path is in exactly one of the three. */
  readonly came: readonly string[];
  readonly went: readonly string[];
  readonly edited: readonly string[];
};

export interface ChangeLog {
  take(now: FileTable): Changes;
  /** Would there be anything to take? */
  hasNews(now: FileTable): boolean;
}

export function createChangeLog(initial: FileTable): ChangeLog {
  const known = new Map<string, string>();
  for (const [path, state] of initial) known.set(path, meaningOf(state));
  return {
    hasNews(now) {
      if (known.size !== now.size) return true;
      for (const [path, state] of now) if (known.get(path) !== meaningOf(state)) return true;
      return false;
    },
    take(now) {
      const came: string[] = [];
      const went: string[] = [];
      const edited: string[] = [];
      for (const [path, state] of now) {
        const meaning = meaningOf(state);
        const before = known.get(path);
        if (before === meaning) continue;
        (before === undefined ? came : edited).push(path);
        known.set(path, meaning);
      }
      if (known.size > now.size) {
        for (const path of known.keys()) if (!now.has(path)) went.push(path);
        for (const path of went) known.delete(path);
      }
      for (const list of [came, went, edited]) list.sort(compareCodeUnits);
      return { came, went, edited };
    },
  };
}

/** What an indexer could notice of a file. */
function meaningOf(state: FileState): string {
  return state.contentHash ?? `${state.kind} ${state.presence} ${state.canonicalPath ?? state.skipReason ?? ''}`;
}
