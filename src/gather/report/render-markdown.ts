/**
 * `CONTEXT_REPORT.md`: the model as Markdown, section by section in the order of gather.md §9.
 * Every string that is not written in this file passes `escapeProse` or `escapeCode`. Times and durations of the run appear in
 * "This run" and in the rows of fresh indexes, and nowhere else.
 */

import { formatBytes, formatCount, formatDuration } from '../../kernel/base/quantities.ts';
import { plural } from '../../kernel/base/text.ts';
import type { IndexRow, TroubledProbe } from './build-confidence.ts';
import type { Part } from './build-organisation.ts';
import { onlyComponent } from './build-overview.ts';
import { escapeCode as code, formatShare, escapeProse as prose, shortDigest } from './render-values.ts';
import { changedSince, type ReportModel } from './report-model.ts';
import { midSentence } from './risks.ts';

export function renderMarkdown(model: ReportModel): string {
  const speaking: readonly (readonly [string, readonly string[]])[] = [
    ['Overview', overview(model)],
    ['Parts', parts(model)],
    ['Risk flags', risks(model)],
    ['Blast radius', blast(model)],
    ['Validation plan', plan(model)],
    ['Skills and instructions', skills(model)],
    ['ADRs', adrs(model)],
    ['Conventions', conventions(model)],
    ['Exceptions', exceptions(model)],
    ['What could not be seen', unseen(model)],
  ];
  const account: readonly (readonly [string, readonly string[]])[] = [
    ['Confidence', confidence(model)],
    ['What is not configured', missing(model)],
    ['Raw evidence', evidence(model)],
    ['This run', run(model)],
  ];
  const print = (sections: typeof speaking) =>
    sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}\n`)
      .join('\n');
  const pointer =
    'More: `codegenie facts [id] [scope] --explain` shows the lines behind a fact, `codegenie report --explain <field.path>` where a value comes from.';
  const { id, component } = model.repo;
  const title = component === null ? prose(id) : `${prose(id)}, ${code(component)} alone`;
  return `# ${title}\n\n${print(speaking)}\n---\n\n${pointer}\n\n<details>\n<summary>How this was gathered</summary>\n\n${print(account)}\n</details>\n`;
}

function overview(model: ReportModel): string[] {
  const { overall, repo } = model;
  const lines = [
    `Commit ${repo.commit === null ? 'none' : code(shortDigest(repo.commit))}${repo.branch === null ? '' : ` on ${code(repo.branch)}`}${dirt(model)}.`,
  ];
  if (repo.component !== null) lines.push('', `> ${onlyComponent(code(repo.component))}`);
  if (overall.belowFloor) {
    const why = overall.because.map(prose).join('; ');
    lines.push('', `> **Below the floor of this task** (${overall.floor}): ${why}. Do not act on this context alone.`);
  }
  const changed = changedSince(model);
  if (changed.length > 0) {
    const says = changed.map(prose).join('. ');
    lines.push('', `> **The tree has changed since this was gathered**: ${says}. \`codegenie gather\` looks again.`);
  }
  if (model.overview.length > 0) {
    const rows = model.overview.map(({ label, says }) => [`**${label}**`, says.map(prose).join(' · ')]);
    lines.push('', ...table(['', ''], rows));
  }
  if (model.languages.length > 0) lines.push('', languages(model));
  for (const warning of model.warnings) lines.push('', `> ${code(warning.id)} ${prose(warning.detail)}`);
  return lines;
}

function parts(model: ReportModel): string[] {
  if (model.parts.length < 2) return [];
  const shown = model.parts.slice(0, partsShown);
  const rows = shown.map(({ dir, title, language, how }) => [code(dir), prose(title), prose(language), prose(how)]);
  const rest = model.parts.length - shown.length;
  return [
    ...table(['directory', 'kind', 'language', 'how it is known'], rows),
    ...(rest > 0 ? ['', `And ${rest} more.`] : []),
  ];
}

