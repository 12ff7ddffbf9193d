/**
 * rg over the files in scope: one run for all curated patterns, one for each further pattern, which only rg can read. The stream is
 * read line by line; what is cut short anywhere makes the counts lower bounds and never goes unsaid.
 *
 * Files are named one by one: rg 13 obeys a `.rgignore` in spite of its flags, and leaves out tracked files that git ignores.
 */

import { Buffer } from 'node:buffer';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { decodeLenient, singleLine, truncate } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { findTool } from '../../kernel/exec/tools.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { createFindings, jsonBytes } from '../shared/probe-reading.ts';
import { batchArguments, inputOf, listScanTargets, listUnreadTexts, reportedPath } from '../shared/scan-files.ts';
import {
  failedWith,
  findingsShown,
  isSource,
  outcomeOfProcess,
  ran,
  type ScannerOutcome,
  skippedFor,
} from '../shared/scanners.ts';
import type { GrepFinding } from './ripgrep-curated-section.ts';

type CuratedPattern = { readonly id: string; readonly pattern: string };

/**
 * Counts findings as they stream in and keeps the first of them in order of place, so that neither how rg schedules its threads
 * nor how much it finds decides what is kept or how much memory it takes.
 */
type GrepTally = {
  add(patternId: string, path: string, line: number, text: string): void;
  counts(patternId: string): { readonly matches: number; readonly files: number };
  readonly total: number;
  /** Sorted by path, line, pattern. */
  list(): GrepFinding[];
};

type RgMessage =
  | { readonly kind: 'match'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: 'end'; readonly path: string; readonly matchedLines: number; readonly isBinary: boolean }
  | { readonly kind: 'summary' }
  /** `begin`, `context`, or a name that is not UTF-8. */
  | { readonly kind: 'other' }
  | { readonly kind: 'broken' };

type Ask = {
  readonly files: readonly string[];
  readonly patterns: readonly string[];
  readonly idsOf: (text: string) => readonly string[];
  /** The one further pattern that is asked for. */
  readonly own?: string;
};

type RgRun = {
  readonly outcome: ScannerOutcome;
  /** Files with more matching lines than are told, or with a line too long to be told. */
  readonly capped: ReadonlySet<string>;
  /** It went through, and some files could not be read. */
  readonly incomplete: boolean;
};

const grepArtifact = 'grep-findings.json';
const linesPerFile = 100;
const maxTargetBytes = 2 * 1024 * 1024;
const lockfile = /(?:\.lock|-lock\.json|-lock\.yaml)$/;
const extraPatternsRun = 50;
/** Of the artifact; the counts are of all. */
const findingsKept = 50_000;
const keptStdoutBytes = 1024 * 1024;
/** A line of output that is this long was cut. */
const cutLineChars = 250_000;

const snippetChars = 200;

/** Texts for rg and for JavaScript alike, so that a line that rg reports can be told to belong to one of them. */
const curatedPatterns: readonly CuratedPattern[] = [
  { id: 'bin_path', pattern: '/(usr/)?s?bin/' },
  { id: 'exec_call', pattern: '\\bexec(File)?(Sync)?\\(' },
  { id: 'spawn_call', pattern: '\\bspawn(Sync)?\\(' },
  { id: 'platform_check', pattern: 'process\\.platform|os\\.platform\\(' },
  { id: 'ld_preload', pattern: 'LD_PRELOAD|LD_LIBRARY_PATH' },
  { id: 'shell_true', pattern: 'shell\\s*:\\s*true' },
  { id: 'tmp_path', pattern: '/tmp/' },
];

const compiled = curatedPatterns.map(({ id, pattern }) => ({ id, expression: new RegExp(pattern) }));

