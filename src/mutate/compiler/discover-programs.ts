/**
 * Which programs the compiler job is to open (mutation.md §3.1, "every context with a file of A"): the TypeScript contexts of the index,
 * found anew from what the view says the tree is now. Files that no configuration means are one program per package, as they are one
 * context there: scripts of one package may share globals, those of two packages do not.
 */

import { isEndless } from '../../index/semantic/contexts/config-problem.ts';
import { applyPinned, pinnedContextsPath } from '../../index/semantic/contexts/pinned-contexts.ts';
import { discover } from '../../index/semantic/contexts/typescript.ts';
import type { ContextSpec } from '../../index/semantic/types.ts';
import type { CodeView } from '../../index/state/code-view.ts';
import { allProvides } from '../../index/store/queries/list-provides.ts';
import { loadImportGraph } from '../../index/store/queries/load-import-graph.ts';
import { loadFileTable } from '../../index/sync/file-table.ts';
import { createNameProviders } from '../../index/sync/name-provider.ts';
import { createTreeWorld } from '../../index/sync/tree-world.ts';
import { textLimits } from '../../index/syntax/text-limits.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { readSource } from '../../kernel/repo/read-source.ts';
import { createDirectoryGuard } from '../../kernel/repo/safe-read.ts';
import type { ProgramSpec } from './types.ts';

const known = new WeakMap<CodeView, readonly ContextSpec[]>();

/** Sorted by key. `holding`: only programs that one of these files is a member of. */
export function listPrograms(view: CodeView, holding?: ReadonlySet<string>): readonly ProgramSpec[] {
  return listContexts(view, holding)
    .filter(({ problem }) => !isEndless(problem))
    .map(({ key, configPath, members }) =>
      configPath === null ? { key, config: null, files: members } : { key, config: configPath },
    );
}

/** Why the compiler cannot be asked about one of these files: it would follow the configuration for ever. */
export function findEndlessConfig(view: CodeView, holding: ReadonlySet<string>): string | undefined {
  return listContexts(view, holding).find(({ problem }) => isEndless(problem))?.problem ?? undefined;
}

function listContexts(view: CodeView, holding?: ReadonlySet<string>): readonly ContextSpec[] {
  const contexts = known.get(view) ?? discoverNow(view);
  known.set(view, contexts);
  return contexts.filter(({ members }) => holding === undefined || members.some((path) => holding.has(path)));
}

/** Is this file a member of any program? */
export function isInPrograms(view: CodeView, path: string): boolean {
  return listPrograms(view, new Set([path])).length > 0;
}

function discoverNow(view: CodeView): readonly ContextSpec[] {
  const { root } = view;
  const [table, graph, provides] = view.read((moment) => [
    loadFileTable(moment),
    loadImportGraph(moment),
    allProvides(moment),
  ]);
  const found = discover({
    resolve: createTreeWorld(root, table, createNameProviders(provides).filesProviding),
    languageOf: (path) => table.get(path)?.language ?? null,
    targetsOf: (path) => graph.get(path) ?? [],
    pinned: undefined,
  });
  const pinned = readSource(root, pinnedContextsPath, textLimits.textBytes, createDirectoryGuard(root));
  const { contexts } = applyPinned(found, pinned.kind === 'read' ? pinned.bytes : undefined);
  return contexts.filter(({ enabled }) => enabled).sort((a, b) => compareCodeUnits(a.key, b.key));
}
