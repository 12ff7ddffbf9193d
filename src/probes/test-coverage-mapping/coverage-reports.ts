/** The configured coverage reports that have lines, and the files of the repository that they speak of. A report that cannot be read is named; the others count. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseLcov } from '../../kernel/formats/lcov.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { malformed, type ParseLimits, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import { type Findings, readParsed } from '../shared/probe-reading.ts';
import { findCoverageInputs } from './test-coverage-mapping-section.ts';

export type CoverageReport = {
  readonly id: string;
  readonly format: 'lcov' | 'istanbul';
  readonly files: readonly MeasuredFile[];
};
export type ReadReports = {
  readonly reports: readonly CoverageReport[];
  /** Reports of lines that could not be read. */
  readonly unread: readonly { readonly id: string; readonly format: CoverageReport['format'] }[];
};

const jsonLimits = { maxBytes: limits.lcovBytes, maxDepth: limits.parseDepth };

export async function readReports(
  repo: ProbeRepo,
  configured: readonly string[],
  findings: Findings,
): Promise<ReadReports> {
  const reports: CoverageReport[] = [];
  const unread: { id: string; format: CoverageReport['format'] }[] = [];
  for (const { id, path } of findCoverageInputs(repo, configured)) {
    const format = path.endsWith('.json') ? 'istanbul' : 'lcov';
    const parse = format === 'istanbul' ? parseJson : parseLines;
    const outcome = await readParsed(repo, id, limits.lcovBytes, parse);
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      const capped = outcome.failure.kind === 'size_cap_exceeded';
      const line = outcome.failure.kind === 'malformed' ? outcome.failure.line : undefined;
      findings.warn(capped ? 'coverage.size_cap_exceeded' : 'coverage.lcov_parse_error', {
        path: id,
        detail: outcome.failure.kind,
        ...(line === undefined ? {} : { line }),
      });
      unread.push({ id, format });
    } else if (outcome.value !== 'summary') reports.push({ id, format, files: outcome.value });
  }
  return { reports, unread };
}

type Files = ParseOutcome<readonly MeasuredFile[] | 'summary'>;

function parseJson(bytes: Uint8Array): Files {
  return parseIstanbul(bytes, jsonLimits);
}

function parseLines(bytes: Uint8Array): Files {
  const outcome = parseLcov(bytes, jsonLimits);
  return outcome.ok ? parsed(outcome.value.files) : outcome;
}

// Istanbul's `coverage-final.json`: statements and functions with their places and the times they ran. A line is covered when a
// statement that begins on it was, as istanbul computes it.

/** `summary`: a report of totals, which has no lines. */
export function parseIstanbul(
  bytes: Uint8Array,
  limits: ParseLimits,
): ParseOutcome<readonly MeasuredFile[] | 'summary'> {
  const outcome = parseJsonObject(bytes, limits);
  if (!outcome.ok) return outcome;
  if (isJsonObject(member(outcome.value, 'total', 'lines'))) return parsed('summary');
  const files: MeasuredFile[] = [];
  for (const [key, file] of Object.entries(outcome.value)) {
    if (!isJsonObject(member(file, 'statementMap')) || !isJsonObject(member(file, 's'))) {
      return malformed('istanbul: a file without statements');
    }
    files.push({ path: textAt(file, 'path') ?? key, testName: '', lines: linesOf(file), functions: functionsOf(file) });
  }
  return parsed(files);
}

function linesOf(file: Json): LineHits[] {
  const counts = objectAt(file, 's');
  const hitsByLine = new Map<number, number>();
  for (const [id, place] of Object.entries(objectAt(file, 'statementMap'))) {
    const line = lineOf(place);
    if (line !== undefined) hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, countAt(counts, id)));
  }
  return [...hitsByLine].map(([line, hits]) => ({ line, hits }));
}

function functionsOf(file: Json): FunctionHits[] {
  const counts = objectAt(file, 'f');
  return Object.entries(objectAt(file, 'fnMap')).flatMap(([id, entry]) => {
    const line = lineOf(member(entry, 'decl')) ?? lineOf(member(entry, 'loc'));
    return line === undefined ? [] : [{ name: textAt(entry, 'name') ?? '', line, hits: countAt(counts, id) }];
  });
}

