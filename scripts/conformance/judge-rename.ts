/** Verdicts of the rename and capture corpora, as the corpus's README defines them. */

import type { RenameCase, RenameResult, ResultEdit, Verdict } from './rename-case.ts';
import { goldenOf } from './rename-case.ts';

/** What the program did with a case. */
export type Observed = {
  readonly newName: string;
  readonly outcome: string;
  readonly reason: string | null;
  /** Of the plan's main group; of what was planned and then refused, that. */
  readonly edits: readonly ResultEdit[];
  /** The compiler compared every binding before and after, and found none that moved. */
  readonly proven: boolean;
  /** Places among `edits` that the compiler's own search for references does not know. */
  readonly foreign: readonly Pick<ResultEdit, 'path' | 'line' | 'col'>[];
  /** By question, by option, the edits it adds. */
  readonly questions: readonly (readonly (readonly ResultEdit[])[])[];
};

export function judge(asked: RenameCase, observed: Observed): RenameResult {
  const { newName, outcome, reason, edits } = observed;
  const { verdict, note } = asked.label === undefined ? judgeRename(asked, observed) : judgeCapture(asked, observed);
  return { id: asked.id, newName, outcome, reason, verdict, edits, ...(note === undefined ? {} : { note }) };
}

type Judged = { readonly verdict: Verdict; readonly note?: string };

function judgeRename(asked: RenameCase, observed: Observed): Judged {
  const golden = goldenOf(asked, observed.newName);
  if (observed.outcome === 'needs_decision') {
    const isExact = asked.expect !== 'refuse' && canGive(golden, observed);
    return {
      verdict: 'asked',
      note: isExact ? 'one selection gives the golden edits' : 'no selection gives the golden edits',
    };
  }
  if (!isOk(observed.outcome)) return { verdict: 'refused' };
  if (asked.expect === 'refuse') return { verdict: 'wrong', note: 'should be refused' };
  const { extra, missing } = compare(golden, observed.edits);
  if (extra.length === 0 && missing.length === 0) return { verdict: 'exact' };
  const note = describe(extra, missing);
  const foreign = new Set(observed.foreign.map(placeKey));
  const isSound = observed.proven && extra.every((edit) => !foreign.has(placeKey(edit)));
  return { verdict: isSound ? 'different' : 'wrong', note };
}

function judgeCapture({ label }: RenameCase, { outcome }: Observed): Judged {
  if (outcome === 'needs_decision') return { verdict: 'asked' };
  if (!isOk(outcome)) return { verdict: 'refused' };
  return { verdict: label === 'capturing' ? 'wrong' : 'exact' };
}

function isOk(outcome: string): boolean {
  return outcome === 'ok' || outcome === 'ok_syntactic';
}

/** Whether the main group and one option of every question together are the golden edits. */
function canGive(golden: readonly ResultEdit[], { edits, questions }: Observed): boolean {
  const wanted = new Set(golden.map(editKey));
  if (!edits.every((edit) => wanted.has(editKey(edit)))) return false;
  const given = new Set(edits.map(editKey));
  for (const options of questions) {
    const fitting = options.filter((option) => option.every((edit) => wanted.has(editKey(edit))));
    const [best] = fitting.sort((a, b) => b.length - a.length);
    if (best === undefined) return false;
    for (const edit of best) given.add(editKey(edit));
  }
  return given.size === wanted.size;
}

function compare(
  golden: readonly ResultEdit[],
  edits: readonly ResultEdit[],
): { readonly extra: readonly ResultEdit[]; readonly missing: readonly ResultEdit[] } {
  const wanted = new Set(golden.map(editKey));
  const got = new Set(edits.map(editKey));
  return {
    extra: edits.filter((edit) => !wanted.has(editKey(edit))),
    missing: golden.filter((edit) => !got.has(editKey(edit))),
  };
}

/** The class of a difference, then its places. */
function describe(extra: readonly ResultEdit[], missing: readonly ResultEdit[]): string {
  const places = new Set(missing.map(placeKey));
  const isText = extra.length === missing.length && extra.every((edit) => places.has(placeKey(edit)));
  const kind = isText
    ? 'other text'
    : missing.length === 0
      ? 'more edits'
      : extra.length === 0
        ? 'fewer edits'
        : 'other places';
  const list = (sign: string, edits: readonly ResultEdit[]) =>
    edits.map((edit) => `${sign}${placeKey(edit)} ${edit.text}`);
  return `${kind}: ${[...list('+', extra), ...list('-', missing)].join(', ')}`;
}

function editKey({ path, line, col, len, text }: ResultEdit): string {
  return `${path}:${line}:${col}+${len}=${text}`;
}

function placeKey({ path, line, col }: Pick<ResultEdit, 'path' | 'line' | 'col'>): string {
  return `${path}:${line}:${col}`;
}
