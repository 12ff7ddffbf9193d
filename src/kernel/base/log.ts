/** Structured events: code only names what happened, and the sink redacts before anything is written. */

import type { Json } from './json.ts';

export interface Logger {
  /** `name` is a stable dotted identifier such as `subproc.stdout.truncated`. */
  event(name: string, fields?: Readonly<Record<string, Json>>): void;
}

export const silentLogger: Logger = { event: () => {} };

/** Keeps what was said, for tests. */
export function recordingLogger(): Logger & {
  readonly events: { name: string; fields: Readonly<Record<string, Json>> }[];
} {
  const events: { name: string; fields: Readonly<Record<string, Json>> }[] = [];
  return { events, event: (name, fields = {}) => void events.push({ name, fields }) };
}
