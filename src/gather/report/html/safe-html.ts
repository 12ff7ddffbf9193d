/**
 * The only way to make HTML here. Whatever is put into a template is escaped unless it came out of one, so that text from a
 * repository cannot become markup by being forgotten. Attributes in templates are always quoted.
 */

import { assert } from '../../../kernel/base/assert.ts';
import { stripControls } from '../../../kernel/base/text.ts';

const mark: unique symbol = Symbol('safe html');
export type SafeHtml = { readonly [mark]: true; readonly text: string };
export type Insert = SafeHtml | readonly SafeHtml[] | string | number | null | false;

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
