/** `force_syntactic` (mutation.md §10): what scope binds in one file as one group, every other place of the name to be chosen by itself. */

import { findOneSubject } from '../../index/state/target/find-subjects.ts';
import { isNotAnswered } from '../../index/state/target/not-answered.ts';
import { plural } from '../../kernel/base/words.ts';
import { type ForcedEdit, planForced } from '../lexical/plan-forced.ts';
import { notFound, placeOf, refusedBy } from '../outcomes.ts';
import { refusedAnswer } from '../plans/answers.ts';
import type { FoundOrNot, LookingWorld } from '../refactoring.ts';
import { checkSymbolName } from './check-symbol-name.ts';
import type { RenameTarget } from './find-rename-target.ts';
import type { RenameInput } from './request.ts';

export async function findForced(world: LookingWorld, target: RenameTarget, input: RenameInput): Promise<FoundOrNot> {
  const { question } = world;
  const found = target.subject === null ? await findOneSubject(question, input) : target;
  if (isNotAnswered(found)) return { kind: 'answer', answer: notFound(found) };
  const { subject } = found;
  if (subject === null) throw new Error('a target that was found has a subject');
  const startedMs = world.nowMs();
  const forced = await planForced({ question, subject, newName: input.new_name });
  if (forced.kind === 'refused') return { kind: 'answer', answer: refusedBy(forced, question) };
  const { name, namePath, kind, definedAt } = forced.symbol;
  const problem = checkSymbolName(question, target.language, forced.symbol, input.new_name);
  if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
  const isMention = ({ reasons }: ForcedEdit) => reasons.includes('string') || reasons.includes('comment');
  // What scope confines to a file cannot be reached by text: mentions of it are counted, not asked about.
  const isConfined = forced.edits.length > 0;
  const risky = isConfined ? forced.risky.filter((one) => !isMention(one)) : forced.risky;
  const mentions = forced.risky.length - risky.length;
  return {
    kind: 'findings',
    symbol: { key: `${definedAt.path}#${namePath}`, name, namePath, kind, definedAt: placeOf(question, definedAt) },
    newName: input.new_name,
    title: `rename ${kind} \`${name}\` to \`${input.new_name}\``,
    edits: forced.edits,
    items: [],
    risky: risky.map(({ tier, risk, reasons, checklist: _, ...edit }) => ({ edit, tier, risk, reasons })),
    moves: [],
    clashes: forced.clashes,
    texts: forced.texts,
    contextKeys: [],
    census: {
      planned: forced.edits.length,
      other_symbol: 0,
      string: forced.risky.filter(({ reasons }) => reasons.includes('string')).length,
      comment: forced.risky.filter(({ reasons }) => reasons.includes('comment')).length,
      unaccounted: forced.risky.filter(({ reasons }) => !reasons.includes('string') && !reasons.includes('comment'))
        .length,
    },
    notes: [
      ...(forced.truncated ? ['there are more places of this name than are listed'] : []),
      ...(mentions === 0 ? [] : [`${plural(mentions, 'mention')} in strings and comments stay as they are`]),
    ],
    bounds: {
      files_scanned: Object.keys(forced.texts).length,
      files_not_scanned: [],
      contexts: [],
      budget_ms: 2_000,
      spent_ms: Math.round(world.nowMs() - startedMs),
      truncated: forced.truncated,
    },
    isomorphism: null,
    provenance: 'syntactic',
    job: null,
  };
}
