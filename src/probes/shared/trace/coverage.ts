/** How far a trace can be trusted, by how many scenarios completed (probes.md, runtime_trace, last table). */

import type { Confidence } from '../../../gather/contract.ts';
import { smokeTestName } from './default-scenarios.ts';

export const coverageLevels = ['high', 'medium', 'low', 'unavailable'] as const;
export type Coverage = (typeof coverageLevels)[number];

/** Enough scenarios to have seen a program start, work, be asked, be stopped and fail. */
const fullCoverage = 5;

export function judgeCoverage(scenarios: {
  readonly completed: readonly string[];
  readonly failed: number;
  /** The workload could have altered its own trace. */
  readonly isTamperable: boolean;
}): { readonly coverage: Coverage; readonly confidence: Confidence } {
  const coverage = levelOf(scenarios.completed, scenarios.failed);
  const capped = scenarios.isTamperable && coverage === 'high' ? 'medium' : coverage;
  return { coverage: capped, confidence: capped === 'unavailable' ? 'low' : capped };
}

function levelOf(completed: readonly string[], failed: number): Coverage {
  if (completed.length === 0) return 'unavailable';
  if (completed.length >= fullCoverage) return failed === 0 ? 'high' : 'medium';
  return completed.length > 1 || completed[0] === smokeTestName ? 'medium' : 'low';
}
