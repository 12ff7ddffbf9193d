/** The answers of two jobs that shared one proof, as if one had given it: what either disproves is disproved, and names come first. */

import type { ProofReport } from '../types.ts';

export function joinReports(names: ProofReport, diagnostics: ProofReport): ProofReport {
  if (names.kind === 'disproved') return names;
  if (diagnostics.kind === 'disproved') return diagnostics;
  if (names.kind === 'gaps' && diagnostics.kind === 'gaps') return joinGaps(names, diagnostics);
  if (names.kind === 'gaps') return names;
  if (diagnostics.kind === 'gaps') return diagnostics;
  const ms = { ...diagnostics.ms, ...names.ms, diagnostics: diagnostics.ms['diagnostics'] ?? 0 };
  return { ...names, diagnostics: diagnostics.diagnostics, ms };
}

/** The two halves of the names. */
export function joinNames(first: ProofReport, second: ProofReport): ProofReport {
  if (first.kind !== 'proven' || second.kind !== 'proven') return joinReports(first, second);
  return { ...first, tokens: first.tokens + second.tokens };
}

type Gaps = Extract<ProofReport, { kind: 'gaps' }>;

/** What both found is told once; places beyond the limit stay a number. */
function joinGaps(names: Gaps, diagnostics: Gaps): Gaps {
  const keyOf = (gap: Gaps['places'][number]) => JSON.stringify(gap);
  const places = new Map([...names.places, ...diagnostics.places].map((gap) => [keyOf(gap), gap]));
  return { kind: 'gaps', places: [...places.values()], more: names.more + diagnostics.more };
}
