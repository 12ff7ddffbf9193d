/**
 * `CONTEXT_REPORT.html`: the same content as one self-contained page. It loads nothing and runs nothing (its policy forbids both),
 * follows the reader's light or dark setting, and reads well by keyboard, screen reader, on a phone and on paper.
 */

import { formatBytes, formatDuration } from '../../kernel/base/quantities.ts';
import { plural } from '../../kernel/base/text.ts';
import type { IndexRow, TroubledProbe } from './build-confidence.ts';
import type { ConventionRow } from './build-organisation.ts';
import { onlyComponent } from './build-overview.ts';
import type { ProbeCard } from './build-probes.ts';
import {
  bullets,
  card,
  codes,
  confidencePill,
  html,
  meter,
  nothing,
  part,
  type SafeHtml,
  statusPill,
  type Tone,
  table,
} from './html-elements.ts';
import { fills, stylesheet } from './html-style.ts';
import { formatShare, shortDigest } from './render-values.ts';
import { changedSince, type ReportModel } from './report-model.ts';

export const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";

export function renderHtml(model: ReportModel): string {
  const body = html`<body><a class="skip" href="#main">Skip to the report</a><div class="page">${masthead(model)}<div class="layout">${contents(model)}<main id="main">
${overviewCard(model)}${partsCard(model)}${riskCard(model)}${blastCard(model)}${planCard(model)}${skillsCard(model)}${adrsCard(model)}${conventionsCard(model)}${exceptionsCard(model)}${unseenCard(model)}<details class="account" id="account"><summary>How this was gathered</summary>${confidenceCard(model)}${missingCard(model)}${sectionsCard(model)}${artifactsCard(model)}${runCard(model)}</details></main></div>
<footer>codegenie ${model.cliVersion} · the lines behind a fact: <code>codegenie facts [id] [scope] --explain</code> · where a value comes from: <code>codegenie report --explain &lt;field.path&gt;</code></footer></div></body>`;
  const head = html`<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${model.repo.id}${model.repo.component === null ? nothing : html`, ${model.repo.component} alone`} · context report</title>`;
  return `<!doctype html>\n<html lang="en">${head.text}<style>${stylesheet}</style></head>\n${body.text}</html>\n`;
}

/** The contents, with the numbers that deserve a look beside them. */
function contents(model: ReportModel): SafeHtml {
  const broken = model.conventions.items.filter((rule) => rule.mark === '✗').length;
  const expired = model.exceptions.items.filter((row) => row.state === 'expired').length;
  const isHigh = model.risks.raised.some((risk) => risk.severity === 'high');
  const entries: readonly (readonly [string, string, number, 'bad' | 'warn' | 'calm'])[] = [
    ['overview', 'Overview', 0, 'calm'],
    ...(model.parts.length < 2 ? [] : [['parts', 'Parts', model.parts.length, 'calm'] as const]),
    ['risks', 'Risk flags', model.risks.raised.length, isHigh ? 'bad' : 'warn'],
    ['blast', 'Blast radius', 0, 'calm'],
    ['plan', 'Validation plan', 0, 'calm'],
    ...(!hasSkills(model) ? [] : [['skills', 'Skills and instructions', 0, 'calm'] as const]),
    ...(model.adrs.unconfigured ? [] : [['adrs', 'ADRs', 0, 'calm'] as const]),
    ...(model.conventions.unconfigured ? [] : [['conventions', 'Conventions', broken, 'bad'] as const]),
    ...(model.exceptions.unconfigured ? [] : [['exceptions', 'Exceptions', expired, 'warn'] as const]),
    ['unseen', 'What could not be seen', failuresOf(model).length, 'warn'],
    ['account', 'How this was gathered', 0, 'calm'],
  ];
  const links = entries.map(
    ([id, title, count, tone]) =>
      html`<li><a href="#${id}">${title}${count === 0 ? nothing : html` <span class="n ${tone}">${count}</span>`}</a></li>`,
  );
  return html`<nav class="toc" aria-label="Contents"><ol>${links}</ol></nav>`;
}

