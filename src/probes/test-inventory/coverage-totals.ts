/** Totals of a coverage report: lcov, istanbul's `coverage-final.json` or its summary. The first configured one that can be read. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseLcov } from '../../kernel/formats/lcov.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { malformed, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import { readParsed } from '../shared/probe-reading.ts';
import type { CoverageData, CoverageTotals, Ratio } from './test-inventory-section.ts';

type CoverageRead = {
  readonly data: CoverageData;
  readonly warnings: readonly { id: string; path: string; detail: string }[];
};

const jsonLimits = { maxBytes: limits.lcovBytes, maxDepth: limits.parseDepth };

export async function readCoverage(repo: ProbeRepo, configured: readonly string[]): Promise<CoverageRead> {
  const present = configured.map((path) => insideRoot(repo.root, path)).filter((path) => repo.inputs.has(path));
  const warnings: { id: string; path: string; detail: string }[] = [];
  for (const path of present) {
    const outcome = await readParsed(
      repo,
      path,
      limits.lcovBytes,
      path.endsWith('.json') ? parseJsonCoverage : parseLcovTotals,
    );
    if ('absent' in outcome) continue;
    if (outcome.ok) return { data: describe(path, outcome.value, warnings.some(isParseError)), warnings };
    const capped = outcome.failure.kind === 'size_cap_exceeded';
    const id = capped ? 'coverage.size_cap_exceeded' : 'coverage.lcov_parse_error';
    warnings.push({ id, path, detail: outcome.failure.kind });
  }
  const data = { present: present.length > 0, path: present[0] ?? null, totals: null, line_coverage_pct: null };
  return { data: { ...data, parse_error: warnings.some(isParseError) }, warnings };
}

function isParseError({ id }: { readonly id: string }): boolean {
  return id === 'coverage.lcov_parse_error';
}

function describe(path: string, totals: CoverageTotals, parseError: boolean): CoverageData {
  const { covered, total } = totals.lines;
  const percent = total === 0 ? null : Math.round((covered / total) * 10_000) / 100;
  return { present: true, path, parse_error: parseError, totals, line_coverage_pct: percent };
}

function parseLcovTotals(bytes: Uint8Array): ParseOutcome<CoverageTotals> {
  const outcome = parseLcov(bytes, jsonLimits);
  if (!outcome.ok) return outcome;
  const ratio = ({ found, hit }: { readonly found: number; readonly hit: number }): Ratio => ({
    covered: hit,
    total: found,
  });
  const { lines, functions, branches } = outcome.value.totals;
  return parsed({ lines: ratio(lines), functions: ratio(functions), branches: ratio(branches) });
}

/** The summary has a `total`; the full report has one entry per file. */
function parseJsonCoverage(bytes: Uint8Array): ParseOutcome<CoverageTotals> {
  const outcome = parseJsonObject(bytes, jsonLimits);
  if (!outcome.ok) return outcome;
  const totals = isJsonObject(member(outcome.value, 'total', 'lines'))
    ? summaryTotals(objectAt(outcome.value, 'total'))
    : istanbulTotals(outcome.value);
  return totals === undefined ? malformed('not a coverage report') : parsed(totals);
}

function summaryTotals(total: JsonObject): CoverageTotals {
  const ratio = (name: string): Ratio => ({
    covered: count(member(total, name, 'covered')),
    total: count(member(total, name, 'total')),
  });
  return { lines: ratio('lines'), functions: ratio('functions'), branches: ratio('branches') };
}

/** As istanbul computes it: a line is covered when a statement that begins on it was executed. */
export function istanbulTotals(report: JsonObject): CoverageTotals | undefined {
  const sums = {
    lines: { covered: 0, total: 0 },
    functions: { covered: 0, total: 0 },
    branches: { covered: 0, total: 0 },
  };
  const add = (sum: { covered: number; total: number }, hits: Iterable<number>) => {
    for (const hit of hits) {
      sum.total += 1;
      if (hit > 0) sum.covered += 1;
    }
  };
  for (const file of Object.values(report)) {
    if (!isJsonObject(member(file, 'statementMap')) || !isJsonObject(member(file, 's'))) return undefined;
    const hitsByLine = new Map<number, number>();
    const hits = objectAt(file, 's');
    for (const [id, location] of Object.entries(objectAt(file, 'statementMap'))) {
      const line = count(member(location, 'start', 'line'));
      hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, count(hits[id])));
    }
    add(sums.lines, hitsByLine.values());
    add(sums.functions, Object.values(objectAt(file, 'f')).map(count));
    add(
      sums.branches,
      Object.values(objectAt(file, 'b')).flatMap((arms) =>
        Array.isArray(arms) ? (arms as readonly Json[]).map(count) : [],
      ),
    );
  }
  return sums;
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function insideRoot(root: string, path: string): string {
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return below
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
