/**
 * An answer as a model reads it: lines, as on a terminal, with one next step. What a program reads is the same answer as one object
 * (`structured`), which is sent where the client asks for it: sent with every answer, many clients would show it to the model instead.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import { truncate } from '../../kernel/base/text.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';
import { answerBytes } from './answer-pages.ts';
import type { ToolAnswer } from './tool.ts';

/** `body`: what the answer says, in lines; without it they are made of its fields. */
export function sayAnswer(answer: ToolAnswer, body: string | undefined): string {
  const { next, continue: token, outcome } = answer;
  const lines = [
    ...(body ?? fieldLines(answer)).split('\n'),
    ...(isMissing(answer) && outcome === 'ok' ? [sayMissing(answer)] : []),
    `next: ${next}${typeof token === 'string' && !next.includes(token) ? ` continue: ${token}` : ''}`,
  ];
  return withinBudget(lines.filter((line) => line !== '').join('\n'), next);
}

/** Heads that are about the envelope and not about what was asked. */
const unsaid: ReadonlySet<string> = new Set([
  'repo',
  'freshness',
  'next',
  'continue',
  'truncated',
  'message',
  'gather_status',
]);

function fieldLines(answer: ToolAnswer): string {
  const { outcome, message, gather_status: gathered } = answer as Readonly<Record<string, unknown>>;
  const { outcome: _, ...others } = answer as Readonly<Record<string, unknown>>;
  const fields = Object.entries(others).filter(([name]) => !unsaid.has(name));
  const head = typeof outcome === 'string' ? (outcome === 'ok' ? [] : [outcome]) : sayFields('outcome', outcome, '');
  const first = typeof message === 'string' ? [[...head, message].join(': ')] : head;
  return [
    ...first,
    ...(typeof gathered === 'string' && gathered !== 'complete' ? [`gathered: ${gathered}`] : []),
    ...fields.flatMap(([name, value]) => sayFields(name, value, '')),
  ].join('\n');
}

/** One line a field, one a short item; what is nothing is not said. */
function sayFields(name: string, value: unknown, indent: string): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const short = value.every((item) => typeof item !== 'object' || item === null);
    if (short && visibleJson(value).length < 160) return [`${indent}${name}: ${value.map(scalar).join(', ')}`];
    return [`${indent}${name}:`, ...value.flatMap((item) => sayItem(item, `${indent}  `))];
  }
  if (!isJsonObject(value)) return [`${indent}${name}: ${scalar(value)}`];
  const fields = Object.entries(value).flatMap(([key, held]) => sayFields(key, held, `${indent}  `));
  return fields.length === 0 ? [] : [`${indent}${name}:`, ...fields];
}

function sayItem(item: unknown, indent: string): readonly string[] {
  if (!isJsonObject(item)) return [`${indent}- ${Array.isArray(item) ? visibleJson(item) : scalar(item)}`];
  const held = Object.entries(item).filter(([, value]) => value !== null && value !== '');
  const line = held.map(
    ([key, value]) => `${key} ${isJsonObject(value) || Array.isArray(value) ? visibleJson(value) : scalar(value)}`,
  );
  return [`${indent}- ${line.join(' · ')}`];
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : visibleJson(value);
}

function isMissing(answer: ToolAnswer): boolean {
  const { freshness } = answer as Readonly<Record<string, unknown>>;
  return isJsonObject(freshness) && isJsonObject(freshness['missing']);
}

function sayMissing(answer: ToolAnswer): string {
  const { freshness } = answer as { readonly freshness?: { readonly missing?: Readonly<Record<string, unknown>> } };
  const { files, about_s: seconds, under_way: isUnderWay } = freshness?.missing ?? {};
  return `missing: compiler facts of ${String(files)} files, about ${String(seconds)} s${isUnderWay === true ? ', being made' : ''}`;
}

/** The budget holds for text as for JSON, and what to do next is never cut. */
function withinBudget(text: string, next: string): string {
  if (Buffer.byteLength(text) <= answerBytes) return text;
  const tail = `\n…\nnext: ${truncate(next, 2_000)}`;
  const room = answerBytes - Buffer.byteLength(tail);
  const cut = Buffer.from(text).subarray(0, Math.max(0, room)).toString('utf8');
  const end = cut.lastIndexOf('\n');
  return `${end > 0 ? cut.slice(0, end) : cut.replace(/\uFFFD+$/, '')}${tail}`;
}
