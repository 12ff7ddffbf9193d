/**
 * The shadow proof of a plan that is being made (mutation.md §3.1), of exactly the main group (M30). Where every question can be answered
 * by leaving things alone, the main group alone is a whole selection. If that one does not hold, answering every question with `rename` is
 * tried, so that the decider knows what the compiler says to both. Where a question must be answered with edits there is nothing
 * whole to prove yet: the selection is proved when it is committed.
 */

import type { Question } from '../../index/navigate/question.ts';
import { plural } from '../../kernel/base/text.ts';
import type { Answer, WitnessFact } from '../answer.ts';
import type { CompilerEdit, CompilerJob, ItemDraft, ProofQuestion, ProofReport } from '../compiler/session/messages.ts';
import { placeOf, refusedAnswer } from '../plans/answers.ts';
import type { Findings } from '../refactoring.ts';
import { itemKinds, type Provenance } from '../vocabulary.ts';

type Proved = { readonly kind: 'answer'; readonly answer: Answer } | Judged;

export type Judged = {
  readonly kind: 'judged';
  readonly provenance: Provenance;
  readonly items: readonly ItemDraft[];
  readonly notes: readonly string[];
};

type Draft = { readonly edits: readonly CompilerEdit[]; readonly items: readonly ItemDraft[] };
type Disproved = Extract<ProofReport, { kind: 'disproved' }>;

/** Beyond this many, what could not be compared is one question. */
const askedGaps = 20;

export async function proveDraft(
  world: { readonly onProgress: (says: string) => void },
  question: Question,
  found: Findings,
  { edits, items }: Draft,
): Promise<Proved> {
  const { job, isomorphism, provenance } = found;
  const judged = (notes: readonly string[], asked: readonly ItemDraft[] = [], as: Provenance = provenance): Proved => ({
    kind: 'judged',
    provenance: as,
    items: asked,
    notes,
  });
  if (job === null || isomorphism === null || !items.every(isLeavable)) return judged([]);
  world.onProgress('proving that every name keeps its meaning');
  const ask = proofQuestion(isomorphism, edits, found.moves);
  const report = await job.ask(ask);
  switch (report.kind) {
    case 'proven':
      return judged([proofNote(report)], [], 'proven');
    case 'disproved':
      // Going on and stopping are the only answers, and neither mends it.
      if (items.every(({ kind, options = itemKinds[kind] }) => options.every((one) => /^(?:accept|stop)$/.test(one))))
        return { kind: 'answer', answer: refuse(report, question) };
      return judged(await tryRenaming(job, ask, items, report));
    case 'gaps':
      return judged(
        [],
        asGaps(report) ?? asUnproved(edits, `${report.places.length + report.more} names could not be compared`),
      );
    default:
      return judged([], asUnproved(edits, report.detail));
  }
}

/** Whether a proof is expected or asked for, the question is the same. */
export function proofQuestion(
  isomorphism: NonNullable<Findings['isomorphism']>,
  edits: readonly CompilerEdit[],
  moves: Findings['moves'],
): ProofQuestion {
  return { kind: 'prove', ...isomorphism, edits, moves };
}

/** Editing nothing is one of the answers. */
function isLeavable({ kind, options = itemKinds[kind], edits }: ItemDraft): boolean {
  return options.some((option) => option !== 'stop' && (edits[option] ?? []).length === 0);
}

async function tryRenaming(
  job: CompilerJob,
  ask: ProofQuestion,
  items: readonly ItemDraft[],
  leaving: Disproved,
): Promise<readonly string[]> {
  const refused = `if every question is answered without an edit, ${saysOf(leaving)}`;
  // E7: several questions may be about the same place.
  const keyOf = ({ path, start, newText }: CompilerEdit) => JSON.stringify([path, start, newText]);
  const more = new Map(items.flatMap(({ edits }) => edits['rename'] ?? []).map((edit) => [keyOf(edit), edit]));
  if (more.size === 0) return [refused];
  const report = await job.ask({ ...ask, edits: [...ask.edits, ...more.values()] });
  if (report.kind !== 'proven') return [refused];
  return [refused, `if every question is answered with \`rename\`, the whole is ${proofNote(report)}`];
}

function refuse(report: Disproved, question: Question): Answer {
  const { reason, places, more } = report;
  const evidence = places.map(
    ({ at, before, after }): WitnessFact => ({
      type: 'diagnostic',
      at: placeOf(question, at),
      text: `before: ${before}; after: ${after}`,
      provenance: 'proven',
    }),
  );
  const count = more === 0 ? '' : ` (${plural(places.length + more, 'place')})`;
  return refusedAnswer(reason, `${saysOf(report)}${count}`, { evidence });
}

function saysOf({ reason, places: [first] }: Disproved): string {
  const what =
    reason === 'bindings_change'
      ? 'a name would come to mean something else'
      : 'the compiler would report other errors than before';
  if (first === undefined) return what;
  return `${what}, first in ${first.at.path}: ${first.after === '' || first.after === 'none' ? first.before : first.after}`;
}

/** M18: what the compiler failed on never counts as equal; it is a question. */
function asGaps({ places, more }: Extract<ProofReport, { kind: 'gaps' }>): readonly ItemDraft[] | undefined {
  if (places.length + more > askedGaps) return undefined;
  return places.map(({ at, before, after }) => ({
    ...at,
    kind: 'indexer_gap',
    detail: `the compiler could not say what it means (before: ${before}; after: ${after})`,
    edits: {},
    options: ['leave', 'stop'],
  }));
}

function asUnproved([first]: readonly CompilerEdit[], detail: string): readonly ItemDraft[] {
  if (first === undefined) return [];
  const { path, start, end } = first;
  return [{ path, start, end, kind: 'proof_unavailable', detail, edits: {} }];
}

/** Errors of the files that were looked at: where a name is argued about, not all of them are. */
function proofNote({ tokens, files, diagnostics }: Extract<ProofReport, { kind: 'proven' }>): string {
  const stay = diagnostics === 1 ? '1 that was there stays' : `${diagnostics} that were there stay`;
  const errors = `no error comes or goes${diagnostics === 0 ? '' : ` (${stay})`}`;
  const keep = tokens === 1 ? 'keeps its' : 'keep their';
  return `proven: ${plural(tokens, 'name')} in ${plural(files, 'file')} ${keep} meaning, and ${errors}`;
}
