/** Imports → edges: to a file of the repository, to a package outside it, or nowhere with the reason why. */

import { createResolver } from '../../../index/resolve/resolvers.ts';
import type { ImportReason, ResolveWorld } from '../../../index/resolve/types.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { singleLine, truncate } from '../../../kernel/base/text.ts';
import type { ProbeGrammar } from '../../../languages/parsing/grammar-pins.ts';
import type { ImportFact } from '../../tree-sitter-import-graph/source-imports.ts';
import type { ParsedFile } from '../parse-sources.ts';
import { isPlatformModule } from './platform-modules.ts';

export type SourceImports = ParsedFile<'imports'>;

export type ImportEdge = {
  readonly from: string;
  /** A file of the repository if `resolved`, else the package or module outside it. */
  readonly to: string;
  readonly specifier: string;
  readonly kind: string;
  readonly type_only: boolean;
  readonly resolved: boolean;
  readonly line: number;
};
export type UnresolvedImport = {
  readonly from: string;
  readonly specifier: string;
  readonly kind: string;
  readonly line: number;
  readonly reason: Exclude<ImportReason, 'external'>;
};
export type ResolvedImports = {
  readonly edges: readonly ImportEdge[];
  readonly unresolved: readonly UnresolvedImport[];
  readonly packages: ReadonlySet<string>;
};

export const languageByGrammar: Readonly<Record<ProbeGrammar, string>> = {
  typescript: 'typescript',
  tsx: 'typescript',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
};

/** A longer one is no specifier; a computed one is an expression of any length. */
const specifierChars = 500;

export function resolveImports(files: readonly SourceImports[], world: ResolveWorld): ResolvedImports {
  const resolve = createResolver(world);
  const edges = new Map<string, ImportEdge>();
  const unresolved = new Map<string, UnresolvedImport>();
  const packages = new Set<string>();
  for (const file of files) {
    if (file.kind !== 'parsed') continue;
    const language = languageByGrammar[file.grammar];
    for (const fact of file.facts.imports) {
      const resolution = resolve(language, file.path, fact);
      const row = rowOf(file.path, fact);
      if (resolution.reason === 'external') {
        const to = truncate(singleLine(resolution.external ?? fact.specifier), specifierChars);
        addEdge(edges, { ...row, to, type_only: fact.typeOnly, resolved: false });
        if (!isPlatformModule(language, to)) packages.add(to);
      } else if (resolution.reason === null) {
        for (const to of resolution.targets) addEdge(edges, { ...row, to, type_only: fact.typeOnly, resolved: true });
      } else unresolved.set(keyOf(row), { ...row, reason: resolution.reason });
    }
  }
  return {
    edges: [...edges.values()].sort(
      (a, b) =>
        compareCodeUnits(a.from, b.from) ||
        a.line - b.line ||
        compareCodeUnits(a.specifier, b.specifier) ||
        compareCodeUnits(a.to, b.to) ||
        compareCodeUnits(a.kind, b.kind),
    ),
    unresolved: [...unresolved.values()].sort(
      (a, b) =>
        compareCodeUnits(a.from, b.from) ||
        a.line - b.line ||
        compareCodeUnits(a.specifier, b.specifier) ||
        compareCodeUnits(a.kind, b.kind),
    ),
    packages,
  };
}

type Row = Omit<UnresolvedImport, 'reason'>;

function rowOf(from: string, { specifier, kind, line }: ImportFact): Row {
  return { from, specifier: truncate(singleLine(specifier), specifierChars), kind, line };
}

function keyOf({ from, specifier, kind, line }: Row): string {
  return JSON.stringify([from, line, kind, specifier]);
}

/** Asked for twice on a line, once for its types alone, it is asked for. */
function addEdge(edges: Map<string, ImportEdge>, edge: ImportEdge): void {
  const key = `${keyOf(edge)}${edge.to}`;
  const before = edges.get(key);
  edges.set(key, before === undefined ? edge : { ...edge, type_only: before.type_only && edge.type_only });
}
