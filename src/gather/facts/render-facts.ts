/** Facts for people: one line each, in columns; with the meaning and the lines of evidence where they were asked for. */

import type { Json } from '../../kernel/base/json.ts';
import { shown, truncate } from '../../kernel/base/text.ts';
import type { ToldFact } from './answer-facts.ts';

const minimumValueWidth = 24;

export function renderFacts(facts: readonly ToldFact[], width: number): string {
  if (facts.length === 0) return 'no such fact was stated';
  if (facts.some((fact) => fact.lines !== undefined)) return facts.map(renderExplained).join('\n\n');
  const rows = facts.map((fact) => [fact.id, shown(fact.scope, 48), sureness(fact), shown(fact.evidence[0] ?? '', 48)]);
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const taken = widths.reduce((sum, one) => sum + one + 2, 0);
  const room = Math.max(minimumValueWidth, width - taken);
  return facts
    .map((fact, index) => {
      const [id = '', scope = '', sure = '', evidence = ''] = rows[index] ?? [];
      const value = truncate(valueWords(fact), room);
      const cells = [
        id.padEnd(widths[0] ?? 0),
        scope.padEnd(widths[1] ?? 0),
        value.padEnd(room),
        sure.padEnd(widths[2] ?? 0),
      ];
      return [...cells, evidence].join('  ').trimEnd();
    })
    .join('\n');
}

/** Without a question: what is known of the repository itself; of an id that only parts have, the first of them. */
export function shortList(facts: readonly ToldFact[]): { readonly facts: readonly ToldFact[]; readonly more: number } {
  const whole = new Set(facts.filter(({ scope }) => isWhole(scope)).map(({ id }) => id));
  const told = new Map<string, number>();
  const short = facts.filter(({ id, scope, state }) => {
    if (whole.has(id)) return isWhole(scope);
    if (state !== 'known') return false;
    told.set(id, (told.get(id) ?? 0) + 1);
    return (told.get(id) ?? 0) <= partsTold;
  });
  return { facts: short, more: facts.length - short.length };
}

const partsTold = 3;

/** `.`, or a word that the id declares: `http`, `members`. */
function isWhole(scope: string): boolean {
  return scope === '.' || !/[./#]/.test(scope);
}

function renderExplained(fact: ToldFact): string {
  const { id, scope, says = '', how, lines = [] } = fact;
  return [
    `${id} · ${shown(scope)}: ${shown(valueWords(fact), 2_000)}`,
    `  means     ${says}`,
    `  sure      ${sureness(fact)}`,
    `  because   ${shown(how)}`,
    ...lines.map(({ at, text }) => `  evidence  ${shown(at)}  ${text}`),
  ].join('\n');
}

function sureness({ state, confidence }: ToldFact): string {
  return confidence ?? state.replaceAll('_', ' ');
}

export function valueWords({ state, value, how }: Pick<ToldFact, 'state' | 'value' | 'how'>): string {
  if (state === 'none') return 'none';
  if (state !== 'known') return `(${shown(how, 120)})`;
  return words(value);
}

function hasLists(value: Json): boolean {
  return Object.values(value as Readonly<Record<string, Json>>).some(
    (held) => Array.isArray(held) && (held.length > 1 || typeof held[0] === 'object'),
  );
}

function words(value: Json): string {
  if (value === null) return 'none';
  // Of things that have several words each, where one ends must be seen.
  const isNested = (item: Json) => typeof item === 'object' && item !== null;
  if (Array.isArray(value))
    return value.map((item: Json) => (isNested(item) ? `{${words(item)}}` : words(item))).join(', ');
  if (value === '') return '""';
  if (typeof value !== 'object') return shown(String(value), 2_000);
  const { cmd, cwd } = value as { readonly cmd?: Json; readonly cwd?: Json };
  if (typeof cmd === 'string') return `${shown(cmd)}${cwd === '.' || cwd === undefined ? '' : ` (in ${words(cwd)})`}`;
  return Object.entries(value)
    .map(([key, held]) => `${key} ${words(held as Json)}`)
    .join(hasLists(value) ? '; ' : ', ');
}