function lineOf(place: Json | undefined): number | undefined {
  const line = member(place, 'start', 'line');
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function countAt(counts: JsonObject, id: string): number {
  const value = Object.hasOwn(counts, id) ? counts[id] : 0;
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

// What a coverage report says about one file, whichever format it has: lines and functions with the times they ran.

type LineHits = { readonly line: number; readonly hits: number };
type FunctionHits = { readonly name: string; readonly line: number; readonly hits: number };

/** One record of a report. A file may have several: of several tests, or of several reports. */
export type MeasuredFile = {
  /** As written. */
  readonly path: string;
  /** Empty where the report does not tell tests apart. */
  readonly testName: string;
  readonly lines: readonly LineHits[];
  readonly functions: readonly FunctionHits[];
};

/** All records of a file, as one: a line ran if any record says so. */
export type FileCoverage = {
  /** Ascending. */
  readonly lines: readonly LineHits[];
  readonly functionsByLine: ReadonlyMap<number, readonly FunctionHits[]>;
};

export function mergeRecords(records: readonly MeasuredFile[]): FileCoverage {
  const hitsByLine = new Map<number, number>();
  const functions = new Map<string, FunctionHits>();
  for (const record of records) {
    for (const { line, hits } of record.lines) hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, hits));
    for (const entry of record.functions) {
      const key = `${entry.line} ${entry.name}`;
      const known = functions.get(key);
      if (known === undefined || known.hits < entry.hits) functions.set(key, entry);
    }
  }
  const functionsByLine = new Map<number, FunctionHits[]>();
  for (const entry of functions.values()) {
    const known = functionsByLine.get(entry.line);
    if (known === undefined) functionsByLine.set(entry.line, [entry]);
    else known.push(entry);
  }
  const lines = [...hitsByLine].map(([line, hits]) => ({ line, hits })).sort((a, b) => a.line - b.line);
  return { lines, functionsByLine };
}

/** The record of a definition that begins on a line: by its name, else the only one there. Names may carry what encloses them (`Cart.add`, `get total`). */
export function findFunction(
  functionsByLine: ReadonlyMap<number, readonly FunctionHits[]>,
  definition: { readonly name: string; readonly line: number; readonly startLine: number },
): FunctionHits | undefined {
  for (const line of new Set([definition.line, definition.startLine])) {
    const there = functionsByLine.get(line) ?? [];
    const named = there.find(({ name }) => nameOf(name) === definition.name);
    if (named !== undefined) return named;
  }
  const there = functionsByLine.get(definition.line) ?? [];
  return there.length === 1 ? there[0] : undefined;
}

function nameOf(written: string): string {
  return written.slice(Math.max(...['.', ':', ' '].map((mark) => written.lastIndexOf(mark))) + 1);
}

// Paths of a coverage report → files of the repository. A report is written where the tests ran: with paths relative to a package, or
// absolute on a machine whose checkout lay elsewhere.
//
// Rules. Relative paths are taken from one directory for the whole report: of those above it, the one from which most of its files
// exist, the nearest first. An absolute path below the root is that file. Other absolute paths are matched by their end, with one prefix for
// the whole report: the one under which most files exist. Two prefixes with equal claims prove nothing, and none is taken.
// What lies outside is counted as such; what would lie inside and does not exist is missing.

export type Located =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'outside' };

/** Depth limit of a path. */
const maxSegments = 64;
/** Enough of a report to see where it was written; a hostile one is not asked about every path. */
const witnesses = 2_000;
const maxBases = 8;

/** `paths` of one report; the answer has one entry for each distinct one. */
export function locateFiles(
  paths: Iterable<string>,
  world: { readonly root: string; readonly report: string; readonly hasFile: (path: string) => boolean },
): ReadonlyMap<string, Located> {
  const distinct = [...new Set(paths)].map((path) => [path, readPath(path)] as const);
  const root = segmentsOf(world.root);
  const bases = basesOf(world.report);
  const relative = distinct.flatMap(([, path]) => (path.absolute ? [] : [path.segments]));
  const foreign = distinct.flatMap(([, path]) =>
    path.absolute && below(path.segments, root) === undefined ? [path.segments] : [],
  );
  const base = pickBase(relative, bases, world.hasFile);
  const move = pickMove(foreign, bases, world.hasFile);
  return new Map(
    distinct.map(([written, { absolute, segments }]) => {
      const inside = absolute ? (below(segments, root) ?? moved(segments, move)) : joined(base, segments);
      return [written, inside === undefined ? { kind: 'outside' } : describe(inside, world.hasFile)];
    }),
  );
}

