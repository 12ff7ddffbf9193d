/**
 * Lines and functions of a report, joined to the definitions of a file. Linear in both, up to a logarithm.
 *
 * A line that declares a function runs when the file is loaded. So a function is hit when the report's own record of it says so, else
 * when a line after its name ran; a class is hit when a function in it is. What has no measured line is no code and is left out.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import { shortLine } from '../../kernel/base/text.ts';
import type { SymbolKind } from '../../languages/facts.ts';
import { type FileCoverage, findFunction, type MeasuredFile } from './coverage-reports.ts';
import type { DefinitionFact, DefinitionFacts } from './source-definitions.ts';

export type MeasuredSymbol = {
  readonly symbol: string;
  readonly path: string;
  /** First and last line, from 1. */
  readonly range: readonly [number, number];
  readonly lines_covered: number;
  readonly lines_total: number;
  readonly hit: boolean;
  readonly exported: boolean;
  /** Something that runs when it is used; a value is made when its file is loaded, which exercises nothing. */
  readonly runs: boolean;
};

/** A definition that may be measured, with the name it has everywhere. */
type Candidate = DefinitionFact & {
  readonly symbol: string;
  /** Candidates around it, the nearest first. */
  readonly around: readonly Candidate[];
};

export type SourceDefinitions = {
  readonly path: string;
  readonly lines: number;
  readonly candidates: readonly Candidate[];
};

const functionKinds: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'getter', 'setter']);
const containerKinds: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'enum',
  'trait',
  'impl',
  'record',
  'namespace',
]);
const valueKinds: ReadonlySet<SymbolKind> = new Set(['variable', 'constant']);
/** A field may hold a function: it counts when the report has a record of one. */
const memberKinds: ReadonlySet<SymbolKind> = new Set(['field', 'property']);
/** Depth limit of nested classes and namespaces. */
const maxAround = 16;
const maxSymbolChars = 1_000;

const isFunction = ({ kind }: Pick<DefinitionFact, 'kind'>): boolean => functionKinds.has(kind);

/** Definitions that other files can name: nothing inside of a function, and of values those that are exported. `nameAt` knows the semantic name of a definition, if there is one. */
export function listCandidates(
  path: string,
  facts: DefinitionFacts,
  nameAt: (line: number, column: number) => string | undefined,
): SourceDefinitions {
  const byPosition: (Candidate | undefined)[] = [];
  for (const fact of facts.definitions) {
    const parent = fact.parent < 0 ? undefined : byPosition[fact.parent];
    const reachable = fact.parent < 0 || (parent !== undefined && containerKinds.has(parent.kind));
    const wanted =
      isFunction(fact) ||
      containerKinds.has(fact.kind) ||
      (valueKinds.has(fact.kind) && fact.parent < 0 && fact.exported) ||
      memberKinds.has(fact.kind);
    byPosition.push(
      reachable && wanted
        ? {
            ...fact,
            symbol: shortLine(nameAt(fact.line, fact.column) ?? `${path}#${fact.namePath}`, maxSymbolChars),
            around: parent === undefined ? [] : [parent, ...parent.around].slice(0, maxAround),
          }
        : undefined,
    );
  }
  return { path, lines: facts.lines, candidates: byPosition.filter((candidate) => candidate !== undefined) };
}

type MeasuredSource = {
  readonly symbols: readonly MeasuredSymbol[];
  /** Exported functions that the report says nothing about: not run, or not measured. */
  readonly unmeasured: number;
};

export function measureSymbols({ path, candidates }: SourceDefinitions, coverage: FileCoverage): MeasuredSource {
  const tally = createTally(coverage);
  const functionsIn = new Map<Candidate, number>();
  const hitIn = new Set<Candidate>();
  const rows = candidates.map((candidate) => {
    const recorded = findFunction(coverage.functionsByLine, candidate);
    const isCode = isFunction(candidate) || (memberKinds.has(candidate.kind) && recorded !== undefined);
    const whole = tally(candidate.startLine, candidate.endLine);
    const hit = isCode ? functionHit(candidate, recorded?.hits, tally) : whole.covered > 0;
    if (isCode && (whole.total > 0 || recorded !== undefined)) {
      for (const outer of candidate.around) functionsIn.set(outer, (functionsIn.get(outer) ?? 0) + 1);
      if (hit) for (const outer of candidate.around) hitIn.add(outer);
    }
    const isMeasured = whole.total > 0 || (isCode && recorded !== undefined);
    return { candidate, whole, hit, isMeasured, isListed: isMeasured && (isCode || !memberKinds.has(candidate.kind)) };
  });
  const unmeasured = rows.filter(
    ({ candidate, isMeasured }) => candidate.exported && isFunction(candidate) && !isMeasured,
  );
  const symbols = rows
    .filter(({ isListed }) => isListed)
    .map(({ candidate, whole, hit }) => ({
      symbol: candidate.symbol,
      path,
      range: [candidate.startLine, candidate.endLine] as const,
      lines_covered: whole.covered,
      lines_total: whole.total,
      hit: functionsIn.has(candidate) && !isFunction(candidate) ? hitIn.has(candidate) : hit,
      exported: candidate.exported,
      runs: !valueKinds.has(candidate.kind),
    }));
  return { symbols, unmeasured: unmeasured.length };
}

