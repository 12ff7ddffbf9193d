/** The top of the page: which repository, how far to trust this, what it is, which languages. */

import { counted, formatShare, shortDigest } from '../render-values.ts';
import type { ReportModel } from '../report-model.ts';
import { bars, card, codes, statusPill, toneOf } from './elements.ts';
import { fills } from './palette.ts';
import { html, nothing, type SafeHtml } from './safe-html.ts';

export function masthead(model: ReportModel): SafeHtml {
  const { repo, overall, status } = model;
  const dirt = repo.dirtyFiles === null ? 'uncommitted changes' : `${counted(repo.dirtyFiles, 'uncommitted file')}`;
  const why =
    overall.because.length > 0
      ? overall.because.join('; ')
      : 'every index in use is fresh and every required probe is sure';
  return html`<header class="masthead"><div><span class="eyebrow">codegenie · context report</span><h1>${repo.id}</h1><ul class="chips" aria-label="State of the repository">
<li class="chip ${status === 'complete' ? 'good' : 'warn'}">gather ${status}</li>
<li class="chip">${repo.commit === null ? 'no commit' : html`commit <code>${shortDigest(repo.commit)}</code>`}</li>
${repo.branch === null ? nothing : html`<li class="chip">branch <code>${repo.branch}</code></li>`}
${repo.dirty === null ? nothing : repo.dirty ? html`<li class="chip warn">${dirt}</li>` : html`<li class="chip">clean work tree</li>`}
${model.sandbox === null ? nothing : html`<li class="chip ${model.sandbox === 'none' ? 'bad' : ''}">sandbox ${model.sandbox}</li>`}
</ul></div><div class="verdict ${toneOf(overall.confidence)}">${bars(overall.confidence)}<div><strong>${overall.confidence} confidence</strong><p>${why}</p></div></div></header>\n`;
}

export function summaryCard(model: ReportModel): SafeHtml {
  const facts = model.facts.map((fact) => {
    const absent = html`<span class="muted">${fact.note ?? 'not known'}</span>`;
    return html`<div><dt>${fact.label}</dt><dd>${fact.value ?? absent}</dd></div>`;
  });
  const tally = model.tally.map(
    ({ status, count }) => html`<li>${statusPill(status)} <span class="num">${count}</span></li>`,
  );
  return card(
    'summary',
    'Summary',
    html`${notes(model)}<dl class="facts">${facts}</dl>${languageBar(model)}<h3>Probes</h3><ul class="legend">${tally}</ul>`,
  );
}

function notes(model: ReportModel): SafeHtml {
  const { overall, redaction } = model;
  const floor = html`<p class="note bad"><strong>Below the floor of this task</strong> (${overall.floor}): do not act on this context alone.</p>`;
  const secrets = html`<p class="note warn">${redaction.count} secret-shaped values were replaced before anything was written. Fingerprints: ${codes(redaction.fingerprints)}</p>`;
  const warnings = model.warnings.map(
    (warning) => html`<p class="note warn"><code>${warning.id}</code> ${warning.detail}</p>`,
  );
  return html`${overall.belowFloor ? floor : nothing}${redaction.count > 0 ? secrets : nothing}${warnings}`;
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
      html`<li><i class="fill${position}" aria-hidden="true"></i>${name} <span class="muted num">${formatShare(files, total)} · ${counted(files, 'file')}</span></li>`,
  )}</ul>`;
}
