/** The drill-down: each probe's data and evidence, the raw artifacts, and the times of this run. Only the last part is volatile. */

import type { ProbeCard } from '../build-probes.ts';
import { formatBytes, formatDuration, shortDigest } from '../render-values.ts';
import type { ReportModel } from '../report-model.ts';
import { bullets, card, codes, confidencePill, meter, statusPill, table } from './elements.ts';
import { html, nothing, type SafeHtml } from './safe-html.ts';

const layerNames: ReadonlyMap<string, string> = new Map([
  ['A', 'Repository map'],
  ['B', 'Semantic layer'],
  ['C', 'Container and runtime'],
  ['D', 'Organisation'],
  ['E', 'Across repositories'],
  ['F', 'Task-specific'],
  ['G', 'Scanners and hints'],
]);

export function sectionsCard(model: ReportModel): SafeHtml {
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
    probe.status === 'ok' ? nothing : statusPill(probe.status)
  }</summary><div>${probe.says === null ? nothing : html`<p>${probe.says}</p>`}<dl class="kv">${facts}</dl>${data}</div></details>\n`;
}

function inputs(probe: ProbeCard): SafeHtml | null {
  if (probe.inputs.files === null) return null;
  const digest =
    probe.inputs.digest === null ? nothing : html`, digest <code>${shortDigest(probe.inputs.digest)}</code>`;
  return html`<span class="num">${probe.inputs.files}</span> files${digest}`;
}

export function artifactsCard(model: ReportModel): SafeHtml {
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

export function runCard(model: ReportModel): SafeHtml {
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
