/**
 * What context discovery looks at, and whether it could find something else by now (code-plane.md §2 "Config epoch", §5): a file that
 * came or went, a configuration file, `.codegenie/contexts.json`, or an import that leads elsewhere.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { textLimits } from '../../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../../kernel/tree/safe-read.ts';
import type { ResolveWorld } from '../../resolve/types.ts';
import { pinnedContextsPath } from '../../semantic/contexts/pinned-contexts.ts';
import { findRepoState } from '../../store/queries/find-repo-state.ts';
import { listImportsOfFile } from '../../store/queries/list-imports.ts';
import { allProvides } from '../../store/queries/list-provides.ts';
import { type ImportGraph, loadImportGraph } from '../../store/queries/load-import-graph.ts';
import type { IndexSession } from '../index-session.ts';
import { createNameProviders } from '../name-provider.ts';
import { createTreeWorld } from '../tree-world.ts';
import type { Changes } from './change-log.ts';
import type { RefreshDiscovery } from './refresh-parts.ts';

export interface DiscoverySource {
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
