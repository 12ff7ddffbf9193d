/**
 * A rename in a language whose compiler is not asked (Python, Go, and whatever has a scope model for what stays in one file): facts of
 * the index, gated by their freshness, with the three proofs of mutation.md §3.2. Never `proven` (M17).
 */

import { planByIndex } from '../lexical/plan-by-index.ts';
import type { IndexFindings } from '../lexical/types.ts';
import { placeOf, refusedBy } from '../outcomes.ts';
import { blockedAnswer, refusedAnswer, unsupportedAnswer } from '../plans/answers.ts';
import type { FoundOrNot, LookingWorld } from '../refactoring.ts';
import { checkSymbolName } from './check-symbol-name.ts';
import type { RenameTarget } from './find-rename-target.ts';
import type { RenameInput } from './request.ts';

export async function findByIndex(world: LookingWorld, target: RenameTarget, input: RenameInput): Promise<FoundOrNot> {
  const { question } = world;
  const { subject } = target;
  if (subject === null) throw new Error('a target of another language than TypeScript has a subject');
  const startedMs = world.nowMs();
  const found = await planByIndex({ question, subject, newName: input.new_name, aliasPolicy: input.alias_policy });
  switch (found.kind) {
    case 'refused':
      return { kind: 'answer', answer: refusedBy(found, question) };
    case 'unsupported':
      return { kind: 'answer', answer: unsupportedAnswer(found.reason, found.detail, { can_force_syntactic: true }) };
    case 'blocked':
      if (found.reason === 'not_fresh') return { kind: 'not_fresh', detail: found.detail, files: found.files };
      return { kind: 'answer', answer: blockedAnswer('truncated', found.detail, { can_force_syntactic: true }) };
    default:
      return settle(world, target.language, found, input, world.nowMs() - startedMs);
  }
}

function settle(
  world: LookingWorld,
  language: string,
  found: IndexFindings,
  input: RenameInput,
  spentMs: number,
): FoundOrNot {
  const { question } = world;
  if (found.proofs.parse === 'breaks' || found.proofs.scope === 'breaks') {
    const reason = found.proofs.parse === 'breaks' ? 'parse_breaks' : 'bindings_change';
    const [first] = found.proofs.places;
    return {
      kind: 'answer',
      answer: refusedAnswer(reason, first?.says ?? 'the edited files would not mean what they mean now'),
    };
  }
  const { name, namePath, kind, definedAt } = found.symbol;
  const problem = checkSymbolName(question, language, found.symbol, input.new_name);
  if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
  return {
    kind: 'findings',
    symbol: { key: `${definedAt.path}#${namePath}`, name, namePath, kind, definedAt: placeOf(question, definedAt) },
    newName: input.new_name,
    title: `rename ${kind} \`${name}\` to \`${input.new_name}\``,
    edits: found.edits,
    items: found.items,
    moves: [],
    clashes: found.clashes,
    texts: found.texts,
    contextKeys: found.contexts,
    census: found.counts,
    notes: found.notes,
    bounds: {
      files_scanned: new Set(found.accounts.map(({ path }) => path)).size,
      files_not_scanned: [],
      contexts: found.contexts.slice(0, 20),
      budget_ms: 2_000,
      spent_ms: Math.round(spentMs),
      truncated: false,
    },
    isomorphism: null,
    provenance: found.provenance,
    risky: [],
    job: null,
  };
}
