/** Indexes, probes that are not ok, and risk flags: everything that says how far to trust the rest. Stale indexes come first. */

import type { IndexRow, TroubledProbe } from '../build-confidence.ts';
import type { ReportModel } from '../report-model.ts';
import { bullets, card, codes, statusPill } from './elements.ts';
import { html, nothing, type SafeHtml } from './safe-html.ts';

export function confidenceCard(model: ReportModel): SafeHtml {
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
  return card('confidence', 'Confidence', html`${now}${stored}${troubled}${quiet}`);
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

export function riskCard(model: ReportModel): SafeHtml {
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