export async function gatherRipgrepCurated(
  repo: ProbeRepo,
  ctx: ProbeContext<'ripgrep.extra_patterns'>,
  leftS: () => number,
): Promise<ProbeOutput> {
  const said = createFindings();
  const tally = createGrepTally(findingsKept);
  const extra = ctx.config['ripgrep.extra_patterns'].map((pattern, position) => ({
    id: `extra_${position + 1}`,
    pattern,
  }));
  const { paths, tooLarge } = listScanTargets(repo, maxTargetBytes);
  const targets = paths.filter((path) => !lockfile.test(path));
  const batches = batchArguments(targets);
  const asks: Ask[] = [
    ...batches.map((files) => ({ files, patterns: curatedPatterns.map(({ pattern }) => pattern), idsOf: idsOnLine })),
    ...extra
      .slice(0, extraPatternsRun)
      .flatMap(({ id, pattern }) =>
        batches.map((files) => ({ files, own: id, patterns: [pattern], idsOf: () => [id] })),
      ),
  ];
  // A text that is not searched may have any number of lines to tell.
  const cappedFiles = new Set(
    await listUnreadTexts(
      repo,
      tooLarge.filter((path) => !lockfile.test(path)),
    ),
  );
  const unusable = new Set(extra.slice(extraPatternsRun).map(({ id }) => id));
  let outcome: ScannerOutcome = asks.length === 0 ? failedWith(0, 'no file in scope', 'nothing_scanned') : ran;
  let incomplete = false;
  const endsAt = performance.now() + leftS() * 1000;
  for (const ask of asks) {
    if (ask.own !== undefined && unusable.has(ask.own)) continue;
    const left = Math.max(0.5, (endsAt - performance.now()) / 1000);
    const run = await runRg(repo, ctx, ask, tally, left);
    ctx.signal.throwIfAborted();
    for (const path of run.capped) cappedFiles.add(path);
    incomplete ||= run.incomplete;
    if (run.outcome.kind === 'ran') continue;
    // A pattern that rg refuses is the pattern's fault, not the scan's.
    if (ask.own !== undefined && run.outcome.kind === 'failed' && run.outcome.exit_code === 2) unusable.add(ask.own);
    else {
      outcome = run.outcome;
      break;
    }
  }
  for (const id of unusable) said.warn('ripgrep_curated.pattern_invalid', { detail: id });
  for (const path of [...cappedFiles].sort()) said.warn('ripgrep_curated.capped', { path });
  const capped = cappedFiles.size > 0;
  const rows = [...curatedPatterns, ...extra]
    .filter(({ id }) => !unusable.has(id))
    .map(({ id }) => ({ id, ...tally.counts(id), capped }));
  const findings = outcome.kind === 'ran' ? tally.list() : [];
  const slice = {
    outcome,
    patterns: outcome.kind === 'ran' ? rows : [],
    findings: findings.slice(0, findingsShown),
    // Nothing looked at is no exact zero.
    findings_total: {
      value: outcome.kind === 'ran' ? tally.total : 0,
      relation: capped || outcome.kind !== 'ran' ? 'gte' : 'eq',
    },
  };
  if (outcome.kind === 'skipped') {
    const reason = outcome.reason === 'tool_missing' ? 'tool_missing' : 'tool_unhealthy';
    const warnings = reason === 'tool_missing' ? ['ripgrep_curated.tool_missing'] : [];
    const detail = findTool('rg')?.install ?? '';
    return {
      kind: 'skipped',
      reason,
      detail,
      slice: { grep_findings: { ...slice, outcome: skippedFor(reason) } },
      warnings,
    };
  }
  if (outcome.kind === 'failed') said.fail('ripgrep_curated.scan_failed');
  if (incomplete) said.warn('ripgrep_curated.files_unreadable');
  const artifact = { patterns: rows, findings };
  return {
    kind: 'ran',
    slice: { grep_findings: slice },
    rawArtifacts: outcome.kind === 'ran' ? [{ name: grepArtifact, kind: 'json', from: jsonBytes(artifact) }] : [],
    confidence: outcome.kind !== 'ran' ? 'low' : incomplete ? 'medium' : 'high',
    ...said.report(),
  };
}

