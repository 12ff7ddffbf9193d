/**
 * How far the context can be trusted: the freshness of every index, what became of every probe, and the one overall word.
 * An index that was not judged is stale, and a required probe that delivered nothing counts as low (P1, P2).
 */

import { unreachable } from '../../kernel/base/assert.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { Confidence } from '../contract.ts';
import { parseTimestamp, renderUtc, type StaleReason } from '../freshness/index-freshness.ts';
import { indexFreshnessSchema } from '../freshness/judge-indexes.ts';
import type { TaskClass } from '../run/task-class.ts';
import { describeAbsence, type EnvelopeView, isOrdinarySkip, reasonOf, recordOf, statusOf } from './envelope-view.ts';
import { at, entriesAt, linesAt, listAt, numberAt, textAt } from './loose-json.ts';
import { escapeProse } from './render-values.ts';

export type IndexRow = {
  readonly name: string;
  readonly fresh: boolean;
  /** The row as gather.md §9 spells it, with its leading dash; one printable line, not escaped for any format. */
  readonly line: string;
  /** What the row says after the name. */
  readonly says: string;
  readonly confidence: Confidence | null;
  readonly detail: readonly (readonly [string, string])[];
};

export type TroubledProbe = {
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly confidence: Confidence | null;
  readonly ids: readonly string[];
  readonly diagnostics: readonly string[];
  /** A skip that needs no action. */
  readonly ordinary: boolean;
};

export type Overall = {
  readonly confidence: Confidence;
  /** Who pulled it down; empty when high. */
  readonly because: readonly string[];
  readonly floor: Confidence | null;
  readonly belowFloor: boolean;
};

/** What a task class asks for (gather.md §14); without one, nothing beyond the indexes. */
export type TaskDemands = Pick<TaskClass, 'required_probes' | 'required_skills' | 'confidence_floor'>;

export function asConfidence(value: unknown): Confidence | null {
  return value === 'high' || value === 'medium' || value === 'low' ? value : null;
}

/** The stored verdicts, sorted by name; registered indexes that were not judged are among them. */
export function listIndexRows(view: EnvelopeView): readonly IndexRow[] {
  const judged = new Map(entriesAt(view.envelope, 'index_health'));
  for (const probe of view.probes.values()) {
    if (probe.index === undefined) continue;
    const { name } = probe.index;
    // A probe that has nothing to look at here made no error, whatever the check says of what is missing.
    const skip = statusOf(view, probe.name) === 'skipped' ? reasonOf(view, probe.name) : null;
    const said = textAt(judged.get(name), 'freshness', 'reason', 'message');
    if (!judged.has(name)) judged.set(name, notJudged);
    else if (skip !== null && isOrdinarySkip(skip) && said !== null && /^upstream_\w+_unavailable$/.test(said))
      judged.set(name, {
        confidence: 'low',
        freshness: { kind: 'stale', reason: { kind: 'never_ran', reason: skip } },
      });
  }
  return [...judged].sort(([a], [b]) => compareCodeUnits(a, b)).map(([name, entry]) => indexRow(name, entry));
}

const notJudged = {
  freshness: { kind: 'stale', reason: { kind: 'never_ran', reason: 'index_health_unavailable' } },
  confidence: 'low',
};

/** Rows for freshness recomputed from disk, only where they differ from the stored verdict. */
export function listChangedRows(
  stored: readonly IndexRow[],
  now: Readonly<Record<string, unknown>> | undefined,
): readonly IndexRow[] {
  const known = new Map(stored.map((row) => [row.name, row.line]));
  return (
    Object.entries(now ?? {})
      .sort(([a], [b]) => compareCodeUnits(a, b))
      .map(([name, freshness]) => indexRow(name, { freshness }))
      .filter((row) => known.get(row.name) !== row.line)
      // That it never ran is why it is not there.
      .filter((row) => !(/upstream_\w+_unavailable$/.test(row.line) && known.get(row.name)?.includes(' never_ran ')))
  );
}

/** Each renderer escapes for its own format. */
const plain = (text: string): string => text;

function indexRow(name: string, entry: unknown): IndexRow {
  const shape = at(entry, 'freshness');
  const shown = truncate(singleLine(name), 100);
  const line = renderFreshnessRow(shown, shape === undefined ? entry : shape, plain);
  const fresh = line.startsWith('- [OK] ');
  return {
    name: shown,
    fresh,
    line,
    says: line.slice(`- [${fresh ? 'OK' : 'STALE'}] ${shown} · `.length),
    confidence: asConfidence(at(entry, 'confidence')),
    detail: entriesAt(entry, 'detail').flatMap(([key, value]) => {
      const text = textAt(value) ?? (Array.isArray(value) ? linesAt(value).join(', ') : '');
      return text === '' ? [] : [[key, text] as const];
    }),
  };
}

/** Every probe that is not `ok`: the worst first, the ordinary skips last, each by name. */
export function listTroubledProbes(view: EnvelopeView): readonly TroubledProbe[] {
  const troubled = view.probeNames.flatMap((name): readonly TroubledProbe[] => {
    const status = statusOf(view, name);
    if (status === 'ok') return [];
    const record = recordOf(view, name);
    const reason = reasonOf(view, name);
    return [
      {
        name,
        status,
        reason,
        detail: textAt(record, 'skip', 'detail'),
        confidence: asConfidence(at(record, 'confidence')),
        ids: [...linesAt(record, 'errors'), ...linesAt(record, 'warnings')].filter((id) => id !== reason),
        diagnostics: describeDiagnostics(record),
        ordinary: status === 'skipped' && isOrdinarySkip(reason),
      },
    ];
  });
  return troubled.sort((a, b) => gravity(a) - gravity(b));
}

