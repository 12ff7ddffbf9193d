/** What is said of a fleet to people: the same figures as in JSON, the unknown ones with their names. */

import type { Json } from '../kernel/base/json.ts';
import { plural, quotedPath, shown } from '../kernel/base/text.ts';
import type { Coverage, FactsAnswer, NamedReason, Relation } from './fleet-answer.ts';
import type { QueryOutcome, Repository } from './fleet-engine.ts';
import type { WorkEvent, WorkOutcome } from './work.ts';

const namesShown = 10;
const valuesShown = 20;

export const signs: Readonly<Record<Relation, string>> = { eq: '', gte: '≥ ', partial: 'partial: ' };

function valueText(value: Json): string {
  return shown(typeof value === 'string' ? value : JSON.stringify(value), 120);
}

/** The fields that every answer has (fleet.md section 4). */
export function coverageFields({ behind, unknown, headsSeenMs }: Coverage): {
  readonly unknown: number;
  readonly behind: number;
  readonly unknown_names: readonly NamedReason[];
  readonly behind_names: readonly NamedReason[];
  readonly heads_seen: string | null;
} {
  return {
    unknown: unknown.length,
    behind: behind.length,
    unknown_names: unknown,
    behind_names: behind,
    heads_seen: headsSeenMs === null ? null : new Date(headsSeenMs).toISOString(),
  };
}

export function renderCoverage({ behind, unknown, headsSeenMs }: Coverage): readonly string[] {
  const list = (title: string, names: readonly NamedReason[]): readonly string[] =>
    names.length === 0
      ? []
      : [
          `${title} ${names.length}`,
          ...names
            .slice(0, namesShown)
            .map(({ name, reason }) => `  ${quotedPath(name)} · ${shown(reason.replaceAll('_', ' '), 80)}`),
          ...(names.length > namesShown ? [`  and ${names.length - namesShown} more; --json names all`] : []),
        ];
  const seen =
    headsSeenMs === null ? [] : [`heads seen since ${new Date(headsSeenMs).toISOString().replace(/\.\d+Z$/, 'Z')}`];
  return [...list('unknown', unknown), ...list('behind', behind), ...seen];
}

export function renderFactsAnswer(answer: FactsAnswer, asked: string): string {
  const { value, relation, of, coverage, counted, before, values } = answer;
  const lines = [`${signs[relation]}${value} of ${plural(of, 'repository', 'repositories')} ${asked}`];
  lines.push(
    ...values
      .slice(0, valuesShown)
      .map((each) => `  ${String(each.repositories).padStart(6)}  ${valueText(each.value)}`),
  );
  if (values.length > valuesShown) lines.push(`  and ${values.length - valuesShown} more values; --json has all`);
  const names = counted.slice(0, namesShown).map(({ name }) => `  ${quotedPath(name)}`);
  if (names.length > 0) lines.push('counted', ...names);
  if (counted.length > namesShown) lines.push(`  and ${counted.length - namesShown} more; --json names all`);
  if (before.length > 0)
    lines.push(
      `not counted, because what is known of them is old: ${before.slice(0, namesShown).map(quotedPath).join(', ')}${before.length > namesShown ? ', …' : ''}`,
    );
  return [...lines, ...renderCoverage(coverage)].join('\n');
}

export function renderRows({ columns, rows }: Extract<QueryOutcome, { kind: 'rows' }>): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => (cell === null ? '–' : shown(String(cell), 80))));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export type StatusCounts = {
  readonly repositories: number;
  readonly fresh: number;
  readonly behind: number;
  readonly unknown: number;
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
};

export function renderStatus(counts: StatusCounts, coverage: Coverage, failures: readonly Repository[]): string {
  const { repositories, fresh, behind, unknown, queued, running, failed } = counts;
  const lines = [
    `repositories ${repositories}`,
    `fresh        ${fresh}`,
    `behind       ${behind}`,
    `unknown      ${unknown}${failed === 0 ? '' : `, ${failed} of them failed`}`,
    `queued       ${queued}`,
    `running      ${running}`,
  ];
  const told = failures.slice(0, namesShown).map(({ name, failure, attempts, commit }) => {
    const kept = commit === null ? 'no facts' : `facts of ${commit.slice(0, 8)} kept`;
    return `  ${quotedPath(name)} · ${failure?.kind.replaceAll('_', ' ')}: ${shown(failure?.detail ?? '', 120)} · ${plural(attempts, 'time')}, ${kept}`;
  });
  if (told.length > 0) lines.push('failed', ...told);
  if (failures.length > namesShown) lines.push(`  and ${failures.length - namesShown} more; --json names all`);
  const seen = renderCoverage({ behind: [], unknown: [], headsSeenMs: coverage.headsSeenMs });
  return [...lines, ...seen].join('\n');
}

/** Of what is worth a line while it works; undefined for the rest. */
export function renderEvent(event: WorkEvent): string | undefined {
  switch (event.kind) {
    case 'looked':
      return event.heads === 0
        ? undefined
        : `looked at ${plural(event.heads, 'head')}: ${event.changed} to gather${event.missed === 0 ? '' : `, ${event.missed} not reached`}`;
    case 'began':
      return undefined;
    case 'ended': {
      const { end, ms } = event;
      const name = quotedPath(event.name);
      const time = `${(ms / 1000).toFixed(1)} s`;
      if (end.kind === 'failed')
        return `${name} failed · ${end.failure.kind.replaceAll('_', ' ')}: ${shown(end.failure.detail, 160)}`;
      if (end.kind === 'given_back') return undefined;
      if (end.kind === 'lost') return `${name} was taken over by another worker; nothing of it was published here`;
      return `${name} ${end.kind === 'known' ? 'was gathered before' : `${plural(end.facts, 'fact')}`} · ${end.commit.slice(0, 8)} · ${time}`;
    }
  }
}

export function renderWork({ published, known, failed, lost, stopped }: WorkOutcome): string {
  const parts = [
    `published ${published}`,
    ...(known > 0 ? [`known ${known}`] : []),
    ...(failed > 0 ? [`failed ${failed}`] : []),
    ...(lost > 0 ? [`taken over ${lost}`] : []),
  ];
  const why = { nothing_due: '', interrupted: ' · interrupted', disk_full: ' · ended, because the disk is full' }[
    stopped
  ];
  return `${parts.join(', ')}${why}`;
}
