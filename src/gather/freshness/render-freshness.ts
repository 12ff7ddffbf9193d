/**
 * One line of the report per index, total over any stored value: what cannot be read as a verdict is shown as an error of its
 * own, never left out. Text from the repository passes `escapeText` before it enters the line.
 */

import { unreachable } from '../../kernel/base/assert.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { escapeProse } from '../report/escape-markdown.ts';
import type { StaleReason } from './freshness.ts';
import { indexFreshnessSchema } from './index-freshness-schema.ts';
import { parseTimestamp, renderUtc } from './timestamp.ts';

export type Escape = (text: string) => string;

const textShown = 200;
const digestShown = 8;
const pathsShown = 3;

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
