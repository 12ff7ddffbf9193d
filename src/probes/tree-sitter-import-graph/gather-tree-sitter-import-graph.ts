/** The run of the import graph: sources → imports → edges, and what the whole of them shows. */

import { posix, relative } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { findCycles } from '../../kernel/base/find-cycles.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { checkGrammars, type PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import { pythonStdlib } from '../../languages/python/python-places.ts';
import type { ImportReason, ResolveWorld } from '../../languages/resolving/resolution.ts';
import { createResolver } from '../../languages/resolving/resolvers.ts';
import { platformModules } from '../../languages/typescript/js-packages.ts';
import { createFindings, type Findings } from '../shared/probe-reading.ts';
import { sourceGlobs } from '../shared/source-globs.ts';
import {
  type CheckGrammars,
  createInputsWorld,
  grammarsOf,
  listSources,
  type ParsedFile,
  parseSources,
} from '../shared/sources.ts';
import type { ImportFact } from './source-imports.ts';
import { configGlobs } from './tree-sitter-import-graph-section.ts';

const importGraphArtifact = 'import-graph.json';
/** More than a report shows: it leaves out what is no part of the product. */
const fanInShown = 40;

export async function gatherImportGraph(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal' | 'outputDir' | 'inputsDigest' | 'startedAt'>,
  check: CheckGrammars = checkGrammars,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const sources = listSources(repo, sourceGlobs);
  const grammars = check(grammarsOf(sources));
  for (const { name, state } of grammars)
    if (state !== 'pinned') findings.fail('tree_sitter.grammar_pin_mismatch', { detail: `${name}: ${state}` });

  const files = await parseSources(repo, sources, 'imports', { grammars, signal: ctx.signal });
  const parsed = files.filter((file) => file.kind === 'parsed');
  const failed = reportFailures(files, findings);
  if (files.length === 0) findings.warn('tree_sitter.no_files_to_parse');

  const world = await createInputsWorld(repo, configGlobs, indexProviders(files));
  const { edges, unresolved, packages } = resolveImports(files, world);
  const partial = parsed.filter((file) => file.partial).length;
  return {
    kind: 'ran',
    slice: {
      import_graph: {
        import_graph_uri: relative(repo.root, `${ctx.outputDir}/raw/${importGraphArtifact}`),
        parsed_files: parsed.length,
        failed_files: failed,
        partial_files: partial,
        files_with_imports: parsed.filter((file) => file.facts.imports.length > 0).length,
        total_edges: edges.length,
        resolved_edges: edges.filter(({ resolved }) => resolved).length,
        external_packages: packages.size,
        unresolved: { value: unresolved.length, relation: failed + partial > 0 ? 'gte' : 'eq' },
        cycles: countCycles(edges),
        top_fan_in: rankImported(edges),
        grammar_versions: grammars.map(({ name, version }) => ({ name, version })),
        indexed_inputs: ctx.inputsDigest,
        indexed_at: ctx.startedAt,
      },
    },
    rawArtifacts: [
      {
        name: importGraphArtifact,
        kind: 'json',
        from: new TextEncoder().encode(canonicalJson({ schema_version: 2, edges, unresolved } as unknown as Json)),
      },
    ],
    confidence: judge(parsed.length, failed, partial),
    ...findings.report(),
    evidence: [{ artifact: importGraphArtifact }],
  };
}

function judge(parsed: number, failed: number, partial: number): Confidence {
  if (parsed === 0) return 'low';
  if (failed === 0 && partial === 0) return 'high';
  return parsed >= failed ? 'medium' : 'low';
}

/** How many failed. Each is named until there are more than a reader is shown; files without a grammar have an error already. */
function reportFailures(files: readonly SourceImports[], findings: Findings): number {
  let failed = 0;
  for (const file of files) {
    if (file.kind !== 'failed') continue;
    failed += 1;
    if (file.reason === 'no_grammar') continue;
    const id =
      file.reason === 'too_large' ? 'file_too_large' : file.reason === 'timeout' ? 'timeout' : 'file_parse_failed';
    findings.warn(
      `tree_sitter.${id}`,
      failed <= limits.diagnosticsPerProbe ? { path: file.path, detail: file.reason } : undefined,
    );
  }
  if (failed > limits.diagnosticsPerProbe) findings.warn('tree_sitter.parse_failed_count_exceeded');
  return failed;
}

/** Which files provide a name that other files import it by (Java's types). */
function indexProviders(files: readonly SourceImports[]): (name: string) => readonly string[] {
  const filesByName = new Map<string, string[]>();
  for (const file of files) {
    if (file.kind !== 'parsed') continue;
    for (const name of file.facts.provides) {
      const group = filesByName.get(name);
      if (group === undefined) filesByName.set(name, [file.path]);
      else group.push(file.path);
    }
  }
  return (name) => filesByName.get(name) ?? [];
}

/** Groups of files that import each other when they run: an import for types alone closes no circle. */
function countCycles(edges: readonly ImportEdge[]): number {
  const targets = new Map<string, Set<string>>();
  for (const { from, to, resolved, type_only } of edges) {
    if (!resolved || type_only) continue;
    const known = targets.get(from);
    if (known === undefined) targets.set(from, new Set([to]));
    else known.add(to);
  }
  return findCycles(targets.keys(), (node) => targets.get(node) ?? []).length;
}

function rankImported(edges: readonly ImportEdge[]): { path: string; importers: number }[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to, resolved } of edges) {
    if (!resolved || from === to) continue;
    // Go imports a package: of its files none is imported more than another.
    const target = to.endsWith('.go') ? posix.dirname(to) : to;
    if (target === posix.dirname(from) && to.endsWith('.go')) continue;
    const known = importers.get(target);
    if (known === undefined) importers.set(target, new Set([from]));
    else known.add(from);
  }
  return [...importers]
    .map(([path, from]) => ({ path, importers: from.size }))
    .sort((a, b) => b.importers - a.importers || compareCodeUnits(a.path, b.path))
    .slice(0, fanInShown);
}

// Imports → edges: to a file of the repository, to a package outside it, or nowhere with the reason why.

type SourceImports = ParsedFile<'imports'>;

type ImportEdge = {
  readonly from: string;
  /** A file of the repository if `resolved`, else the package or module outside it. */
  readonly to: string;
  readonly specifier: string;
  readonly kind: string;
  readonly type_only: boolean;
  readonly resolved: boolean;
  readonly line: number;
};
type UnresolvedImport = {
  readonly from: string;
  readonly specifier: string;
  readonly kind: string;
  readonly line: number;
  readonly reason: Exclude<ImportReason, 'external'>;
};
type ResolvedImports = {
  readonly edges: readonly ImportEdge[];
  readonly unresolved: readonly UnresolvedImport[];
  readonly packages: ReadonlySet<string>;
};

const languageByGrammar: Readonly<Record<PinnedGrammar, string>> = {
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

function resolveImports(files: readonly SourceImports[], world: ResolveWorld): ResolvedImports {
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

// What comes with a language rather than from a package, and is not counted as one.

const rustCrates: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

function isPlatformModule(language: string, name: string): boolean {
  switch (language) {
    case 'typescript':
    case 'javascript':
      return name.startsWith('node:') || platformModules.has(name.split('/', 1)[0] ?? name);
    case 'python':
      return pythonStdlib.has(name);
    case 'go':
      return !(name.split('/', 1)[0] ?? '').includes('.');
    case 'rust':
      return rustCrates.has(name);
    case 'java':
      return /^(?:java|javax|jdk|sun|com\.sun)\b/.test(name);
    default:
      return false;
  }
}
