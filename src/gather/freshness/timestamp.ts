/**
 * The moments that indexes record: ISO 8601 with a zone. A time without a zone is refused, because what it means depends on
 * the machine that reads it.
 */

export const timestampPattern = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since the epoch, or null for anything that names no moment. */
export function parseTimestamp(text: string): number | null {
  const match = timestampPattern.exec(text);
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // The engine reads 30 February as 2 March.
  if (new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() !== day) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The same moment as `2026-05-17T00:00:00Z`: one spelling for every reader, to the second. */
export function renderUtc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
