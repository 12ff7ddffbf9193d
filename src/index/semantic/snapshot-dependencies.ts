/**
 * What a file depends on, with the interface each dependency had before the run (code-plane.md §6.3, §8). R13: a dependency whose bytes or
 * imports moved during the run is recorded as unknown, because which of its two texts the indexer read is not known.
 * What an earlier import said of a dependency is believed only if that still holds: an interface worked out of older files, written down
 * here, would make this file clean until the dependency is looked at again.
 *
 * Files of a project that may add to the declarations of others (`listAugmentingMembers`) are dependencies of every document in it: no file
 * imports them, and all that is said of the others may be due to them. More than `augmentingMax` would be too much to write down for
 * each file: then only the first so many of those that declare something are, and as long as one of the rest is not settled every file
 * of the project is pending (`markAugmented`). That one of the rest is gone is not seen before the next run.
 */

import { hash } from 'node:crypto';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { type DependencySnapshot, type DocumentFacts, noDocument } from '../store/document-facts.ts';
import type { ReadSession } from '../store/read-session.ts';
import { isLive, listContextsOfFile, type StoredContext } from '../store/stored-contexts.ts';
import {
  isInterfaceClosed,
  listAugmentingMembers,
  listFactsOfFile,
  loadOwnInterfaces,
  type OwnInterface,
} from '../store/stored-facts.ts';
import { findFile } from '../store/stored-files.ts';
import { listTargetsOfFile } from '../store/stored-imports.ts';
import type { FileMoment, PreparedImport } from './prepare-import.ts';

const augmentingMax = 64;

/** What is known of files outside of this import, of the moment before it. */
export type SettledStates = {
  /** Does what is stored of it in that context still hold? */
  isCleanIn(path: string, contextId: number): boolean;
  hasSameDependencies(path: string, contextId: number): boolean;
  dependenciesIn(path: string, contextId: number): readonly string[];
};

export type Snapshots = {
  /** The documents with the interfaces that are to be stored; to be asked before anything else. */
  close(session: ReadSession): readonly DocumentFacts[];
  /** By path. */
  of(session: ReadSession, documentPath: string): readonly DependencySnapshot[];
  synOf(path: string): string | null;
  /** What the tool said of a document's interface, before those of others were part of it. */
  ownIfaceOf(path: string): string | null;
  hasMoved(path: string): boolean;
  isAccepted(path: string): boolean;
};