/** The top of the page: which repository, how far to trust this, what it is, which languages. */
function masthead(model: ReportModel): SafeHtml {
  const { repo, status } = model;
  const dirt = repo.dirtyFiles === null ? 'uncommitted changes' : `${plural(repo.dirtyFiles, 'uncommitted file')}`;
  return html`<header class="masthead"><div><span class="eyebrow">codegenie · context report</span><h1>${repo.id}${repo.component === null ? nothing : html`, <code>${repo.component}</code> alone`}</h1><ul class="chips" aria-label="State of the repository">
${status === 'complete' ? nothing : html`<li class="chip warn">gather ${status}</li>`}
<li class="chip">${repo.commit === null ? 'no commit' : html`commit <code>${shortDigest(repo.commit)}</code>`}</li>
${repo.branch === null ? nothing : html`<li class="chip">branch <code>${repo.branch}</code></li>`}
${repo.dirty === null ? nothing : repo.dirty ? html`<li class="chip warn">${dirt}</li>` : html`<li class="chip">clean work tree</li>`}
</ul></div></header>\n`;
}

function overviewCard(model: ReportModel): SafeHtml {
  const rows = model.overview.map(
    ({ label, says }) =>
      html`<div><dt>${label}</dt><dd>${says.length === 1 ? html`${says[0] ?? ''}` : html`<ul>${says.map((one) => html`<li>${one}</li>`)}</ul>`}</dd></div>`,
  );
  return card('overview', 'Overview', html`${notes(model)}<dl class="overview">${rows}</dl>${languageBar(model)}`);
}

function notes(model: ReportModel): SafeHtml {
  const { overall, repo } = model;
  const since = changedSince(model);
  const alone = repo.component === null ? nothing : html`<p class="note warn">${onlyComponent(repo.component)}</p>`;
  const floor = html`<p class="note bad"><strong>Below the floor of this task</strong> (${overall.floor}): ${overall.because.join('; ')}. Do not act on this context alone.</p>`;
  const changed = html`<p class="note warn"><strong>The tree has changed since this was gathered</strong>: ${since.join('. ')}.</p>`;
  const warnings = model.warnings.map(
    (warning) => html`<p class="note warn"><code>${warning.id}</code> ${warning.detail}</p>`,
  );
  return html`${alone}${overall.belowFloor ? floor : nothing}${since.length > 0 ? changed : nothing}${warnings}`;
}

const partsShown = 60;

function partsCard(model: ReportModel): SafeHtml {
  if (model.parts.length < 2) return nothing;
  const rows = model.parts
    .slice(0, partsShown)
    .map(({ dir, title, language, how }) => [
      html`<code>${dir}</code>`,
      html`<span class="pill calm">${title}</span>`,
      html`${language}`,
      html`<span class="muted">${how}</span>`,
    ]);
  const rest = model.parts.length - rows.length;
  return card(
    'parts',
    'Parts',
    html`${table('Parts', ['directory', 'kind', 'language', 'how it is known'], rows)}${rest > 0 ? html`<p class="muted">And ${rest} more.</p>` : nothing}`,
  );
}

function failuresOf(model: ReportModel): readonly TroubledProbe[] {
  return model.troubled.filter((probe) => probe.status !== 'skipped' || probe.reason === 'cache_only_miss');
}

function unseenCard(model: ReportModel): SafeHtml {
  const failures = failuresOf(model);
  const failed = failures.length === 0 ? nothing : html`<ul class="rows">${failures.map(troubledItem)}</ul>`;
  const rows = model.notLooked.map((gap) => [
    html`<code>${gap.probe}</code>`,
    html`${gap.says}`,
    html`${gap.reason}`,
    html`${gap.enable}`,
  ]);
  const lacking =
    rows.length === 0
      ? nothing
      : table('What could not be seen', ['probe', 'would say', 'reason', 'how to get it'], rows);
  const all = html`<p>Every probe that has something to look at here looked.</p>`;
  return card(
    'unseen',
    'What could not be seen',
    failures.length + rows.length === 0 ? all : html`${failed}${lacking}`,
  );
}

/** Stacked bar by files; what is beyond the palette is one share. */
function languageBar(model: ReportModel): SafeHtml {
  const total = model.languages.reduce((sum, language) => sum + language.files, 0);
  if (total === 0) return nothing;
  const own = model.languages.slice(0, fills.length - 1);
  const rest = model.languages.slice(own.length);
  const shares = own.map(({ name, files }) => ({ name, files }));
  if (rest.length > 0)
    shares.push({ name: `${rest.length} more`, files: rest.reduce((sum, language) => sum + language.files, 0) });
  const spoken = shares.map(({ name, files }) => `${name} ${formatShare(files, total)}`).join(', ');
  return html`<div class="langs" role="img" aria-label="Files by language: ${spoken}">${shares.map(
    ({ files }, position) =>
      html`<span class="fill${position}" style="flex-grow:${((files / total) * 1000).toFixed(2)}"></span>`,
  )}</div><ul class="legend">${shares.map(
    ({ name, files }, position) =>
      html`<li><i class="fill${position}" aria-hidden="true"></i>${name} <span class="muted num">${formatShare(files, total)} · ${plural(files, 'file')}</span></li>`,
  )}</ul>`;
}

