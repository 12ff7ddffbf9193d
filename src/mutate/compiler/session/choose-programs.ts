/**
 * Which programs the compiler job is to open (mutation.md §3.1, "every context with a file of A"): the TypeScript contexts of the index,
 * found anew from what the view says the tree is now. Files that no configuration means are one program per package, as they are one
 * context there: scripts of one package may share globals, those of two packages do not.
 */

import { allProvides, type ImportGraph, loadImportGraph } from '../../../index/store/stored-imports.ts';
import { loadFileTable } from '../../../index/sync/file-table.ts';
import { createNameProviders, createTreeWorld } from '../../../index/sync/tree-world.ts';
import type { CodeView } from '../../../index/view/code-view.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { textLimits } from '../../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../../kernel/tree/safe-read.ts';
import type { ContextSpec } from '../../../languages/projects/context-spec.ts';
import { applyPinned, pinnedContextsPath } from '../../../languages/projects/discover-contexts.ts';
import discoverTypeScript from '../../../languages/typescript/typescript-projects.ts';
import type { ProgramSpec } from './messages.ts';

type Discovered = {
  readonly contexts: readonly ContextSpec[];
  readonly graph: ImportGraph;
  /** The graph turned round, made when first asked for. */
  importers?: ReadonlyMap<string, readonly string[]>;
};

const known = new WeakMap<CodeView, Discovered>();

/** Sorted by key. `holding`: only programs that one of these files is a member of. */
export function listPrograms(view: CodeView, holding?: ReadonlySet<string>): readonly ProgramSpec[] {
  return listContexts(view, holding)
    .filter(({ endless }) => endless === undefined)
    .map(({ key, configPath, members }) =>
      configPath === null ? { key, config: null, files: members } : { key, config: configPath },
    );
}

/** Why the compiler cannot be asked about one of these files: it would follow the configuration for ever. */
export function findEndlessConfig(view: CodeView, holding: ReadonlySet<string>): string | undefined {
  return listContexts(view, holding).find(({ endless }) => endless !== undefined)?.endless;
}

/**
 * These files and all that import them, however far away: whatever they declare can be inherited, spread, mapped or passed on there without
 * its name being written, so a proof has to look there too. A member of a program is listed in that program alone, so what a program sees of
 * others is found by its imports. One walk over the import graph, linear in its edges; in a repository of many packages a change of what all
 * of them import opens all of them, and a change of what one package keeps to itself opens that one and its tests.
 */
export function listImporting(view: CodeView, declaring: Iterable<string>): ReadonlySet<string> {
  const found = discovered(view);
  found.importers ??= turnRound(found.graph);
  const reached = new Set(declaring);
  // A set may grow while it is walked.
  for (const path of reached) for (const importer of found.importers.get(path) ?? []) reached.add(importer);
  return reached;
}

function turnRound(graph: ImportGraph): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [source, targets] of graph) {
    for (const target of targets) {
      const own = importers.get(target);
      if (own === undefined) importers.set(target, [source]);
      else own.push(source);
    }
  }
  return importers;
}

function listContexts(view: CodeView, holding?: ReadonlySet<string>): readonly ContextSpec[] {
  const { contexts } = discovered(view);
  return contexts.filter(({ members }) => holding === undefined || members.some((path) => holding.has(path)));
}

function discovered(view: CodeView): Discovered {
  const found = known.get(view) ?? discoverNow(view);
  known.set(view, found);
  return found;
}

/** Is this file a member of any program? */
export function isInPrograms(view: CodeView, path: string): boolean {
  return listPrograms(view, new Set([path])).length > 0;
}

function discoverNow(view: CodeView): Discovered {
  const { root } = view;
  const [table, graph, provides] = view.read((moment) => [
    loadFileTable(moment),
    loadImportGraph(moment),
    allProvides(moment),
  ]);
  const found = discoverTypeScript({
    resolve: createTreeWorld(root, table, createNameProviders(provides).filesProviding),
    languageOf: (path) => table.get(path)?.language ?? null,
    targetsOf: (path) => graph.get(path) ?? [],
    pinned: undefined,
  });
  const pinned = readSource(root, pinnedContextsPath, textLimits.textBytes, createDirectoryGuard(root));
  const { contexts } = applyPinned(found, pinned.kind === 'read' ? pinned.bytes : undefined);
  const enabled = contexts.filter((context) => context.enabled).sort((a, b) => compareCodeUnits(a.key, b.key));
  return { contexts: enabled, graph };
}