export function createSnapshots(
  prepared: Pick<PreparedImport, 'pre' | 'touches' | 'rejected'>,
  accepted: readonly DocumentFacts[],
  options: {
    readonly context: StoredContext;
    readonly post: (path: string) => FileMoment | undefined;
    readonly states: SettledStates;
  },
): Snapshots {
  const { context, post, states } = options;
  const documents = new Map(accepted.map((document) => [document.path, document]));
  const said = new Map(accepted.map(({ path, semIface }) => [path, semIface]));
  const known = new Map<string, DependencySnapshot>();
  let augmenting: readonly string[] = [];
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
    const live = new Set(covering.filter(isLive).map(({ id }) => id));
    const row = rows.find(({ contextId }) => (isMember ? contextId === context.id : live.has(contextId)));
    if (row === undefined || row.hashAtIndex !== prepared.pre.get(path)?.hash) return null;
    return states.isCleanIn(path, row.contextId) ? row.semIface : null;
  };
  /**
   * A member for which the tool gives no document that fits must not leave its users, and in the end the whole project, without an
   * answer for ever: it is known by its records, and what it imports is a dependency of those who use it.
   */
  const isSilent = (session: ReadSession, path: string): boolean => {
    let known = silent.get(path);
    if (known === undefined) {
      const isHere = ({ contextId }: { readonly contextId: number }) => contextId === context.id;
      known =
        !documents.has(path) &&
        synOf(path) !== null &&
        !hasMoved(path) &&
        listContextsOfFile(session, path).some(({ id }) => id === context.id) &&
        !listFactsOfFile(session, path).some(isHere);
      silent.set(path, known);
    }
    return known;
  };
  const silent = new Map<string, boolean>();
  const usedSnapshotOf = (session: ReadSession, path: string): DependencySnapshot => {
    const snapshot = snapshotOf(session, path);
    return snapshot.sem === null && isSilent(session, path) ? { ...snapshot, sem: noDocument } : snapshot;
  };
  /** With what lies behind files that say nothing themselves. */
  const usesOf = (session: ReadSession, path: string): Set<string> => {
    const paths = importsOf(session, path);
    // A set that grows while it is walked is walked to its end.
    for (const used of paths)
      if (isSilent(session, used)) for (const behind of importsOf(session, used)) paths.add(behind);
    paths.delete(path);
    return paths;
  };
  const importsOf = (session: ReadSession, path: string): Set<string> => {
    const paths = new Set(prepared.touches.get(path));
    for (const target of listTargetsOfFile(session, path)) paths.add(target);
    paths.delete(path);
    return paths;
  };
  const recordsOf = (path: string): string => synOf(path) ?? 'missing';
  /** All that a document depends on, whatever for; what is stored of one that is not of this import is the same list. */
  const dependenciesOf = (session: ReadSession, path: string): ReadonlySet<string> => {
    const paths = new Set([...usesOf(session, path), ...augmenting]);
    paths.delete(path);
    return paths;
  };
  /** A member outside of the scope is part of the program as it was described last, if that still holds. */
  const findDescribed = (session: ReadSession, path: string): OpenFile | undefined => {
    described ??= loadOwnInterfaces(session, context.id);
    const row = described.get(path);
    if (row === undefined || row.hashAtIndex !== prepared.pre.get(path)?.hash || hasMoved(path)) return undefined;
    if (!states.isCleanIn(path, context.id)) return undefined;
    return {
      own: row.ownIface ?? recordsOf(path),
      stored: null,
      dependencies: states.dependenciesIn(path, context.id),
    };
  };
  let described: ReadonlyMap<string, OwnInterface> | undefined;
  /**
   * What is to be stored of a document's interface, if that is what is stored: the tool says the same of it, it depends on the same files, and
   * they mean what they meant. Where all are so nothing has to be closed, which takes as long as the project is large.
   */
  const findUnchanged = (
    session: ReadSession,
    { path, semIface }: DocumentFacts,
  ): { readonly sem: string | null } | undefined => {
    described ??= loadOwnInterfaces(session, context.id);
    const row = described.get(path);
    if (row === undefined || row.ownIface !== semIface || !states.hasSameDependencies(path, context.id))
      return undefined;
    const isClosed = isInterfaceClosed(session, path);
    // It was not of the kind that it is of now.
    if (isClosed !== (row.semIface === row.ownIface)) return undefined;
    const before = new Set(states.dependenciesIn(path, context.id));
    const now = dependenciesOf(session, path);
    const isSame = before.size === now.size && [...now].every((used) => before.has(used));
    return isSame ? { sem: row.semIface } : undefined;
  };
  const openFileOf = (session: ReadSession, path: string): OpenFile | undefined => {
    if (isInterfaceClosed(session, path)) return undefined;
    const document = documents.get(path);
    if (document !== undefined) {
      const dependencies = [...dependenciesOf(session, path)];
      return { own: document.semIface ?? recordsOf(path), stored: null, dependencies };
    }
    const described = findDescribed(session, path);
    if (described !== undefined) return described;
    if (!listContextsOfFile(session, path).some(isLive)) return undefined;
    const stored = semOf(session, path) ?? recordsOf(path);
    return { own: recordsOf(path), stored, dependencies: [...importsOf(session, path)] };
  };
  return {
    hasMoved,
    synOf,
    ownIfaceOf: (path) => said.get(path) ?? null,
    isAccepted: (path) => documents.has(path),
    close(session) {
      augmenting = [...listAugmenting(session, context), ...listLost(session, prepared, context)];
      const unchanged = accepted.map((document) => findUnchanged(session, document));
      if (unchanged.every((found) => found !== undefined)) {
        accepted.forEach((document, at) => {
          documents.set(document.path, { ...document, semIface: unchanged[at]?.sem ?? null });
        });
        return [...documents.values()];
      }
      const open = new Map<string, OpenFile | undefined>();
      const find = (path: string): OpenFile | undefined => {
        if (!open.has(path)) open.set(path, openFileOf(session, path));
        return open.get(path);
      };
      const paths = accepted.map(({ path }) => path);
      for (const [path, semIface] of closeInterfaces(paths, { find, leafOf: recordsOf })) {
        const document = documents.get(path);
        if (document !== undefined) documents.set(path, { ...document, semIface });
      }
      return [...documents.values()];
    },
    of(session, documentPath) {
      return [...dependenciesOf(session, documentPath)]
        .sort(compareCodeUnits)
        .map((path) => usedSnapshotOf(session, path));
    },
  };
}

