import { expect, test } from 'vitest';
import type { CompilerEdit, ItemDraft, ProofPlace, ProofQuestion, ProofReport } from './compiler/session/messages.ts';
import { proveDraft } from './plan-change.ts';
import type { Findings } from './refactoring.ts';

const edit: CompilerEdit = { path: 'a.ts', start: 0, end: 1, oldText: 'a', newText: 'b', form: 'plain' };
const places = Array.from({ length: 20 }, (_, at): ProofPlace => {
  return { at: { path: 'a.ts', start: at, end: at + 1 }, before: 'x', after: 'panic' };
});

/** What becomes of a draft whose proof ends like this; nothing else of the findings is looked at. */
async function judge(report: ProofReport, items: readonly ItemDraft[] = [], asked: ProofQuestion[] = []) {
  const ask = async (question: ProofQuestion) => {
    asked.push(question);
    return report;
  };
  const found = { job: { ask }, isomorphism: {}, provenance: 'resolved', moves: [] };
  const world = { onProgress: () => {} };
  return proveDraft(world, {} as never, found as unknown as Findings, { edits: [edit], items });
}

test('M18 what could not be compared is asked about one by one, and beyond twenty the proof is unavailable', async () => {
  const few = await judge({ kind: 'gaps', places, more: 0 });
  expect(few).toMatchObject({ kind: 'judged', provenance: 'resolved' });
  expect(few.kind === 'judged' && few.items.map(({ kind }) => kind)).toEqual(places.map(() => 'indexer_gap'));
  const many = await judge({ kind: 'gaps', places, more: 5 });
  expect(many).toMatchObject({
    kind: 'judged',
    provenance: 'resolved',
    items: [{ kind: 'proof_unavailable', detail: expect.stringContaining('25') }],
  });
});

test('M30 E7 where leaving does not hold, all that is offered to be renamed is tried as one, each edit once', async () => {
  const tied = { ...edit, start: 5, end: 6 };
  const item: ItemDraft = { ...tied, kind: 'structural_tie', detail: '', edits: { rename: [tied] } };
  const asked: ProofQuestion[] = [];
  const second: ItemDraft = { ...item, kind: 'string_reference' };
  await judge({ kind: 'disproved', reason: 'bindings_change', places: [], more: 0 }, [item, second], asked);
  expect(asked.map(({ edits }) => edits)).toEqual([[edit], [edit, tied]]);
});
