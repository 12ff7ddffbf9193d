/** The run of test_coverage_mapping: reports → files → symbols → tests. A report that cannot be read is never a report of nothing. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import { countCases } from '../shared/count-test-cases.ts';
import { createFindings, evidenceOf, type Findings } from '../shared/probe-reading.ts';
import { failedWith, ran, type ScannerOutcome } from '../shared/scanners.ts';
import { findSmokeFile, smokeFileGlobs } from '../shared/shell-commands.ts';
import { sourceGlobs } from '../shared/source-globs.ts';
import { grammarsOf, listSources, parseSources } from '../shared/sources.ts';
import {
  type CoverageReport,
  type Located,
  locateFiles,
  type MeasuredFile,
  mergeRecords,
  type ReadReports,
  readReports,
} from './coverage-reports.ts';
import {
  indexReferences,
  linkTests,
  placeKey,
  readImportEdges,
  readSemanticNames,
  readTestNames,
  type SemanticNames,
  type TestLink,
} from './link-tests.ts';
import {
  listCandidates,
  type MeasuredSymbol,
  measureSymbols,
  mergeSymbols,
  type SourceDefinitions,
} from './measure-symbols.ts';
import { findCoverageInputs } from './test-coverage-mapping-section.ts';

const coverageMapArtifact = 'test-coverage-map.json';
/** What the slice shows; the artifact has all. */
const coverageMapShown = { symbols: 2_000, tests: 1_000, exercises: 100, sample: 20 } as const;

type Context = ProbeContext<'coverage.paths'>;

export async function gatherCoverageMap(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const read = await readReports(repo, ctx.config['coverage.paths'], findings);
  if (read.reports.length === 0 && read.unread.length === 0) {
    return { kind: 'skipped', reason: 'not_applicable', detail: 'no coverage report that has lines' };
  }
  const outcome = outcomeOf(read);
  const files = placeRecords(repo, read.reports, findings);
  const tests =
    outcome.kind === 'ran'
      ? (await countCases(repo, ctx.signal)).files.map(({ path }) => path).toSorted(compareCodeUnits)
      : [];
  const map = await mapSymbols(repo, ctx, files, tests, findings);
  const named = readTestNames(files.recordsByFile, map.sources, tests);
  const links = outcome.kind === 'ran' ? linkTests(linkWorld(repo, ctx, named.symbolsByName, tests, map)) : [];
  const linkCount = links.length + named.notKept;
  const untested = map.symbols.filter(({ exported, hit }) => exported && !hit).map(({ symbol }) => symbol);
  const relation = map.isWhole && files.missing === 0 && outcome.kind === 'ran' ? 'eq' : 'gte';
  const head = {
    outcome,
    format: formatOf(read.reports),
    files_seen: files.seen,
    files_outside_repo: files.outside,
  };
  const symbols = map.symbols.map(({ exported: _, runs: __, ...symbol }) => symbol);
  return {
    kind: 'ran',
    slice: {
      test_coverage_map: {
        ...head,
        symbols: symbols.slice(0, coverageMapShown.symbols) as unknown as Json,
        symbols_total: symbols.length,
        tests: links.slice(0, coverageMapShown.tests).map(shownLink) as unknown as Json,
        tests_total: linkCount,
        untested_exported_symbols: {
          value: untested.length,
          relation,
          sample: untested.slice(0, coverageMapShown.sample),
        },
      },
    },
    rawArtifacts: [
      {
        name: coverageMapArtifact,
        kind: 'json',
        from: new TextEncoder().encode(
          canonicalJson({
            schema_version: 1,
            ...head,
            symbols,
            tests: links,
            tests_total: linkCount,
            untested_exported_symbols: { value: untested.length, relation, symbols: untested },
          } as unknown as Json),
        ),
      },
    ],
    confidence: judge(outcome, files.missing, symbols.length, findings),
    ...findings.report(),
    evidence: [
      ...evidenceOf(
        repo,
        findCoverageInputs(repo, ctx.config['coverage.paths']).map(({ id }) => id),
      ),
      { artifact: coverageMapArtifact },
    ],
  };
}

function judge(outcome: ScannerOutcome, missing: number, symbols: number, findings: Findings): Confidence {
  const doubtful = missing > 0 || symbols === 0 || findings.warned('coverage.lines_out_of_range');
  return outcome.kind === 'ran' && !doubtful ? 'medium' : 'low';
}

/** No process ran, so there is no exit code of one. */
function outcomeOf({ reports, unread }: ReadReports): ScannerOutcome {
  if (reports.some(({ files }) => files.length > 0)) return ran;
  const [first] = unread;
  if (first === undefined) return failedWith(-1, 'the coverage report names no file', 'nothing_scanned');
  return failedWith(-1, 'no coverage report could be read', first.format === 'istanbul' ? 'invalid_json' : null);
}

function formatOf(reports: readonly CoverageReport[]): CoverageReport['format'] | 'both' | null {
  const [first, second] = [...new Set(reports.filter(({ files }) => files.length > 0).map(({ format }) => format))];
  return second === undefined ? (first ?? null) : 'both';
}

function shownLink(link: TestLink): object {
  return {
    ...link,
    exercises: link.exercises.slice(0, coverageMapShown.exercises),
    exercises_total: link.exercises.length,
  };
}

type PlacedRecords = {
  /** By path in the repository. */
  readonly recordsByFile: ReadonlyMap<string, readonly MeasuredFile[]>;
  readonly seen: number;
  readonly outside: number;
  readonly missing: number;
};

