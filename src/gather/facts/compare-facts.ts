/**
 * What differs between the facts of two contexts, such as those of two commits. Promise: what the second context could not see is not told
 * as gone, nor what the first could not see as new.
 */

import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { quotedPath, shown } from '../../kernel/base/text.ts';
import type { Fact } from './fact.ts';
import { valueWords } from './render-facts.ts';

/** `unseen`: one of the two did not look, or could not tell. */
const kinds = ['changed', 'added', 'gone', 'unseen'] as const;
type Kind = (typeof kinds)[number];

/** Of one fact by id and scope, as each context tells it; null where it does not. */
type FactChange = {
  readonly kind: Kind;
  readonly id: string;
  readonly scope: string;
  readonly before: Fact | null;
  readonly after: Fact | null;
};

export type FactComparison = { readonly changes: readonly FactChange[]; readonly same: number };

export function compareFacts(before: readonly Fact[], after: readonly Fact[]): FactComparison {
  const old = new Map(before.map((fact) => [keyOf(fact), fact]));
  const now = new Map(after.map((fact) => [keyOf(fact), fact]));
  const sees = [whatIsSeen(before), whatIsSeen(after)] as const;
  const changes: FactChange[] = [];
  let same = 0;
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort(compareCodeUnits)) {
    const one = old.get(key);
    const other = now.get(key);
    const { id, scope } = (one ?? other) as Fact;
    if (one !== undefined && other !== undefined && says(one) === says(other)) {
      same += 1;
      continue;
    }
    // A scope that one of the two alone names, and of which it knows nothing, is no difference.
    if ((one ?? other)?.state !== 'known' && (one === undefined || other === undefined)) continue;
    const kind = kindOf([one?.state ?? sees[0](id), other?.state ?? sees[1](id)]);
    if (kind !== undefined) changes.push({ kind, id, scope, before: one ?? null, after: other ?? null });
  }
  return { changes, same };
}

type Seen = Fact['state'];

function kindOf([before, after]: readonly [Seen, Seen]): Kind | undefined {
  const isDark = (state: Seen) => state === 'unknown' || state === 'not_looked';
  if (before === 'known' && after === 'known') return 'changed';
  if (isDark(before) || isDark(after)) return isDark(before) && isDark(after) ? undefined : 'unseen';
  if (before === after) return undefined;
  return after === 'known' ? 'added' : 'gone';
}

/** Of a scope that is not told: did the context look for this id at all? */
function whatIsSeen(facts: readonly Fact[]): (id: string) => Seen {
  const told = new Set(facts.map(({ id }) => id));
  const dark = new Set(facts.flatMap(({ id, scope, state }) => (scope === '.' && state === 'not_looked' ? [id] : [])));
  return (id) => (dark.has(id) || !told.has(id) ? 'not_looked' : 'none');
}

const keyOf = ({ id, scope }: Fact): string => `${id}\0${scope}`;
const says = ({ state, value }: Fact): string => canonicalJson([state, value] as unknown as Json);

const titles: Readonly<Record<Kind, string>> = {
  changed: 'changed',
  added: 'new',
  gone: 'gone',
  unseen: 'seen in one of the two alone',
};

/** For a terminal, and as Markdown for a comment on a change. */
export function renderComparison({ changes, same }: FactComparison, as: 'text' | 'markdown'): string {
  if (changes.length === 0) return `no fact differs (${same} are the same)`;
  const quote = (text: string) => (as === 'text' ? text : `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``);
  const blocks = kinds.flatMap((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    if (of.length === 0) return [];
    const lines = of.map(({ id, scope, before, after }) => {
      const what = `${quote(id)}${scope === '.' ? '' : ` of ${quote(quotedPath(scope))}`}`;
      const values = [before, after].map((fact) => quote(fact === null ? '–' : shown(valueWords(fact), 300)));
      return as === 'text' ? `  ${what}: ${values.join(' → ')}` : `| ${what} | ${values.join(' | ')} |`;
    });
    const head =
      as === 'text' ? [titles[kind]] : [`**${titles[kind]}**`, '', '| fact | before | after |', '|---|---|---|'];
    return [[...head, ...lines].join('\n')];
  });
  return `${blocks.join('\n\n')}\n\n${same} facts are the same`;
}