/**
 * Indexes, probes that are not ok, and risk flags: everything that says how far to trust the rest. Stale indexes come first.
 */
function confidenceCard(model: ReportModel): SafeHtml {
  const staleFirst = [...model.indexes.filter((row) => !row.fresh), ...model.indexes.filter((row) => row.fresh)];
  const stored =
    staleFirst.length === 0
      ? html`<p class="muted">No index sources registered.</p>`
      : html`<ul class="indexes">${staleFirst.map(indexItem)}</ul>`;
  const now =
    model.indexesNow.length === 0
      ? nothing
      : html`<h3>Recomputed from disk just now</h3><ul class="indexes">${model.indexesNow.map(indexItem)}</ul><h3>As stored by this gather</h3>`;
  const [asking, ordinary] = [model.troubled.filter((p) => !p.ordinary), model.troubled.filter((p) => p.ordinary)];
  const troubled =
    asking.length === 0
      ? nothing
      : html`<h3>Probes that are not ok</h3><ul class="rows">${asking.map(troubledItem)}</ul>`;
  const quiet =
    ordinary.length === 0
      ? nothing
      : html`<details class="more"><summary>${ordinary.length} skipped because nothing here asks for them</summary><ul class="rows">${ordinary.map(troubledItem)}</ul></details>`;
  const { overall, redaction, foreign } = model;
  const own = foreign.map(({ name, folder }) => html`<li><code>${name}</code> from <code>${folder}</code></li>`);
  const why = overall.because.length === 0 ? '' : ` (${overall.because.join('; ')})`;
  const tally = model.tally.map(
    ({ status, count }) => html`<li>${statusPill(status)} <span class="num">${count}</span></li>`,
  );
  const head = html`<p>Gather ${model.status}. What the task requires and the indexes in use: ${confidencePill(overall.confidence)}${why}</p><ul class="legend">${tally}</ul>${
    model.sandbox === 'none' ? html`<p class="note warn">Tools ran without a sandbox on this machine.</p>` : nothing
  }${
    redaction.count === 0
      ? nothing
      : html`<p class="note warn">${plural(redaction.count, 'secret-shaped value')} replaced before anything was written. Fingerprints: ${codes(redaction.fingerprints.slice(0, 12))}</p>`
  }${own.length === 0 ? nothing : html`<h3>Probes of your own, none of codegenie's</h3><ul class="rows">${own}</ul>`}`;
  return card('confidence', 'Confidence', html`${head}${now}${stored}${troubled}${quiet}`);
}

