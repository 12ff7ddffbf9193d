/**
 * What stdout shows after a gather (gather.md §9): the overview of the repository on at most thirty lines, whatever the repository is.
 * What the program did itself is told only where it went wrong, and otherwise with `--verbose`.
 */

import { formatDuration } from '../../kernel/base/quantities.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { judgeOverall, listTroubledProbes, type TaskDemands } from './build-confidence.ts';
import { listShadowedSkills } from './build-organisation.ts';
import { listOverview, type OverviewRow } from './build-overview.ts';
import { type ReportProbe, statusOf, viewEnvelope } from './envelope-view.ts';
import { linesAt, numberAt, textAt } from './loose-json.ts';
import { shortDigest } from './render-values.ts';

/** Lines of a row, where it is not two. */
const mostLines: Readonly<Record<string, number>> = { what: 2, parts: 6, test: 3, deploy: 3, risky: 4, 'not seen': 3 };
const usualLines = 2;
const labelWidth = 10;
export const screenLines = 30;
/** Enough to see what is wrong; the report has the rest. */
const diagnosticsShown = 3;

export function summaryLines(of: {
  readonly envelope: unknown;
  readonly probes: readonly ReportProbe[];
  /** Shown as given; null when no report could be rendered. */
  readonly reportPath: string | null;
  readonly task?: TaskDemands | undefined;
  /** Columns of the terminal. */
  readonly width: number;
}): readonly string[] {
  const view = viewEnvelope(of.envelope, of.probes);
  const width = Math.max(40, of.width);
  const overall = judgeOverall(view, of.task);
  const floor = overall.belowFloor
    ? [`confidence ${overall.confidence} is below the task's floor ${overall.floor}: ${overall.because.join('; ')}`]
    : [];
  const ms = numberAt(of.envelope, 'gather_duration_ms');
  const more = [
    'codegenie facts [id] [scope]',
    ...(of.reportPath === null ? [] : [`report ${of.reportPath}`]),
    ...(ms === null ? [] : [`gathered in ${formatDuration(ms)}`]),
  ];
  const rest = [...floor, `${'more'.padEnd(labelWidth)}${more.join(' · ')}`];
  const body = fitRows(listOverview(view), width, screenLines - 2 - rest.length);
  return [headLine(of.envelope), '', ...body, ...rest].map((line) => truncate(singleLine(line), 4 * width));
}

/** Every row has a place: where all of them are too long, the longest gives lines away first. */
function fitRows(rows: readonly OverviewRow[], width: number, room: number): readonly string[] {
  const limits = rows.map(({ label }) => mostLines[label] ?? usualLines);
  const draw = () => rows.map((row, index) => rowLines(row, width, limits[index] ?? 1));
  let drawn = draw();
  while (drawn.flat().length > room) {
    const longest = Math.max(...drawn.map((lines) => lines.length));
    if (longest <= 1) break;
    limits[drawn.findIndex((lines) => lines.length === longest)] = longest - 1;
    drawn = draw();
  }
  return drawn.flat();
}

/** What the program did, for `--verbose`: every probe that is not ok, and what was redacted. */
export function accountLines(envelope: unknown, probes: readonly ReportProbe[]): readonly string[] {
  const view = viewEnvelope(envelope, probes);
  const ok = view.probeNames.filter((name) => statusOf(view, name) === 'ok').length;
  const lines = [`${textAt(envelope, 'gather_status') ?? 'unknown'} · ${ok} probes ok`];
  for (const probe of listTroubledProbes(view)) {
    const why = [probe.reason, probe.detail, ...probe.ids].filter((text) => text !== null).join(' · ');
    lines.push(`${probe.status} ${probe.name}${why === '' ? '' : ` · ${why}`}`);
    for (const diagnostic of probe.diagnostics.slice(0, diagnosticsShown)) lines.push(`  ${diagnostic}`);
    const rest = probe.diagnostics.length - diagnosticsShown;
    if (rest > 0) lines.push(`  … and ${rest} more in the report`);
  }
  const shadowed = listShadowedSkills(view).map((skill) => `${skill.id}:${skill.tier}`);
  lines.push(`secrets_redacted_count=${numberAt(envelope, 'redaction', 'count') ?? 0}`);
  lines.push(`fingerprints=[${linesAt(envelope, 'redaction', 'fingerprints').join(', ')}]`);
  lines.push(`skill_shadowed=[${shadowed.join(', ')}]`);
  return lines.map(singleLine);
}

function headLine(envelope: unknown): string {
  const id = textAt(envelope, 'repo', 'id') ?? textAt(envelope, 'repo', 'root') ?? 'this repository';
  const [commit, branch] = [textAt(envelope, 'repo', 'git_commit'), textAt(envelope, 'repo', 'branch')];
  const dirty = numberAt(envelope, 'repo', 'dirty_files') ?? 0;
  const state = [
    commit === null ? 'no commit' : shortDigest(commit),
    ...(branch === null ? [] : [`on ${branch}`]),
    ...(dirty === 0 ? [] : [`with ${dirty} uncommitted`]),
  ];
  const component = textAt(envelope, 'repo', 'component');
  return `${id}${component === null ? '' : `, ${component} alone`} (${state.join(' ')})`;
}

/** Entries side by side, broken between words; each part on a line of its own. What does not fit is counted. */
function rowLines({ label, says }: OverviewRow, width: number, most: number): readonly string[] {
  const room = width - labelWidth;
  const lines: string[] = [];
  let told = 0;
  for (const text of says.map(singleLine)) {
    const last = label === 'parts' ? undefined : lines.at(-1);
    const start = last === undefined ? lines.length : lines.length - 1;
    if (start >= most) break;
    lines.splice(start, 1, ...wrap(last === undefined ? text : `${last} · ${text}`, room));
    told += 1;
    if (lines.length > most) break;
  }
  const rest = says.length - told;
  const mark = `${lines.length > most ? ' …' : ''}${rest > 0 ? ` +${rest} more` : ''}`;
  return lines.slice(0, most).map((line, index, shown) => {
    const isLast = index === shown.length - 1;
    return `${(index === 0 ? label : '').padEnd(labelWidth)}${isLast ? `${truncate(line, room - mark.length)}${mark}` : line}`;
  });
}

function wrap(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => truncate(one, room));
}
