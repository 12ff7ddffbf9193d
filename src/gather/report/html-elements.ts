/**
 * The only way to make HTML here, and the pieces that several parts of the page share. A template escapes what is put into it unless that
 * came out of a template, so text from a repository cannot become markup by being forgotten. Attributes in templates are always quoted.
 */

import { assert } from '../../kernel/base/assert.ts';
import { stripControls } from '../../kernel/base/text.ts';
import type { Confidence } from '../contract.ts';
import type { Part } from './build-organisation.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

const tones: Readonly<Record<Confidence, Tone>> = { high: 'good', medium: 'warn', low: 'bad' };

function toneOf(confidence: Confidence | null): Tone {
  return confidence === null ? 'calm' : tones[confidence];
}

/** Three bars beside the word: the shape says it too, not the colour alone. */
export function confidencePill(confidence: Confidence | null): SafeHtml {
  return html`<span class="pill ${toneOf(confidence)}">${bars(confidence)}${confidence ?? 'no confidence'}</span>`;
}

function bars(confidence: Confidence | null): SafeHtml {
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
  if (content.because !== null) return html`<p class="muted">Not known: ${content.because}.</p>`;
  return content.items.length === 0 ? html`<p class="muted">${none}</p>` : render(content.items);
}

const mark: unique symbol = Symbol('safe html');
export type SafeHtml = { readonly [mark]: true; readonly text: string };
type Insert = SafeHtml | readonly SafeHtml[] | string | number | null | false;

export function html(template: TemplateStringsArray, ...inserts: readonly Insert[]): SafeHtml {
  let text = template[0] ?? '';
  inserts.forEach((insert, position) => {
    text += render(insert) + (template[position + 1] ?? '');
  });
  return { [mark]: true, text };
}

export const nothing: SafeHtml = html``;

export function escapeHtml(text: string): string {
  return stripControls(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function render(insert: Insert): string {
  if (insert === null || insert === false) return '';
  if (typeof insert === 'string') return escapeHtml(insert);
  if (typeof insert === 'number') return String(insert);
  if (Array.isArray(insert)) return insert.map(render).join('');
  assert(Object.hasOwn(insert, mark), 'only a template makes safe html');
  return (insert as SafeHtml).text;
}