const partsShown = 60;

function unseen(model: ReportModel): string[] {
  const failed = model.troubled.filter((probe) => probe.status !== 'skipped' || probe.reason === 'cache_only_miss');
  const lines = failed.flatMap(troubledLines);
  if (model.notLooked.length > 0) {
    const rows = model.notLooked.map((gap) => [
      code(gap.probe),
      prose(gap.says ?? ''),
      prose(gap.reason),
      prose(gap.enable),
    ]);
    lines.push(...(lines.length === 0 ? [] : ['']), ...table(['probe', 'would say', 'reason', 'how to get it'], rows));
  }
  return lines.length === 0 ? ['Every probe that has something to look at here looked.'] : lines;
}

function dirt(model: ReportModel): string {
  if (!model.repo.dirty) return '';
  return model.repo.dirtyFiles === null
    ? ', with uncommitted changes'
    : `, with ${plural(model.repo.dirtyFiles, 'uncommitted file')}`;
}

function languages(model: ReportModel): string {
  const total = model.languages.reduce((sum, language) => sum + language.files, 0);
  const shown = model.languages.slice(0, 8);
  const shares = shown.map(
    (language) => `${prose(language.name)} ${formatShare(language.files, total)} (${formatCount(language.files)})`,
  );
  const rest = model.languages.length - shown.length;
  return `Files by language: ${shares.join(' · ')}${rest > 0 ? ` · ${rest} more` : ''}`;
}

function confidence(model: ReportModel): string[] {
  const { overall, redaction } = model;
  const why = overall.because.length === 0 ? '' : ` (${overall.because.map(prose).join('; ')})`;
  const lines = [
    `Gather ${model.status}. What the task requires and the indexes in use: **${overall.confidence}**${why}.`,
    '',
  ];
  if (model.sandbox === 'none') lines.push('Tools ran without a sandbox on this machine.', '');
  if (redaction.count > 0) {
    const prints = redaction.fingerprints.slice(0, fingerprintsShown).map(code).join(', ');
    const rest = redaction.fingerprints.length - fingerprintsShown;
    const values = plural(redaction.count, 'secret-shaped value');
    lines.push(`${values} replaced before anything was written: ${prints}${rest > 0 ? ` and ${rest} more` : ''}.`, '');
  }
  if (model.foreign.length > 0) {
    const named = model.foreign.map(({ name, folder }) => `${code(name)} from ${code(folder)}`).join(', ');
    lines.push(`Probes of your own, none of codegenie's: ${named}.`, '');
  }
  if (model.indexesNow.length > 0) {
    lines.push('Recomputed from disk just now, different from what this gather stored:', '');
    lines.push(...model.indexesNow.map(indexLine), '', 'As stored:', '');
  }
  if (model.indexes.length === 0) lines.push('_No index sources registered._');
  else lines.push(...model.indexes.map(indexLine));
  if (model.troubled.length > 0)
    lines.push('', 'Probes that are not `ok`:', '', ...model.troubled.flatMap(troubledLines));
  const unsure = model.probes.filter((probe) => probe.status === 'ok' && probe.confidence !== 'high');
  if (unsure.length > 0) {
    const named = unsure.map((probe) => `${code(probe.name)} ${probe.confidence ?? 'unknown'}`).join(', ');
    lines.push('', `Delivered with less than high confidence: ${named}.`);
  }
  return lines;
}

const fingerprintsShown = 12;

function indexLine(row: IndexRow): string {
  const [, state, rest] = /^- \[(OK|STALE)\] (.*)$/s.exec(row.line) ?? [];
  return state === undefined || rest === undefined ? `- ${prose(row.line)}` : `- [${state}] ${prose(rest)}`;
}

