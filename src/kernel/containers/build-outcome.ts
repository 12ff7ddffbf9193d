/** How a build ended, by what its client exited with, what it printed, and the id it wrote. */

import { readFileSync } from 'node:fs';
import type { ExecOutcome } from '../exec/types.ts';
import type { BuildLog } from './build-log.ts';
import { normaliseDigest } from './image-facts.ts';
import { complaintOf, textOf } from './outcome-text.ts';
import type { BuildOutcome } from './types.ts';

export function readBuildOutcome(outcome: ExecOutcome, log: BuildLog, idFile: string): BuildOutcome {
  if (outcome.kind === 'cancelled') return { kind: 'cancelled' };
  if (outcome.kind === 'timed_out') return { kind: 'timed_out', log: log.text() };
  const digest = textOf(outcome) === null ? null : normaliseDigest(readFileSync(idFile, 'utf8'));
  if (digest !== null) return { kind: 'built', digest, log: log.text() };
  return { kind: 'failed', stderrTail: log.tail() || complaintOf(outcome), step: log.step(), log: log.text() };
}