function listAugmenting(session: ReadSession, context: StoredContext): readonly string[] {
  if (context.family !== 'typescript') return [];
  const all = listAugmentingMembers(session, context.id);
  const kept = all.length > augmentingMax ? all.filter(({ declares }) => declares).slice(0, augmentingMax) : all;
  return kept.map(({ path }) => path);
}

/** R13: read by the indexer and gone since. What they added to the others cannot be told any more. */
function listLost(
  session: ReadSession,
  { rejected, pre }: Pick<PreparedImport, 'pre' | 'rejected'>,
  { family }: StoredContext,
): readonly string[] {
  if (family !== 'typescript') return [];
  return rejected.flatMap(({ path }) =>
    pre.get(path)?.augments === true && findFile(session, path)?.presence !== 'present' ? [path] : [],
  );
}

// ---- the semantic interfaces of an import, completed by what they are computed from (code-plane.md §8, T2). What a tool says of
// `type X = ReturnType<typeof make>` is the same whatever `make` returns. So the interface of a file that is not closed holds those of all
// it depends on, which hold those of theirs; a closed one holds nothing but its own, and there it ends.
//
// Files that depend on each other are hashed together, as sets: the result depends on no order (T6). Linear, without recursion (T12).
// A dependency outside of the import counts with what is stored of it. If it leads back into the import it counts with its records alone:
// with each other's hashes in theirs, two projects would never come to rest.

export type OpenFile = {
  /** What is said of the file itself. */
  readonly own: string;
  /** null: of this import. Else what dependents outside of its cycle take it for; its `own` are its records. */
  readonly stored: string | null;
  readonly dependencies: readonly string[];
};

type InterfaceWorld = {
  /** undefined: a closed interface, or one of which nothing more can be known. */
  readonly find: (path: string) => OpenFile | undefined;
  /** Of such a file. */
  readonly leafOf: (path: string) => string;
};

/** By path: the interfaces of those of these files that are not closed. */
export function closeInterfaces(
  paths: readonly string[],
  { find, leafOf }: InterfaceWorld,
): ReadonlyMap<string, string> {
  const known = new Map<string, Visit>();
  const final = new Map<string, string>();
  const path: Visit[] = [];
  const waiting: Visit[] = [];
  let met = 0;

  for (const start of paths) {
    if (visitOf(start) === undefined) continue;
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.file.dependencies[visit.next];
      if (next === undefined) {
        leave(visit);
        continue;
      }
      visit.next += 1;
      const before = known.get(next);
      if (before === undefined) visitOf(next);
      else if (!before.isDone) visit.low = Math.min(visit.low, before.index);
    }
  }
  return final;

  /** Of a file that has not been met; undefined: there is nothing to visit. */
  function visitOf(name: string): Visit | undefined {
    const file = known.has(name) ? undefined : find(name);
    if (file === undefined) return undefined;
    met += 1;
    const visit: Visit = { name, file, index: met, low: met, next: 0, isDone: false };
    known.set(name, visit);
    path.push(visit);
    waiting.push(visit);
    return visit;
  }

  function leave(visit: Visit): void {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) before.low = Math.min(before.low, visit.low);
    if (visit.low !== visit.index) return;
    const members = waiting.splice(waiting.lastIndexOf(visit));
    const inside = new Set(members.map(({ name }) => name));
    const parts = new Set<string>();
    for (const { name, file } of members) {
      parts.add(`in ${name} ${file.own}`);
      for (const to of file.dependencies) if (!inside.has(to)) parts.add(`out ${to} ${final.get(to) ?? leafOf(to)}`);
    }
    const together = hashOf([...parts].sort(compareCodeUnits));
    const isOutside = members.every(({ file }) => file.stored !== null);
    for (const member of members) {
      const { name, file } = member;
      member.isDone = true;
      final.set(name, isOutside && file.stored !== null ? file.stored : hashOf([file.own, together]));
    }
  }
}

type Visit = {
  readonly name: string;
  readonly file: OpenFile;
  readonly index: number;
  low: number;
  /** Position in its dependencies. */
  next: number;
  isDone: boolean;
};

function hashOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'));
}