function troubledLines(probe: TroubledProbe): string[] {
  const parts = [
    `- [${prose(probe.status.toUpperCase())}] ${code(probe.name)}`,
    probe.reason === null ? null : prose(probe.reason),
    probe.detail === null ? null : prose(probe.detail),
    ...probe.ids.map(code),
  ];
  const head = parts.filter((part) => part !== null).join(' · ');
  return [head, ...probe.diagnostics.slice(0, 3).map((line) => `  - ${prose(line)}`)];
}

function risks(model: ReportModel): string[] {
  const { raised, unjudged, clear, notApplicable } = model.risks;
  const lines = raised.flatMap((risk) => [
    `- **${risk.title}** (${risk.severity}): ${prose(risk.detail)}. ${risk.says}`,
    ...risk.items.map((item) => `  - ${code(item)}`),
  ]);
  if (raised.length === 0) lines.push('No flag is raised.');
  if (unjudged.length > 0) {
    lines.push('', 'Not judged, so not ruled out:', '');
    lines.push(...unjudged.map((risk) => `- ${risk.title}: ${prose(risk.because)}`));
  }
  if (clear.length > 0)
    lines.push('', `Looked for and not found: ${clear.map((risk) => midSentence(risk.title)).join(', ')}.`);
  if (notApplicable.length > 0) {
    const why = Map.groupBy(notApplicable, ({ because }) => because);
    const groups = [...why].map(
      ([because, risks]) => `${risks.map(({ title }) => midSentence(title)).join(', ')} (${prose(because)})`,
    );
    lines.push('', `Does not apply here: ${groups.join('; ')}.`);
  }
  return lines;
}

