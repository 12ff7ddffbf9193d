/** The small pieces that several parts of the page share. */

import type { Confidence } from '../../contract.ts';
import type { Part } from '../build-organisation.ts';
import { html, nothing, type SafeHtml } from './safe-html.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

const tones: Readonly<Record<Confidence, Tone>> = { high: 'good', medium: 'warn', low: 'bad' };

export function toneOf(confidence: Confidence | null): Tone {
  return confidence === null ? 'calm' : tones[confidence];
}

/** Three bars beside the word: the shape says it too, not the colour alone. */
export function confidencePill(confidence: Confidence | null): SafeHtml {
  return html`<span class="pill ${toneOf(confidence)}">${bars(confidence)}${confidence ?? 'no confidence'}</span>`;
}

export function bars(confidence: Confidence | null): SafeHtml {
  return html`<span class="bars ${confidence ?? 'none'}" aria-hidden="true"><i></i><i></i><i></i></span>`;
}

export function statusPill(status: string): SafeHtml {
  const tone: Tone = status === 'ok' ? 'good' : status === 'skipped' ? 'calm' : status === 'degraded' ? 'warn' : 'bad';
  return html`<span class="pill ${tone}">${status.replaceAll('_', ' ')}</span>`;
}

export function card(id: string, title: string, body: SafeHtml): SafeHtml {
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>\n`;
}

export function codes(items: readonly string[]): SafeHtml {
  return html`${items.map((item, position) => html`${position === 0 ? '' : ' '}<code>${item}</code>`)}`;
}

export function bullets(items: readonly string[]): SafeHtml {
  return items.length === 0 ? nothing : html`<ul>${items.map((item) => html`<li><code>${item}</code></li>`)}</ul>`;
}

/** The region scrolls sideways on a narrow screen, so it can be reached by keyboard and has a name. */
export function table(label: string, heads: readonly string[], rows: readonly (readonly SafeHtml[])[]): SafeHtml {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

export function meter(name: SafeHtml, share: number, value: SafeHtml, kind = ''): SafeHtml {
  const width = (Math.min(1, Math.max(0, share)) * 100).toFixed(1);
  return html`<li class="meter"><span class="name">${name}</span><span class="track" aria-hidden="true"><i class="${kind}" style="width:${width}%"></i></span><span class="num">${value}</span></li>`;
}

export function part<T>(content: Part<T>, none: string, render: (items: readonly T[]) => SafeHtml): SafeHtml {
  if (content.because !== null) return html`<p class="muted">Nothing gathered: ${content.because}.</p>`;
  return content.items.length === 0 ? html`<p class="muted">${none}</p>` : render(content.items);
}
