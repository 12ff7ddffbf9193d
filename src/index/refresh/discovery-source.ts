/**
 * What context discovery looks at, and whether it could find something else by now (code-plane.md §2 "Config epoch", §5): a file that
 * came or went, a configuration file, `.codegenie/contexts.json`, or an import that leads elsewhere. `createChangeLog` tells which files
 * the reconciler has found different.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import { pinnedContextsPath } from '../../languages/projects/discover-contexts.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { findRepoState } from '../store/stored-files.ts';
import { allProvides, type ImportGraph, listImportsOfFile, loadImportGraph } from '../store/stored-imports.ts';
import type { FileState, FileTable } from '../sync/file-table.ts';
import type { IndexSession } from '../sync/index-session.ts';
import { createNameProviders, createTreeWorld } from '../sync/tree-world.ts';
import type { RefreshDiscovery } from './refresh-wiring.ts';

interface DiscoverySource {
  /** Could discovery differ from that of the last `take`? Told of all changes, or its graph is not today's. */
  isDue(changes: Changes): boolean;
  /** Whether what belongs to no file in scope, `.codegenie/contexts.json`, is what the last `take` saw. */
  isAsTaken(): boolean;
  take(): RefreshDiscovery;
  /** What was taken led to nothing: it is due again. */
  forget(): void;
  /** In-repository files that the text of a file leads to. */
  targetsOf(path: string): readonly string[];
  resolveWorld(): ResolveWorld;
}

const none: readonly string[] = [];

export function createDiscoverySource(session: IndexSession, root: string): DiscoverySource {
  let graph: ImportGraph = new Map();
  /** Of which `graph` is; -1: it has not been read. */
  let generation = -1;
  let seen: { readonly epoch: string | undefined; readonly pinned: string } | undefined;

  const loadGraph = (): ImportGraph => {
    session.facts.read((moment) => {
      if (moment.generation !== generation) graph = loadImportGraph(moment);
      generation = moment.generation;
    });
    return graph;
  };

  const readPinned = (): Uint8Array | undefined => {
    const read = readSource(root, pinnedContextsPath, textLimits.textBytes, createDirectoryGuard(root));
    return read.kind === 'read' ? read.bytes : undefined;
  };
  const lookNow = () => {
    const pinned = readPinned();
    return {
      epoch: session.facts.read((moment) => findRepoState(moment)?.configEpoch),
      pinned: pinned === undefined ? '' : blake3Hex(pinned),
    };
  };
  const resolveWorld = (): ResolveWorld => {
    const providers = createNameProviders(session.facts.read(allProvides));
    return createTreeWorld(root, session.reconciler.table, providers.filesProviding);
  };

  /** Keeps the graph equal to the store; did anything lead elsewhere? */
  const follow = (paths: readonly string[]): boolean =>
    session.facts.read((moment) => {
      let isOther = false;
      for (const path of paths) {
        const targets = [...new Set(listImportsOfFile(moment, path).flatMap((found) => found.targets))];
        const before = new Set(graph.get(path) ?? none);
        if (targets.length === before.size && targets.every((target) => before.has(target))) continue;
        isOther = true;
        if (targets.length === 0) graph.delete(path);
        else graph.set(path, targets);
      }
      return isOther;
    });

  return {
    isDue({ came, went, edited }) {
      const now = lookNow();
      const isOther = seen === undefined || now.epoch !== seen.epoch || now.pinned !== seen.pinned;
      if (isOther || came.length + went.length > 0) {
        // Others may have been resolved again.
        loadGraph();
        return true;
      }
      return follow(edited);
    },
    isAsTaken() {
      const now = lookNow();
      return seen !== undefined && now.epoch === seen.epoch && now.pinned === seen.pinned;
    },
    take() {
      seen = lookNow();
      const taken = loadGraph();
      const { table } = session.reconciler;
      return {
        resolve: resolveWorld(),
        languageOf: (path) => table.get(path)?.language ?? null,
        targetsOf: (path) => taken.get(path) ?? none,
        pinned: readPinned(),
      };
    },
    forget() {
      seen = undefined;
    },
    targetsOf: (path) => (generation < 0 ? loadGraph() : graph).get(path) ?? none,
    resolveWorld,
  };
}

// ---- what changed since the last `take`, worked out by comparing, so that no path is missed however it was noticed

type Changes = {
  /** Sorted; each path is in exactly one of the three. */
  readonly came: readonly string[];
  readonly went: readonly string[];
  readonly edited: readonly string[];
};

interface ChangeLog {
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
