/**
 * The proof a plan requires (mutation.md §6) with its places named and its texts left out: whoever commits has to look. `identity` too is
 * left to say, because it is what shows that the right thing was looked at.
 */

import type { z } from '../../../kernel/base/schema.ts';
import type { Plan } from '../../../mutate/plans/plan.ts';
import type { ProofInput } from './answer-schema.ts';

export async function proofTemplateOf(plan: Plan): Promise<z.infer<typeof ProofInput>> {
  const { requiredProofOf } = await import('../../../mutate/questions/required-proof.ts');
  const required = requiredProofOf(plan);
  return {
    identity: '',
    lines: required.lines.map(({ file, line }) => ({ file, line, text: '' })),
    anchors: required.anchors.map(({ file, line, col }) => ({ file, line, col, before: '', text: '', after: '' })),
    reasoning: '',
  };
}
