/**
 * `CONTEXT_REPORT.html`: the same content as one self-contained page. It loads nothing and runs nothing (its policy forbids both),
 * follows the reader's light or dark setting, and reads well by keyboard, screen reader, on a phone and on paper.
 */

import { artifactsCard, runCard, sectionsCard } from './html/evidence.ts';
import { masthead, summaryCard } from './html/overview.ts';
import { html, nothing, type SafeHtml } from './html/safe-html.ts';
import { stylesheet } from './html/style.ts';
import { confidenceCard, riskCard } from './html/trust.ts';
import {
  adrsCard,
  blastCard,
  conventionsCard,
  exceptionsCard,
  missingCard,
  planCard,
  skillsCard,
} from './html/work.ts';
import type { ReportModel } from './report-model.ts';

export const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";

export function renderHtml(model: ReportModel): string {
  const body = html`<body><a class="skip" href="#main">Skip to the report</a><div class="page">${masthead(model)}<div class="layout">${contents(model)}<main id="main">
${summaryCard(model)}${confidenceCard(model)}${riskCard(model)}${blastCard(model)}${planCard(model)}${skillsCard(model)}${adrsCard(model)}${conventionsCard(model)}${exceptionsCard(model)}${missingCard(model)}${sectionsCard(model)}${artifactsCard(model)}${runCard(model)}</main></div>
<footer>codegenie ${model.cliVersion} · where a value comes from: <code>codegenie report --explain &lt;field.path&gt;</code></footer></div></body>`;
  const head = html`<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${model.repo.id} · context report</title>`;
  return `<!doctype html>\n<html lang="en">${head.text}<style>${stylesheet}</style></head>\n${body.text}</html>\n`;
}

/** The contents, with the numbers that deserve a look beside them. */
function contents(model: ReportModel): SafeHtml {
  const stale = model.indexes.filter((row) => !row.fresh).length;
  const broken = model.conventions.items.filter((rule) => rule.mark === '✗').length;
  const expired = model.exceptions.items.filter((row) => row.state === 'expired').length;
  const entries: readonly (readonly [string, string, number, 'bad' | 'warn' | 'calm'])[] = [
    ['summary', 'Summary', 0, 'calm'],
    ['confidence', 'Confidence', stale, 'warn'],
    [
      'risks',
      'Risk flags',
      model.risks.raised.length,
      model.risks.raised.some((risk) => risk.severity === 'high') ? 'bad' : 'warn',
    ],
    ['blast', 'Blast radius', 0, 'calm'],
    ['plan', 'Validation plan', 0, 'calm'],
    ['skills', 'Available skills', 0, 'calm'],
    ['adrs', 'ADRs', 0, 'calm'],
    ['conventions', 'Conventions', broken, 'bad'],
    ['exceptions', 'Exceptions', expired, 'warn'],
    ['missing', 'What is missing', model.missing.filter((gap) => gap.actionable).length, 'calm'],
    ['sections', 'Every section', 0, 'calm'],
    ['evidence', 'Raw evidence', 0, 'calm'],
    ['run', 'This run', 0, 'calm'],
  ];
  const links = entries.map(
    ([id, title, count, tone]) =>
      html`<li><a href="#${id}">${title}${count === 0 ? nothing : html` <span class="n ${tone}">${count}</span>`}</a></li>`,
  );
  return html`<nav class="toc" aria-label="Contents"><ol>${links}</ol></nav>`;
}
