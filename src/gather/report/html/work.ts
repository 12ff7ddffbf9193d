/** What a change would touch and how to check it: blast radius, validation plan, and what people wrote down about the repository. */

import type { ConventionRow } from '../build-organisation.ts';
import type { ReportModel } from '../report-model.ts';
import { card, codes, meter, part, type Tone, table } from './elements.ts';
import { html, nothing, type SafeHtml } from './safe-html.ts';

export function blastCard(model: ReportModel): SafeHtml {
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
      html`<h3>Workspace dependents</h3>${rows.length === 0 ? empty('No module of the workspace depends on another.') : table('Workspace dependents', ['module', 'dependents', 'which'], rows)}`,
    );
  }
  if (files !== null) {
    const bars = files.map((file) => meter(html`<code>${file.name}</code>`, file.count / most, html`${file.count}`));
    parts.push(
      html`<h3>Files that most others import</h3>${bars.length === 0 ? empty('No file is imported by another.') : html`<ul class="meters">${bars}</ul>`}`,
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
      html`<h3>Public surface</h3><p>${surface.length === 0 ? 'No contract found.' : surface.join(' · ')}</p>`,
    );
  if (missing.length > 0)
    parts.push(
      html`<p class="muted">Not known: ${missing.map((gap) => `${gap.part} (${gap.because})`).join(', ')}.</p>`,
    );
  return card('blast', 'Blast radius', html`${parts}`);
}

export function planCard(model: ReportModel): SafeHtml {
  const steps = model.plan.map(
    (step) =>
      html`<li><b>${step.step}</b><span>${step.command === null ? html`<span class="muted">none</span>` : html`<code>${step.command}</code>`}</span><small>${step.source}</small></li>`,
  );
  return card('plan', 'Validation plan', html`<ol class="plan">${steps}</ol>`);
}

export function skillsCard(model: ReportModel): SafeHtml {
  const { shadowed, lacking, instructions } = model.skills;
  const list = part(model.skills, 'No skill is installed.', (items) =>
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
  return card('skills', 'Available skills', html`${list}${lacks}${shadows}${files}`);
}

export function adrsCard(model: ReportModel): SafeHtml {
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

export function conventionsCard(model: ReportModel): SafeHtml {
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

export function exceptionsCard(model: ReportModel): SafeHtml {
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

export function missingCard(model: ReportModel): SafeHtml {
  const [open, inert] = [model.missing.filter((gap) => gap.actionable), model.missing.filter((gap) => !gap.actionable)];
  const rows = open.map((gap) => [
    html`<code>${gap.probe}</code>`,
    html`${gap.says}`,
    html`${gap.reason}${gap.detail === null ? nothing : html`<br><span class="muted">${gap.detail}</span>`}`,
    html`${gap.enable}`,
  ]);
  const todo =
    rows.length === 0
      ? html`<p>Every probe that has something to look at here delivered.</p>`
      : table('What is missing', ['probe', 'would say', 'reason', 'how to enable it'], rows);
  const rest =
    inert.length === 0
      ? nothing
      : html`<details class="more"><summary>${inert.length} have nothing to look at in this repository</summary><p>${codes(inert.map((gap) => gap.probe))}</p></details>`;
  return card('missing', 'What is missing', html`${todo}${rest}`);
}

function empty(says: string): SafeHtml {
  return html`<p class="muted">${says}</p>`;
}