function indexItem(row: IndexRow): SafeHtml {
  const detail = row.detail.map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`).join(' · ');
  const tone = row.fresh ? 'good' : row.confidence === 'medium' ? 'warn' : 'bad';
  const [verdict = '', ...more] = row.says.split(' · ');
  return html`<li class="index ${row.fresh ? 'fresh' : 'stale'} ${row.confidence ?? 'low'}"><header><b>${row.name}</b><span class="pill ${tone}">${row.fresh ? 'fresh' : 'stale'}</span></header><p>${verdict.replace(/^[a-z_]+/, (word) => word.replaceAll('_', ' ')).replace('=', ' ')}</p>${
    more.length === 0
      ? nothing
      : html`<ul>${more.map((line) => html`<li>${line.replace(/^(expected|actual|indexed|files|last_indexed)=/, '$1 ')}</li>`)}</ul>`
  }${detail === '' ? nothing : html`<small>${detail}</small>`}</li>`;
}

function troubledItem(probe: TroubledProbe): SafeHtml {
  const why = [probe.reason, probe.detail].filter((text) => text !== null).join(': ');
  return html`<li>${statusPill(probe.status)} <b>${probe.name}</b> <span class="muted">${why}</span> ${codes(probe.ids)}${bullets(probe.diagnostics.slice(0, 5))}</li>`;
}

function riskCard(model: ReportModel): SafeHtml {
  const { raised, unjudged, clear, notApplicable } = model.risks;
  const flags =
    raised.length === 0
      ? html`<p>No flag is raised.</p>`
      : html`<ul class="rows">${raised.map(
          (risk) =>
            html`<li class="risk"><span class="pill ${risk.severity === 'high' ? 'bad' : 'warn'}">${risk.severity}</span><div><b>${risk.title}</b> · ${risk.detail}<br><span class="muted">${risk.says}</span>${bullets(risk.items)}</div></li>`,
        )}</ul>`;
  const open =
    unjudged.length === 0
      ? nothing
      : html`<h3>Not judged, so not ruled out</h3><ul class="rows">${unjudged.map(
          (risk) => html`<li><b>${risk.title}</b> <span class="muted">${risk.because}</span></li>`,
        )}</ul>`;
  return card(
    'risks',
    'Risk flags',
    html`${flags}${open}${names('Looked for and not found', clear)}${names('Does not apply here', notApplicable)}`,
  );
}

function names(title: string, risks: readonly { readonly title: string }[]): SafeHtml {
  if (risks.length === 0) return nothing;
  return html`<h3>${title}</h3><ul class="chips">${risks.map((risk) => html`<li class="chip">${risk.title}</li>`)}</ul>`;
}

/**
 * What a change would touch and how to check it: blast radius, validation plan, and what people wrote down about the repository.
 */
function blastCard(model: ReportModel): SafeHtml {
  const { modules, files, consumers, surface, missing } = model.blast;
  const most = Math.max(1, ...(files ?? []).map((file) => file.count));
  const parts: SafeHtml[] = [];
  if (modules !== null) {
    const rows = modules.map((module) => [
      html`<code>${module.name}</code>`,
      html`<span class="num">${module.count}</span>`,
      codes(module.dependents.slice(0, 8)),
    ]);
    parts.push(
      html`<h3>Workspace dependents</h3>${rows.length === 0 ? empty('No module of the repository depends on another.') : table('Workspace dependents', ['module', 'dependents', 'which'], rows)}`,
    );
  }
  if (files !== null) {
    const bars = files.map((file) => meter(html`<code>${file.name}</code>`, file.count / most, html`${file.count}`));
    parts.push(
      html`<h3>Files and packages that most others import</h3>${bars.length === 0 ? empty('No file is imported by another.') : html`<ul class="meters">${bars}</ul>`}`,
    );
  }
  if (consumers !== null) {
    const edges = consumers.map(
      (edge) =>
        html`<li><code>${edge.from}</code> → <code>${edge.to}</code> <span class="muted">${edge.via}</span></li>`,
    );
    parts.push(
      html`<h3>Services <span class="muted">declared, not observed</span></h3>${edges.length === 0 ? empty('No edge between services is declared.') : html`<ul class="rows">${edges}</ul>`}`,
    );
  }
  if (surface !== null)
    parts.push(
      html`<h3>Public surface</h3><p>${surface.length === 0 ? 'Nothing found that others call or import.' : surface.join(' · ')}</p>`,
    );
  if (missing.length > 0)
    parts.push(
      html`<p class="muted">Not known: ${missing.map((gap) => `${gap.part} (${gap.because})`).join(', ')}.</p>`,
    );
  return card('blast', 'Blast radius', html`${parts}`);
}

function planCard(model: ReportModel): SafeHtml {
  const steps = model.plan.map(
    (step) =>
      html`<li><b>${step.step}</b><span>${step.command === null ? html`<span class="muted">none</span>` : html`<code>${step.command}</code>`}</span><small>${step.source}</small></li>`,
  );
  return card('plan', 'Validation plan', html`<ol class="plan">${steps}</ol>`);
}

function skillsCard(model: ReportModel): SafeHtml {
  if (!hasSkills(model)) return nothing;
  const { shadowed, lacking, instructions } = model.skills;
  const list = model.skills.unconfigured
    ? nothing
    : part(model.skills, 'No skill is installed.', (items) =>
        table(
          'Skills',
          ['skill', 'applies', 'why', 'tier', 'description'],
          items.map((skill) => [
            html`<code>${skill.id}</code>`,
            html`<span class="pill ${skill.applies ? 'good' : 'calm'}">${skill.applies ? 'applies' : 'does not'}</span>`,
            html`${skill.why}`,
            html`${skill.tier}`,
            html`${skill.description}`,
          ]),
        ),
      );
  const lacks =
    lacking.length === 0
      ? nothing
      : html`<p class="note bad">Required by the task and not available: ${codes(lacking)}</p>`;
  const shadows = shadowed.map(
    (skill) =>
      html`<p class="note warn">Shadowed: <code>${skill.id}</code> of tier ${skill.tier}, by tier ${skill.winner}.</p>`,
  );
  const files =
    instructions.length === 0
      ? nothing
      : html`<p class="muted">Instructions in the repository: ${codes(instructions.slice(0, 12))}</p>`;
  return card('skills', 'Skills and instructions', html`${list}${lacks}${shadows}${files}`);
}

function hasSkills({ skills: { unconfigured, lacking, instructions } }: ReportModel): boolean {
  return !unconfigured || lacking.length + instructions.length > 0;
}

function adrsCard(model: ReportModel): SafeHtml {
  if (model.adrs.unconfigured) return nothing;
  const list = part(model.adrs, 'None found where they are looked for.', (items) =>
    table(
      'Architecture decisions',
      ['id', 'title', 'status', 'file'],
      items.map((adr) => [
        html`${adr.id}`,
        html`${adr.title}`,
        html`<span class="pill calm">${adr.status}</span>`,
        html`<code>${adr.path}</code>`,
      ]),
    ),
  );
  return card('adrs', 'ADRs', list);
}

const marks: Readonly<Record<ConventionRow['mark'], { readonly tone: Tone; readonly says: string }>> = {
  '✓': { tone: 'good', says: 'holds' },
  '✗': { tone: 'bad', says: 'broken' },
  '–': { tone: 'calm', says: 'does not apply' },
  '!': { tone: 'warn', says: 'could not be checked' },
};

function conventionsCard(model: ReportModel): SafeHtml {
  if (model.conventions.unconfigured) return nothing;
  const list = part(model.conventions, 'No rule is defined.', (items) => {
    const rows = items.map((rule) => {
      const { tone, says } = marks[rule.mark];
      const found =
        rule.mark === '✗'
          ? codes(rule.evidence)
          : html`<span class="muted">${rule.evidence.map((line) => ` · ${line}`).join('')}</span>`;
      return html`<li><span class="mark ${tone}" role="img" aria-label="${says}">${rule.mark}</span><b>${rule.id}</b> <span class="muted">${rule.says}</span> ${found}</li>`;
    });
    return html`<ul class="rows">${rows}</ul>`;
  });
  return card('conventions', 'Conventions', list);
}

function exceptionsCard(model: ReportModel): SafeHtml {
  if (model.exceptions.unconfigured) return nothing;
  const list = part(model.exceptions, 'None is recorded.', (items) =>
    table(
      'Exceptions',
      ['state', 'task', 'reason', 'expires', 'approver'],
      items.map((row) => [
        html`<span class="pill ${row.state === 'expired' ? 'bad' : 'good'}">${row.state}</span>`,
        html`<code>${row.task}</code>`,
        html`${row.reason}`,
        html`<span class="num">${row.expires}</span>`,
        html`${row.approver}`,
      ]),
    ),
  );
  return card('exceptions', 'Exceptions', list);
}

function missingCard(model: ReportModel): SafeHtml {
  const others = model.missing.filter((gap) => !model.notLooked.includes(gap));
  const [open, inert] = [others.filter((gap) => gap.actionable), others.filter((gap) => !gap.actionable)];
  const rows = open.map((gap) => [
    html`<code>${gap.probe}</code>`,
    html`${gap.says}`,
    html`${gap.reason}${gap.detail === null ? nothing : html`<br><span class="muted">${gap.detail}</span>`}`,
    html`${gap.enable}`,
  ]);
  if (rows.length + inert.length === 0) return nothing;
  const todo =
    rows.length === 0
      ? nothing
      : table('What is not configured', ['probe', 'would say', 'reason', 'how to enable it'], rows);
  const rest =
    inert.length === 0
      ? nothing
      : html`<details class="more"><summary>${inert.length} have nothing to look at in this repository</summary><p>${codes(inert.map((gap) => gap.probe))}</p></details>`;
  return card('missing', 'What is not configured', html`${todo}${rest}`);
}

function empty(says: string): SafeHtml {
  return html`<p class="muted">${says}</p>`;
}

const layerNames: ReadonlyMap<string, string> = new Map([
  ['A', 'Repository map'],
  ['B', 'Semantic layer'],
  ['C', 'Container and runtime'],
  ['D', 'Organisation'],
  ['E', 'Across repositories'],
  ['F', 'Task-specific'],
  ['G', 'Scanners and hints'],
]);

/**
 * The drill-down: each probe's data and evidence, the raw artifacts, and the times of this run. Only the last part is volatile.
 */
function sectionsCard(model: ReportModel): SafeHtml {
  const layers = [...new Set(model.probes.map((probe) => probe.layer))];
  const groups = layers.map(
    (layer) =>
      html`<h3>${layerNames.get(layer) ?? layer}</h3>${model.probes.filter((probe) => probe.layer === layer).map(probeDetails)}`,
  );
  return card(
    'sections',
    'Every section and its evidence',
    groups.length === 0 ? html`<p class="muted">No section was delivered.</p>` : html`${groups}`,
  );
}

function probeDetails(probe: ProbeCard): SafeHtml {
  const paths = probe.sections.map((section) => section.path).join(' · ');
  const rows: readonly (readonly [string, SafeHtml | null])[] = [
    ['confidence rule', probe.confidenceRule === null ? null : html`${probe.confidenceRule}`],
    ['from', probe.foreign === null ? null : html`<code>${probe.foreign}</code>`],
    ['version', probe.version === null ? null : html`<code>${probe.version}</code>`],
    ['tools', probe.tools.length === 0 ? null : codes(probe.tools)],
    ['inputs', inputs(probe)],
    ['errors', probe.errors.length === 0 ? null : codes(probe.errors)],
    ['warnings', probe.warnings.length === 0 ? null : codes(probe.warnings)],
    ['diagnostics', probe.diagnostics.length === 0 ? null : bullets(probe.diagnostics)],
    ['evidence', probe.evidence.length === 0 ? null : bullets(probe.evidence)],
  ];
  const facts = rows.map(([label, value]) => (value === null ? nothing : html`<dt>${label}</dt><dd>${value}</dd>`));
  const data = probe.sections.map(
    (section) =>
      html`<p class="path">${section.path}</p><pre tabindex="0" aria-label="Data of ${section.path}">${section.data}</pre>`,
  );
  return html`<details class="probe"><summary>${confidencePill(probe.confidence)}<b>${probe.name}</b><span class="paths">${paths}</span>${
    probe.foreign === null ? nothing : html`<span class="pill calm">your own</span>`
  }${
    probe.status === 'ok' ? nothing : statusPill(probe.status)
  }</summary><div>${probe.says === null ? nothing : html`<p>${probe.says}</p>`}<dl class="kv">${facts}</dl>${data}</div></details>\n`;
}

function inputs(probe: ProbeCard): SafeHtml | null {
  if (probe.inputs.files === null) return null;
  const digest =
    probe.inputs.digest === null ? nothing : html`, digest <code>${shortDigest(probe.inputs.digest)}</code>`;
  return html`<span class="num">${probe.inputs.files}</span> files${digest}`;
}

function artifactsCard(model: ReportModel): SafeHtml {
  const rows = model.artifacts.map((artifact) => [
    html`<code>raw/${artifact.name}</code>`,
    html`${artifact.probe}`,
    html`${artifact.kind}`,
    html`<span class="num">${artifact.size === null ? '?' : formatBytes(artifact.size)}</span>`,
    html`<code>${shortDigest(artifact.blake3)}</code>`,
  ]);
  const list =
    rows.length === 0
      ? html`<p class="muted">No raw artifact was kept.</p>`
      : table('Raw evidence', ['artifact', 'probe', 'kind', 'size', 'blake3'], rows);
  return card('evidence', 'Raw evidence', list);
}

function runCard(model: ReportModel): SafeHtml {
  const { gatheredAt, durationMs, runId, timings } = model.run;
  const longest = Math.max(1, ...timings.map((timing) => timing.ms));
  const lines = timings.map((timing) => {
    const kind = timing.cache === 'hit' || timing.cache === 'none' ? timing.cache : 'ran';
    return meter(
      html`${timing.probe}`,
      timing.ms / longest,
      html`${formatDuration(timing.ms)} <span class="muted">${timing.cache}</span>`,
      kind,
    );
  });
  const stamp = [
    gatheredAt === null ? nothing : html`<li class="chip">gathered at <time>${gatheredAt}</time></li>`,
    durationMs === null ? nothing : html`<li class="chip">in ${formatDuration(durationMs)}</li>`,
    runId === null ? nothing : html`<li class="chip">run <code>${runId}</code></li>`,
  ];
  return card(
    'run',
    'This run',
    html`<ul class="chips">${stamp}</ul><h3>Time per probe, and cache state</h3><ul class="meters timings">${lines}</ul>`,
  );
}