/** Which of the curated patterns a line has: an alternation tells only the one that came first. */
export function idsOnLine(line: string): string[] {
  return compiled.filter(({ expression }) => expression.test(line)).map(({ id }) => id);
}

export function createGrepTally(keep: number): GrepTally {
  const matches = new Map<string, number>();
  const files = new Map<string, Set<string>>();
  let kept: GrepFinding[] = [];
  let total = 0;
  const trim = (): void => {
    kept = kept.sort(compareFindings).slice(0, keep);
  };
  return {
    add(patternId, path, line, text) {
      total += 1;
      matches.set(patternId, (matches.get(patternId) ?? 0) + 1);
      const seen = files.get(patternId) ?? new Set();
      files.set(patternId, seen.add(path));
      kept.push({ pattern_id: patternId, path, line, snippet: snippetOf(text) });
      if (kept.length >= keep * 2) trim();
    },
    counts: (patternId) => ({ matches: matches.get(patternId) ?? 0, files: files.get(patternId)?.size ?? 0 }),
    get total() {
      return total;
    },
    list() {
      trim();
      return kept;
    },
  };
}

export function parseRgLine(line: string): RgMessage {
  let message: Json;
  try {
    message = JSON.parse(line) as Json;
  } catch {
    return broken;
  }
  const data = isJsonObject(message) ? message['data'] : undefined;
  if (!isJsonObject(message) || !isJsonObject(data)) return broken;
  switch (message['type']) {
    case 'match':
      return readMatch(data);
    case 'end':
      return readEnd(data);
    case 'summary':
      return isJsonObject(data['stats']) ? { kind: 'summary' } : broken;
    case 'begin':
    case 'context':
      return other;
    default:
      return broken;
  }
}

async function runRg(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  ask: Ask,
  tally: GrepTally,
  timeoutS: number,
): Promise<RgRun> {
  const capped = new Set<string>();
  let ofFile: Extract<RgMessage, { kind: 'match' }>[] = [];
  let matched = false;
  let summed = false;
  let broken = false;
  const inScope = (path: string): boolean => repo.inputs.has(inputOf(path));
  const take = (line: string): void => {
    const message = parseRgLine(line);
    if (message.kind === 'match' && inScope(message.path)) {
      matched = true;
      ofFile.push(message);
    } else if (message.kind === 'end') {
      // Only now it is known whether they were lines at all. Those of a program are, with any bytes between them.
      if (!message.isBinary || isSource(message.path)) {
        for (const { path, line, text } of ofFile) for (const id of ask.idsOf(text)) tally.add(id, path, line, text);
        if (message.matchedLines >= linesPerFile && inScope(message.path)) capped.add(message.path);
      }
      ofFile = [];
    } else if (message.kind === 'summary') {
      summed = true;
    } else if (message.kind === 'broken') {
      const path = line.length >= cutLineChars ? readCutPath(line) : undefined;
      if (path === undefined) broken = true;
      else if (inScope(path)) capped.add(path);
    }
  };
  const ended = await ctx.exec.runExternalCli(['rg', ...argumentsFor(ask)], {
    cwd: repo.root,
    timeoutS,
    maxStdoutBytes: keptStdoutBytes,
    onLine: (line, stream) => {
      if (stream === 'stdout' && line !== '') take(line);
    },
  });
  const judged = judge(ended, { summed, broken });
  // It counts only files that have a match: that it saw the others has to be asked for.
  if (judged.outcome.kind !== 'ran' || matched || (await seesFiles(repo, ctx, ask.files, timeoutS)))
    return { capped, ...judged };
  return { capped, incomplete: false, outcome: failedWith(1, '', 'nothing_scanned') };
}