function placeRecords(repo: ProbeRepo, reports: readonly CoverageReport[], findings: Findings): PlacedRecords {
  const recordsByFile = new Map<string, MeasuredFile[]>();
  const [outside, missing] = [new Set<string>(), new Set<string>()];
  for (const { id, files } of reports) {
    const located: ReadonlyMap<string, Located> = locateFiles(
      files.map(({ path }) => path),
      { root: repo.root, report: id, hasFile: (path) => repo.inputs.has(path) },
    );
    for (const record of files) {
      const place = located.get(record.path);
      if (place === undefined || place.kind === 'outside') outside.add(record.path);
      else if (place.kind === 'missing') missing.add(place.path);
      else {
        const known = recordsByFile.get(place.path);
        if (known === undefined) recordsByFile.set(place.path, [record]);
        else known.push(record);
      }
    }
  }
  for (const path of [...missing].sort(compareCodeUnits).slice(0, limits.diagnosticsPerProbe)) {
    findings.warn('test_coverage_mapping.files_missing', { path, detail: 'measured, and not in the repository now' });
  }
  const seen = recordsByFile.size + outside.size + missing.size;
  return { recordsByFile, seen, outside: outside.size, missing: missing.size };
}

type SymbolMap = {
  /** By path, then place. */
  readonly symbols: readonly MeasuredSymbol[];
  readonly sources: ReadonlyMap<string, SourceDefinitions>;
  readonly names: SemanticNames;
  /** Every source of the repository was measured, as it is now, and read as code. */
  readonly isWhole: boolean;
};

async function mapSymbols(
  repo: ProbeRepo,
  ctx: Context,
  { recordsByFile }: PlacedRecords,
  tests: readonly string[],
  findings: Findings,
): Promise<SymbolMap> {
  const isTest = new Set(tests.filter((path) => !isSourceOfItsTests(path)));
  const own = listSources(repo, sourceGlobs).filter(({ path }) => !isTest.has(path) && !isAside(path));
  const measured = own.filter(({ path }) => recordsByFile.has(path));
  const wanted = new Set([...measured.map(({ path }) => path), ...tests]);
  const names = readSemanticNames(ctx.upstream['scip_index']?.artifacts['scip-index.scip'], (path) => wanted.has(path));
  const unindexed = measured.filter(({ path }) => names?.has(path) !== true).length;
  if (unindexed > 0) {
    const detail = `${unindexed} of ${measured.length} measured files have no semantic index`;
    findings.warn('test_coverage_mapping.no_semantic_index', { detail });
  }
  const grammars = checkGrammars(grammarsOf(measured));
  const parsed = await parseSources(repo, measured, 'definitions', { grammars, signal: ctx.signal });
  const sources = new Map<string, SourceDefinitions>();
  const symbols: MeasuredSymbol[] = [];
  let [outOfRange, unmeasured] = [0, 0];
  for (const file of parsed) {
    if (file.kind !== 'parsed') continue;
    const definitions = names?.get(file.path)?.definitions;
    const source = listCandidates(file.path, file.facts, (line, column) => definitions?.get(placeKey(line, column)));
    const coverage = mergeRecords(recordsByFile.get(file.path) ?? []);
    const lastLine = coverage.lines.at(-1)?.line ?? 0;
    if (lastLine > source.lines) {
      outOfRange += 1;
      const detail = `line ${lastLine} of a file that has ${source.lines}`;
      findings.warn('coverage.lines_out_of_range', { path: file.path, detail });
    }
    sources.set(file.path, source);
    const measuredSource = measureSymbols(source, coverage);
    for (const symbol of measuredSource.symbols) symbols.push(symbol);
    unmeasured += measuredSource.unmeasured;
  }
  const isWhole =
    own.length === measured.length &&
    outOfRange + unmeasured === 0 &&
    parsed.every((file) => file.kind === 'parsed' && !file.partial);
  const byPlace = (a: MeasuredSymbol, b: MeasuredSymbol) =>
    compareCodeUnits(a.path, b.path) || a.range[0] - b.range[0] || compareCodeUnits(a.symbol, b.symbol);
  return { symbols: mergeSymbols(symbols).sort(byPlace), sources, names, isWhole };
}

/** Rust keeps the tests of a file in it. */
function isSourceOfItsTests(path: string): boolean {
  return path.endsWith('.rs') && !/(?:^|\/)tests\//.test(path);
}

/** Declarations hold no code, and the configuration of tools is run by tools. */
function isAside(path: string): boolean {
  return /\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|\.pyi$/.test(path);
}

function linkWorld(
  repo: ProbeRepo,
  ctx: Context,
  symbolsByTestName: ReadonlyMap<string, ReadonlySet<string>>,
  tests: readonly string[],
  { symbols, sources, names }: SymbolMap,
): Parameters<typeof linkTests>[0] {
  const coveredByFile = new Map<string, Set<string>>();
  for (const { path, symbol, hit, runs } of symbols) {
    if (hit && runs) coveredByFile.set(path, (coveredByFile.get(path) ?? new Set()).add(symbol));
  }
  const inventory = ctx.upstream['test_inventory']?.value ?? null;
  const smoke = textAt(inventory, 'smoke_test_path') ?? findSmokeFile(repo.inputs.list(smokeFileGlobs));
  return {
    testFiles: tests,
    smokeFiles: smoke === null ? [] : [smoke],
    covered: new Set(symbols.filter(({ hit }) => hit).map(({ symbol }) => symbol)),
    coveredByFile,
    symbolsByTestName,
    names,
    referencesOf: indexReferences(sources, names),
    imports: readImportEdges(ctx.upstream['tree_sitter_import_graph']?.artifacts['import-graph.json']),
  };
}
