/** The run of the import graph: sources → imports → edges, and what the whole of them shows. */

import { relative } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { findCycles } from '../../../kernel/base/find-cycles.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { checkGrammars } from '../../../languages/parsing/grammar-pins.ts';
import { createFindings, type Findings } from '../findings.ts';
import { type CheckGrammars, grammarsOf, listSources, parseSources } from '../parse-sources.ts';
import { configGlobs, sourceGlobs } from './import-inputs.ts';
import { createInputsWorld } from './inputs-world.ts';
import { type ImportEdge, resolveImports, type SourceImports } from './resolve-imports.ts';

export const importGraphArtifact = 'import-graph.json';
const fanInShown = 10;

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
    const known = importers.get(to);
    if (known === undefined) importers.set(to, new Set([from]));
    else known.add(from);
  }
  return [...importers]
    .map(([path, from]) => ({ path, importers: from.size }))
    .sort((a, b) => b.importers - a.importers || compareCodeUnits(a.path, b.path))
    .slice(0, fanInShown);
}
