/** What the index `runtime_trace` says of itself: which scenarios its evidence rests on, and which are missing from it. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';

export function describeCoverage(slice: JsonObject): JsonObject {
  const results = slice['scenario_results'];
  const listed = Array.isArray(results) ? (results as readonly Json[]).filter(isJsonObject) : [];
  const namesOf = (completed: boolean) =>
    listed.filter((one) => (one['kind'] === 'completed') === completed).map((one) => one['scenario_name'] ?? '');
  return { scenarios_covered: namesOf(true), scenarios_missing: namesOf(false) };
}
