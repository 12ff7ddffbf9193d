/** The decoder behind SCIP artifacts; loaded only when a probe publishes one. */

import { redactScipBytes } from '../../kernel/formats/rewrite-scip.ts';
import type { ScipRedactor } from './redact-artifact.ts';

export const redactScip: ScipRedactor = (bytes, redact) => {
  const outcome = redactScipBytes(bytes, (text) => redact(text).text);
  if (outcome.kind === 'failed')
    return { ok: false, detail: `not a SCIP index (${outcome.reason}): ${outcome.detail}` };
  return { ok: true, bytes: outcome.bytes, droppedDocuments: outcome.dropped };
};