function gravity(probe: TroubledProbe): number {
  const place = ['failed', 'timed_out', 'degraded', 'cancelled', 'pending', 'skipped'].indexOf(probe.status);
  return probe.ordinary ? 10 : place < 0 ? 5 : place;
}

export function describeDiagnostics(record: unknown): readonly string[] {
  return listAt(record, 'diagnostics').flatMap((diagnostic) => {
    const id = textAt(diagnostic, 'id');
    if (id === null) return [];
    const path = textAt(diagnostic, 'path');
    const line = numberAt(diagnostic, 'line');
    const detail = textAt(diagnostic, 'detail');
    const place = path === null ? '' : ` ${path}${line === null ? '' : `:${line}`}`;
    return [`${id}${place}${detail === null ? '' : `: ${detail}`}`];
  });
}

const ranks: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 };

/** The minimum of `index_health` and the probes the task requires. */
export function judgeOverall(view: EnvelopeView, task: TaskDemands | undefined): Overall {
  const required = ['index_health', ...(task?.required_probes ?? [])];
  const voices = [...new Set(required)].map((probe) => {
    const stated = asConfidence(at(recordOf(view, probe), 'confidence'));
    const said = `${probe} is ${stated}${probe === 'index_health' ? namedIndexes(view, stated) : ''}`;
    const why = describeAbsence({ probe, status: statusOf(view, probe), reason: reasonOf(view, probe) });
    return stated === null ? { confidence: 'low' as const, because: why } : { confidence: stated, because: said };
  });
  const confidence = voices.reduce<Confidence>((worst, voice) => lower(worst, voice.confidence), 'high');
  const floor = task?.confidence_floor ?? null;
  return {
    confidence,
    because: confidence === 'high' ? [] : voices.filter((v) => v.confidence === confidence).map((v) => v.because),
    floor,
    belowFloor: floor !== null && ranks[confidence] < ranks[floor],
  };
}

/** What gave `index_health` its confidence: `: scip, semgrep`, or that there is nothing to compare with. */
function namedIndexes(view: EnvelopeView, confidence: Confidence | null): string {
  if (linesAt(recordOf(view, 'index_health'), 'warnings').includes('index_health.head_unresolvable')) {
    return ': no git commit to compare the indexes with';
  }
  // What has nothing to look at here, or nothing to look with, has a verdict and no say.
  const silent = new Set(
    [...view.probes.values()].flatMap(({ name, index }) =>
      index !== undefined && statusOf(view, name) === 'skipped' && reasonOf(view, name) !== 'cache_only_miss'
        ? [index.name]
        : [],
    ),
  );
  const names = listIndexRows(view).filter((row) => row.confidence === confidence && !silent.has(row.name));
  return names.length === 0 ? '' : `: ${names.map((row) => row.name).join(', ')}`;
}

function lower(a: Confidence, b: Confidence): Confidence {
  return ranks[a] <= ranks[b] ? a : b;
}

export type Escape = (text: string) => string;

const textShown = 200;
const digestShown = 8;
const pathsShown = 3;

/**
 * One line of the report per index, total over any stored value: what cannot be read as a verdict is shown as an error of its
 * own, never left out. Text from the repository passes `escapeText` before it enters the line.
 */
export function renderFreshnessRow(name: string, freshness: unknown, escapeText: Escape = escapeProse): string {
  const shown = escapeText(name);
  const parsed = indexFreshnessSchema.safeParse(freshness);
  const malformed = `- [STALE] ${shown} · indexer_error · slice_malformed:${typeName(freshness)}`;
  if (!parsed.success) return malformed;
  switch (parsed.data.kind) {
    case 'fresh': {
      const ms = parseTimestamp(parsed.data.indexed_at);
      return ms === null ? malformed : `- [OK] ${shown} · indexed_at=${renderUtc(ms)}`;
    }
    case 'stale':
      return `- [STALE] ${shown} · ${renderReason(parsed.data.reason, escapeText)}`;
    default:
      return unreachable(parsed.data);
  }
}

function renderReason(reason: StaleReason, escapeText: Escape): string {
  const show = (text: string) => escapeText(truncate(singleLine(text), textShown));
  switch (reason.kind) {
    case 'commits_behind':
      return `commits_behind=${reason.n} · last_indexed=${show(reason.last_indexed.slice(0, digestShown))}`;
    case 'digest_mismatch': {
      const [expected, actual] = shortenPair(reason.expected, reason.actual);
      return `digest_mismatch · expected=${show(expected)} · actual=${show(actual)}`;
    }
    case 'coverage_gap':
      return `coverage_gap · indexed=${reason.files_indexed}/${reason.files_in_repo}`;
    case 'dirty_worktree': {
      const paths = reason.files.slice(0, pathsShown).map(show).join(', ');
      return `dirty_worktree · files=${reason.count}${paths === '' ? '' : ` · ${paths}`}`;
    }
    case 'never_ran':
      return `never_ran · ${show(reason.reason)}`;
    case 'indexer_error':
      return `indexer_error · ${show(reason.message)}`;
    default:
      return unreachable(reason);
  }
}

/** Two digests that differ are never shown as equal: versions that share their first eight characters stay whole. */
function shortenPair(expected: string, actual: string): readonly [string, string] {
  const [a, b] = [shorten(expected), shorten(actual)];
  return a === b ? [expected, actual] : [a, b];
}

function shorten(digest: string): string {
  const bare = digest.replace(/^sha256:/, '');
  return bare.length > digestShown ? `${bare.slice(0, digestShown)}…` : bare;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
