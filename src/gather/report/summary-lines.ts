/**
 * What stdout shows after a gather (gather.md §9). A line per probe that asks for attention; skips that are normal for the
 * repository or were asked for are one counted line, so that a person sees at a glance whether anything is wrong.
 */

import { singleLine } from '../../kernel/base/text.ts';
import { judgeOverall, listTroubledProbes, type TaskDemands } from './build-confidence.ts';
import { listShadowedSkills } from './build-organisation.ts';
import { type ReportProbe, statusOf, viewEnvelope } from './envelope-view.ts';
import { linesAt, numberAt, textAt } from './loose-json.ts';
import { formatDuration } from './render-values.ts';

/** Enough to see what is wrong; the report has the rest. */
const DIAGNOSTICS_SHOWN = 3;

export function summaryLines(of: {
  readonly envelope: unknown;
  readonly probes: readonly ReportProbe[];
  /** Shown as given; null when no report could be rendered. */
  readonly reportPath: string | null;
  readonly task?: TaskDemands | undefined;
}): readonly string[] {
  const view = viewEnvelope(of.envelope, of.probes);
  const troubled = listTroubledProbes(view);
  const asking = troubled.filter((probe) => !probe.ordinary);
  const ordinary = troubled.filter((probe) => probe.ordinary);
  const overall = judgeOverall(view, of.task);

  const ok = view.probeNames.filter((name) => statusOf(view, name) === 'ok').length;
  const ms = numberAt(of.envelope, 'gather_duration_ms');
  const status = [
    textAt(of.envelope, 'gather_status') ?? 'unknown',
    `${ok} ok`,
    ...(asking.length === 0 ? [] : [`${asking.length} not ok`]),
    `confidence ${overall.confidence}${overall.belowFloor ? ` (below the task's floor ${overall.floor})` : ''}`,
    ...(ms === null ? [] : [formatDuration(ms)]),
  ];
  const lines = [status.join(' · ')];
  for (const because of overall.because) lines.push(`confidence is ${overall.confidence} because ${because}`);
  for (const probe of asking) {
    const why = [probe.reason, probe.detail, ...probe.ids].filter((text) => text !== null).join(' · ');
    lines.push(`${probe.status} ${probe.name}${why === '' ? '' : ` · ${why}`}`);
    for (const diagnostic of probe.diagnostics.slice(0, DIAGNOSTICS_SHOWN)) lines.push(`  ${diagnostic}`);
    const more = probe.diagnostics.length - DIAGNOSTICS_SHOWN;
    if (more > 0) lines.push(`  … and ${more} more in the report`);
  }
  if (ordinary.length > 0)
    lines.push(`skipped, nothing wrong: ${countReasons(ordinary.map((probe) => probe.reason ?? ''))}`);
  lines.push(`secrets_redacted_count=${numberAt(of.envelope, 'redaction', 'count') ?? 0}`);
  lines.push(`fingerprints=[${linesAt(of.envelope, 'redaction', 'fingerprints').join(', ')}]`);
  lines.push(
    `skill_shadowed=[${listShadowedSkills(view)
      .map((skill) => `${skill.id}:${skill.tier}`)
      .join(', ')}]`,
  );
  if (of.reportPath !== null) lines.push(`report ${of.reportPath}`);
  return lines.map(singleLine);
}

/** `not_applicable 5, not_configured 3`: most first, then by name. */
function countReasons(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}
