/**
 * The per-file list a cached answer was made from, so that a later question can say which files changed since.
 * It is written to disk, and a file name can be a secret: names are redacted on the way in and compared in that form.
 */

import { compareCodeUnits, type Json } from '../kernel/base/json.ts';
import { redactText } from './redact.ts';

type Recorded = { readonly id: string; readonly kind: string; readonly keyHash: string };

/** `[id, kind, hash]` per input. */
export function recordInputs(inputs: Iterable<Recorded>): Json {
  const list = [...inputs];
  const shown = shownNames(list.map((input) => input.id));
  return list.map((input, index) => [shown[index] as string, input.kind, input.keyHash]);
}

/** Ids whose bytes differ from the recorded list, the ones that came and went included. */
export function changedSinceRecorded(recorded: Json, inputs: Iterable<Recorded>): string[] {
  if (!Array.isArray(recorded)) return [];
  const then = new Map(
    recorded.map((entry: unknown) => [String((entry as unknown[])[0]), String((entry as unknown[])[2])]),
  );
  const list = [...inputs];
  const shown = shownNames(list.map((input) => input.id));
  const changed = list.filter((input, index) => then.get(shown[index] as string) !== input.keyHash).map(({ id }) => id);
  const present = new Set(shown);
  for (const id of then.keys()) if (!present.has(id)) changed.push(id);
  return changed.sort(compareCodeUnits);
}

/** Names as they may be written. Most lists hold no secret, and one pass over all names at once says so. */
function shownNames(ids: readonly string[]): readonly string[] {
  const all = ids.join('\n');
  return redactText(all) === all ? ids : ids.map(redactText);
}