/** Does it list any file in scope, under the same rules? */
async function seesFiles(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  files: readonly string[],
  timeoutS: number,
): Promise<boolean> {
  let seen = false;
  await ctx.exec.runExternalCli(['rg', '--files', ...places, '--', ...files], {
    cwd: repo.root,
    timeoutS,
    maxStdoutBytes: keptStdoutBytes,
    onLine: (line, stream) => {
      seen ||= stream === 'stdout' && repo.inputs.has(inputOf(reportedPath(line)));
    },
  });
  return seen;
}

/** The path of a match whose line was too long to be told. */
function readCutPath(line: string): string | undefined {
  const path = /^\{"type":"match","data":\{"path":\{"text":"([^"\\]+)"/.exec(line)?.[1];
  return path === undefined ? undefined : reportedPath(path);
}

const places = [
  ...['--no-config', '--no-ignore-dot', '--max-filesize', '2M', '--hidden'],
  ...['--glob', '!.codegenie', '--glob', '!.git', '--glob', '!{*.lock,*-lock.json,*-lock.yaml}'],
];

function argumentsFor({ patterns, files }: Ask): string[] {
  return [
    ...[...places, '--json', '--max-count', String(linesPerFile)],
    ...[...patterns.flatMap((pattern) => ['-e', pattern]), '--', ...files],
  ];
}

function judge(
  ended: ExecOutcome,
  seen: { readonly summed: boolean; readonly broken: boolean },
): Pick<RgRun, 'outcome' | 'incomplete'> {
  // The stream was read as it came: how much of it is kept says nothing.
  const whole = ended.kind === 'exited' ? { ...ended, truncated: { ...ended.truncated, stdout: false } } : ended;
  const otherwise = outcomeOfProcess(whole);
  const end = (outcome: ScannerOutcome, incomplete = false) => ({ outcome, incomplete });
  if (otherwise !== null) return end(otherwise);
  if (ended.kind !== 'exited') return end(failedWith(-1, ''));
  if (ended.code > 2 || (ended.code === 2 && !seen.summed)) return end(failedWith(ended.code, ended.stderr));
  if (seen.broken || !seen.summed) return end(failedWith(ended.code, ended.stderr, 'invalid_json'));
  return end(ran, ended.code === 2);
}

/** Redacted before it is cut: half a secret is not recognised as one. */
function snippetOf(text: string): string {
  return truncate(singleLine(redactString(text, { entropy: true }).text).trim(), snippetChars);
}

function compareFindings(a: GrepFinding, b: GrepFinding): number {
  return compareCodeUnits(a.path, b.path) || a.line - b.line || compareCodeUnits(a.pattern_id, b.pattern_id);
}

const other: RgMessage = { kind: 'other' };
const broken: RgMessage = { kind: 'broken' };

function readMatch(data: JsonObject): RgMessage {
  const path = textOf(data['path']);
  const text = lineOf(data['lines']);
  const line = data['line_number'];
  if (path === undefined || text === undefined || typeof line !== 'number') return broken;
  return path === null ? other : { kind: 'match', path: reportedPath(path), line, text };
}

function readEnd(data: JsonObject): RgMessage {
  const path = textOf(data['path']);
  const matchedLines = isJsonObject(data['stats']) ? data['stats']['matched_lines'] : undefined;
  if (path === undefined || typeof matchedLines !== 'number') return broken;
  return path === null
    ? other
    : { kind: 'end', path: reportedPath(path), matchedLines, isBinary: data['binary_offset'] !== null };
}

/** `{text}`, or `{bytes}` in base64: a name that is not UTF-8 is never in scope (null). */
function textOf(value: Json | undefined): string | null | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value['text'] === 'string') return value['text'];
  return typeof value['bytes'] === 'string' ? null : undefined;
}

/** A line that is not UTF-8 is read as well as it can be. */
function lineOf(value: Json | undefined): string | undefined {
  const bytes = isJsonObject(value) ? value['bytes'] : undefined;
  return typeof bytes === 'string' ? decodeLenient(Buffer.from(bytes, 'base64')) : (textOf(value) ?? undefined);
}