type Tally = (firstLine: number, lastLine: number) => { readonly covered: number; readonly total: number };

function functionHit({ line, endLine, startLine }: Candidate, hits: number | undefined, tally: Tally): boolean {
  if (hits !== undefined) return hits > 0;
  const body = tally(line + 1, endLine);
  return (body.total > 0 ? body : tally(startLine, endLine)).covered > 0;
}

/** Sums up to each measured line: any range is two searches. */
function createTally({ lines }: FileCoverage): Tally {
  const coveredUpTo = [0];
  for (const { hits } of lines) coveredUpTo.push((coveredUpTo.at(-1) ?? 0) + (hits > 0 ? 1 : 0));
  /** How many measured lines come before. */
  const before = (line: number): number => countWhile(lines, (measured) => measured.line < line);
  return (firstLine, lastLine) => {
    const [from, to] = [before(firstLine), before(lastLine + 1)];
    return { covered: (coveredUpTo[to] ?? 0) - (coveredUpTo[from] ?? 0), total: Math.max(0, to - from) };
  };
}

/** One definition may be declared several times (overloads, a type and its implementation): the largest stands for all. */
export function mergeSymbols(symbols: readonly MeasuredSymbol[]): MeasuredSymbol[] {
  const bySymbol = new Map<string, MeasuredSymbol>();
  for (const symbol of symbols) {
    const known = bySymbol.get(symbol.symbol);
    const larger = known !== undefined && known.lines_total >= symbol.lines_total ? known : symbol;
    bySymbol.set(symbol.symbol, {
      ...larger,
      hit: symbol.hit || known?.hit === true,
      exported: symbol.exported || known?.exported === true,
    });
  }
  return [...bySymbol.values()];
}

/** Which symbols one record of one test ran. Proportional to the record, not to the file. */
export function createRecordReader({
  candidates,
  lines,
}: SourceDefinitions): (record: MeasuredFile) => ReadonlySet<string> {
  const owners = ownersByLine(candidates, lines);
  const atLine = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    for (const line of new Set([candidate.line, candidate.startLine])) {
      const known = atLine.get(line);
      if (known === undefined) atLine.set(line, [candidate]);
      else known.push(candidate);
    }
  }
  return (record) => {
    const found = new Set<string>();
    const add = (candidate: Candidate) => {
      found.add(candidate.symbol);
      for (const outer of candidate.around) found.add(outer.symbol);
    };
    const recorded = new Set<Candidate>();
    for (const entry of record.functions) {
      const functionsByLine = new Map([[entry.line, [entry]]]);
      // Code written by hand has few definitions on one line.
      const candidate = (atLine.get(entry.line) ?? [])
        .slice(0, 50)
        .find(
          (each) => (isFunction(each) || memberKinds.has(each.kind)) && findFunction(functionsByLine, each) === entry,
        );
      if (candidate === undefined) continue;
      recorded.add(candidate);
      if (entry.hits > 0) add(candidate);
    }
    for (const { line, hits } of record.lines) {
      const owner = hits > 0 ? owners[line] : undefined;
      if (owner === undefined || recorded.has(owner)) continue;
      if (isFunction(owner) && (line > owner.line || owner.line === owner.endLine)) add(owner);
    }
    return found;
  };
}

/** The innermost candidate around each line. Candidates come in order of their beginning and are nested or apart. */
export function ownersByLine(candidates: readonly Candidate[], lines: number): readonly (Candidate | undefined)[] {
  const starting = [...candidates].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const owners: (Candidate | undefined)[] = [undefined];
  const open: Candidate[] = [];
  let next = 0;
  for (let line = 1; line <= lines; line += 1) {
    for (let candidate = starting[next]; candidate?.startLine === line; candidate = starting[next]) {
      open.push(candidate);
      next += 1;
    }
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < line) open.pop();
    owners.push(open.at(-1));
  }
  return owners;
}