function describe(segments: readonly string[], hasFile: (path: string) => boolean): Located {
  const path = segments.join('/');
  if (hasFile(path)) return { kind: 'file', path };
  // Installed packages are no part of the repository, wherever they lie.
  return segments.includes('node_modules') ? { kind: 'outside' } : { kind: 'missing', path };
}

type ReportPath = { readonly absolute: boolean; readonly segments: readonly string[] };

function readPath(written: string): ReportPath {
  const path = written.replace(/^file:\/\//, '').replaceAll('\\', '/');
  return { absolute: path.startsWith('/') || /^[A-Za-z]:\//.test(path), segments: segmentsOf(path) };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/', maxSegments + 1).filter((segment) => segment !== '' && segment !== '.');
}

/** The directories a report's paths may be relative to: what is above its own, outwards, and its own last. A report outside says nothing. */
function basesOf(report: string): readonly (readonly string[])[] {
  if (report.startsWith('config:')) return [[]];
  const directory = segmentsOf(report).slice(0, -1);
  const bases: (readonly string[])[] = [];
  for (let depth = directory.length - 1; depth > 0; depth -= 1) bases.push(directory.slice(0, depth));
  return [...bases.slice(0, maxBases - 2), [], directory];
}

function pickBase(
  paths: readonly (readonly string[])[],
  bases: readonly (readonly string[])[],
  hasFile: (path: string) => boolean,
): readonly string[] {
  let best: { readonly base: readonly string[]; readonly found: number } = { base: [], found: 0 };
  for (const base of bases) {
    const found = paths.slice(0, witnesses).filter((path) => {
      const inside = joined(base, path);
      return inside !== undefined && hasFile(inside.join('/'));
    }).length;
    if (found > best.found) best = { base, found };
  }
  return best.base;
}

/** A prefix elsewhere, and the directory here that it stands for. */
type Move = { readonly from: readonly string[]; readonly to: readonly string[] };

function pickMove(
  paths: readonly (readonly string[])[],
  bases: readonly (readonly string[])[],
  hasFile: (path: string) => boolean,
): Move | undefined {
  const claims = new Map<string, { readonly move: Move; found: number }>();
  for (const segments of paths.slice(0, witnesses)) {
    if (segments.length > maxSegments || segments.includes('node_modules') || segments.includes('..')) continue;
    const moves = new Map<string, Move>();
    for (let cut = 0; cut < segments.length; cut += 1) {
      for (const to of bases) {
        if (!hasFile([...to, ...segments.slice(cut)].join('/'))) continue;
        moves.set(...shortest(segments.slice(0, cut), to));
      }
    }
    for (const [key, move] of moves) {
      const claim = claims.get(key);
      if (claim === undefined) claims.set(key, { move, found: 1 });
      else claim.found += 1;
    }
  }
  const [first, second] = [...claims.values()].sort((a, b) => b.found - a.found);
  return first === undefined || first.found === second?.found ? undefined : first.move;
}

/** `/ci/shop/app` for `app` is `/ci/shop` for the root: one claim, however it was found. */
function shortest(from: readonly string[], to: readonly string[]): [key: string, move: Move] {
  let shared = 0;
  while (shared < Math.min(from.length, to.length) && from.at(-1 - shared) === to.at(-1 - shared)) shared += 1;
  const move = { from: from.slice(0, from.length - shared), to: to.slice(0, to.length - shared) };
  return [`${move.from.join('/')}\0${move.to.join('/')}`, move];
}

function moved(segments: readonly string[], move: Move | undefined): readonly string[] | undefined {
  const rest = move === undefined ? undefined : below(segments, move.from);
  return move === undefined || rest === undefined ? undefined : joined(move.to, rest);
}

function below(segments: readonly string[], above: readonly string[]): readonly string[] | undefined {
  if (segments.length <= above.length || above.some((segment, at) => segments[at] !== segment)) return undefined;
  return joined([], segments.slice(above.length));
}

/** Undefined for a path that leaves the root. */
function joined(base: readonly string[], path: readonly string[]): readonly string[] | undefined {
  if (path.length > maxSegments) return undefined;
  const segments = [...base];
  for (const segment of path) {
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.length === 0 ? undefined : segments;
}