function blast(model: ReportModel): string[] {
  const { modules, files, consumers, surface, missing: absent } = model.blast;
  const lines: string[] = [];
  if (modules !== null) {
    lines.push('**Workspace dependents**', '');
    if (modules.length === 0) lines.push('No module of the repository depends on another.', '');
    else {
      const rows = modules.map((m) => [code(m.name), String(m.count), m.dependents.slice(0, 6).map(code).join(', ')]);
      lines.push(...table(['module', 'dependents', 'which'], rows), '');
    }
  }
  if (files !== null) {
    lines.push('**Files and packages that most others import**', '');
    if (files.length === 0) lines.push('No file is imported by another.', '');
    else
      lines.push(
        ...table(
          ['file or package', 'importers'],
          files.map((file) => [code(file.name), String(file.count)]),
        ),
        '',
      );
  }
  if (consumers !== null) {
    lines.push('**Services** (declared, not observed)', '');
    lines.push(...consumers.map((edge) => `- ${code(edge.from)} → ${code(edge.to)} · ${prose(edge.via)}`));
    lines.push(...(consumers.length === 0 ? ['No edge between services is declared.', ''] : ['']));
  }
  if (surface !== null) {
    lines.push(
      `**Public surface**: ${surface.length === 0 ? 'nothing found that others call or import' : surface.map(prose).join(', ')}.`,
      '',
    );
  }
  if (absent.length > 0)
    lines.push(`Not known: ${absent.map((part) => `${part.part} (${prose(part.because)})`).join(', ')}.`);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function plan(model: ReportModel): string[] {
  return model.plan.map((step, position) => {
    const command = step.command === null ? '' : ` ${code(step.command)}`;
    return `${position + 1}. **${step.step}**${command} · ${prose(step.source)}`;
  });
}

function skills(model: ReportModel): string[] {
  const { shadowed, lacking, instructions } = model.skills;
  const lines = part(model.skills, 'No skill is installed.', (items) =>
    table(
      ['skill', 'applies', 'why', 'tier', 'description'],
      items.map((skill) => [
        code(skill.id),
        skill.applies ? 'yes' : 'no',
        prose(skill.why ?? ''),
        prose(skill.tier),
        prose(skill.description ?? ''),
      ]),
    ),
  );
  if (lacking.length > 0) lines.push('', `Required by the task and not available: ${lacking.map(code).join(', ')}.`);
  for (const skill of shadowed) {
    lines.push('', `Shadowed: ${code(skill.id)} of tier ${prose(skill.tier)} by tier ${prose(skill.winner)}.`);
  }
  if (instructions.length > 0)
    lines.push(
      ...(lines.length === 0 ? [] : ['']),
      `Instructions in the repository: ${instructions.slice(0, 12).map(code).join(', ')}.`,
    );
  return lines;
}

function adrs(model: ReportModel): string[] {
  return part(model.adrs, 'None found where they are looked for.', (items) =>
    table(
      ['id', 'title', 'status', 'file'],
      items.map((adr) => [prose(adr.id), prose(adr.title), prose(adr.status), code(adr.path)]),
    ),
  );
}

function conventions(model: ReportModel): string[] {
  return part(model.conventions, 'No rule is defined.', (items) =>
    items.map((rule) => {
      const says = rule.says === null ? '' : ` · ${prose(rule.says)}`;
      const found = rule.evidence.length === 0 ? '' : ` · ${rule.evidence.map(prose).join(', ')}`;
      return `- ${rule.mark} ${code(rule.id)}${says}${found}`;
    }),
  );
}

function exceptions(model: ReportModel): string[] {
  return part(model.exceptions, 'None is recorded.', (items) =>
    table(
      ['state', 'task', 'reason', 'expires', 'approver'],
      items.map((row) => [
        row.state === 'expired' ? '**expired**' : 'active',
        code(row.task),
        prose(row.reason),
        prose(row.expires),
        prose(row.approver),
      ]),
    ),
  );
}

function missing(model: ReportModel): string[] {
  const others = model.missing.filter((gap) => !model.notLooked.includes(gap));
  const [open, inert] = [others.filter((m) => m.actionable), others.filter((m) => !m.actionable)];
  const lines =
    open.length === 0
      ? []
      : table(
          ['probe', 'reason', 'how to enable it'],
          open.map((m) => [
            code(m.probe),
            prose(m.detail === null ? m.reason : `${m.reason}: ${m.detail}`),
            prose(m.enable),
          ]),
        );
  if (inert.length > 0)
    lines.push(
      ...(lines.length === 0 ? [] : ['']),
      `Nothing for them in this repository: ${inert.map((m) => code(m.probe)).join(', ')}.`,
    );
  return lines;
}

function evidence(model: ReportModel): string[] {
  if (model.artifacts.length === 0) return ['No raw artifact was kept.'];
  return table(
    ['artifact', 'probe', 'kind', 'size', 'blake3'],
    model.artifacts.map((artifact) => [
      code(`raw/${artifact.name}`),
      code(artifact.probe),
      prose(artifact.kind),
      artifact.size === null ? '?' : formatBytes(artifact.size),
      code(shortDigest(artifact.blake3)),
    ]),
  );
}

function run(model: ReportModel): string[] {
  const { gatheredAt, durationMs, runId, timings } = model.run;
  const head = [
    gatheredAt === null ? null : `gathered at ${code(gatheredAt)}`,
    durationMs === null ? null : `in ${formatDuration(durationMs)}`,
    runId === null ? null : `run ${code(runId)}`,
  ];
  const stamp = head.filter((text) => text !== null).join(' · ') || 'No time was recorded.';
  if (timings.length === 0) return [stamp];
  const rows = timings.slice(0, 15).map((t) => [code(t.probe), formatDuration(t.ms), prose(t.cache)]);
  return [stamp, '', ...table(['slowest probes', 'time', 'cache'], rows)];
}

/** What is not configured is no section of its own: it is told once, at the end. */
function part<T>(content: Part<T>, none: string, render: (items: readonly T[]) => string[]): string[] {
  if (content.because !== null) return content.unconfigured ? [] : [`Not known: ${prose(content.because)}.`];
  return content.items.length === 0 ? [none] : render(content.items);
}

/** Cells are escaped by the caller. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}
