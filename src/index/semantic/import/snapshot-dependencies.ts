/**
 * What a file depends on, with the interface each dependency had before the run (code-plane.md §6.3, §8). R13: a dependency whose bytes or
 * imports moved during the run is recorded as unknown, because nobody can say which of its two texts the indexer read.
 * What an earlier import said of a dependency is believed only if that still holds: an interface worked out of older files, written down
 * here, would make this file clean for as long as nobody looks at the dependency again.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import { listContextsOfFile } from '../../store/queries/list-contexts.ts';
import { listFactsOfFile } from '../../store/queries/list-file-facts.ts';
import { listImportsOfFile } from '../../store/queries/list-imports.ts';
import type { DependencySnapshot, DocumentFacts, StoredContext } from '../types.ts';
import type { FileMoment, PreparedImport } from './prepare-import.ts';

export type Snapshots = {
  /** By path. */
  of(session: ReadSession, documentPath: string): readonly DependencySnapshot[];
  synOf(path: string): string | null;
  hasMoved(path: string): boolean;
  isAccepted(path: string): boolean;
};

export function createSnapshots(
  prepared: Pick<PreparedImport, 'pre' | 'touches'>,
  accepted: readonly DocumentFacts[],
  options: {
    readonly context: StoredContext;
    readonly post: (path: string) => FileMoment | undefined;
    readonly isClean: (path: string) => boolean;
  },
): Snapshots {
  const { context, post, isClean } = options;
  const documents = new Map(accepted.map((document) => [document.path, document]));
  const known = new Map<string, DependencySnapshot>();
  const hasMoved = (path: string): boolean => {
    const [before, after] = [prepared.pre.get(path), post(path)];
    return before?.hash !== after?.hash || before?.synIface !== after?.synIface;
  };
  const snapshotOf = (session: ReadSession, path: string): DependencySnapshot => {
    let snapshot = known.get(path);
    if (snapshot === undefined) {
      snapshot = hasMoved(path)
        ? { path, syn: null, sem: null }
        : { path, syn: synOf(path), sem: semOf(session, path) };
      known.set(path, snapshot);
    }
    return snapshot;
  };
  const synOf = (path: string): string | null => {
    const before = prepared.pre.get(path);
    if (before === undefined) return null;
    // What is not parsed, or not well enough to know its interface, is known by its bytes.
    return before.synIface ?? before.hash;
  };
  /** Of this import, else as stored for the bytes of before: in this context, or where it is no member, in the first live one. */
  const semOf = (session: ReadSession, path: string): string | null => {
    const document = documents.get(path);
    if (document !== undefined) return document.semIface;
    const rows = listFactsOfFile(session, path);
    const covering = listContextsOfFile(session, path);
    const isMember = covering.some(({ id }) => id === context.id);
    const live = new Set(covering.filter(({ enabled, probe }) => enabled && probe === 'ok').map(({ id }) => id));
    const row = rows.find(({ contextId }) => (isMember ? contextId === context.id : live.has(contextId)));
    if (row === undefined || row.hashAtIndex !== prepared.pre.get(path)?.hash) return null;
    return isClean(path) ? row.semIface : null;
  };
  return {
    hasMoved,
    synOf,
    isAccepted: (path) => documents.has(path),
    of(session, documentPath) {
      const paths = new Set(prepared.touches.get(documentPath));
      for (const { targets } of listImportsOfFile(session, documentPath)) for (const path of targets) paths.add(path);
      paths.delete(documentPath);
      return [...paths].sort(compareCodeUnits).map((path) => snapshotOf(session, path));
    },
  };
}
