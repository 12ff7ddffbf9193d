/**
 * A commit in the words of a caller who chose one candidate and says why: the plan, the candidate, lines with the hash of their content,
 * anchors, the identity of the symbol. The hash and the main group of the plan are looked up; everything is checked as in any commit.
 */

import { strictInput, z } from '../../kernel/base/schema.ts';

const Line = z.number().int().min(1);

export const ChosenCandidate = strictInput({
  plan_id: z.string().min(1).max(200),
  /** An option of the one question that is asked; the main group where none is. */
  selected_candidate_id: z.string().min(1).max(200),
  proof: strictInput({
    file_line_evidence: z.array(
      strictInput({
        file: z.string(),
        line: Line,
        /** SHA-256 of the line without its line end: its first 16 digits, or more of them. */
        content_hash: z.string(),
        /** Lines around it, at most three before and after. */
        context_lines: z.array(z.string()).max(20).optional(),
      }),
    ),
    symbol_identity: z.string(),
    anchors: z.array(
      strictInput({
        file: z.string(),
        line: Line,
        col: Line,
        /** Ten characters or more, fewer where the line has fewer. */
        anchor_before: z.string(),
        anchor_after: z.string(),
        occurrence_text: z.string(),
      }),
    ),
    reasoning: z.string().nullable().optional(),
  }),
  request_id: z.string().min(1).max(200).optional(),
});
type ChosenCandidate = z.infer<typeof ChosenCandidate>;

export function isChosenCandidate(given: object): boolean {
  return 'selected_candidate_id' in given;
}

/** As the commit of this plan: what is answered beside the candidate, nothing, lets the main group go without saying. */
export function readChosen({
  plan_id,
  selected_candidate_id: chosen,
  proof: given,
  request_id,
}: ChosenCandidate): object {
  const { file_line_evidence: evidence, symbol_identity: identity, anchors, reasoning } = given;
  const proof = {
    identity,
    lines: evidence.map(({ file, line, content_hash: hash, context_lines: context = [] }) => ({
      ...{ file, line, hash, context },
    })),
    anchors: anchors.map(({ file, line, col, anchor_before: before, occurrence_text: text, anchor_after: after }) => ({
      ...{ file, line, col, before, text, after },
    })),
    ...(reasoning == null ? {} : { reasoning }),
  };
  return { plan_id, selections: [chosen], answers: {}, proof, ...(request_id === undefined ? {} : { request_id }) };
}
