/** The configured coverage reports that have lines. One that cannot be read is named; the others still count. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseLcov } from '../../../kernel/formats/lcov.ts';
import { type ParseOutcome, parsed } from '../../../kernel/formats/parse-outcome.ts';
import type { Findings } from '../findings.ts';
import { readParsed } from '../read.ts';
import { findCoverageInputs } from './coverage-inputs.ts';
import type { MeasuredFile } from './measured-file.ts';
import { parseIstanbul } from './parse-istanbul.ts';

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
