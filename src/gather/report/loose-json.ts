/**
 * Reading a document that may not be well-formed. Reports are made of whatever is on disk, perhaps by another
 * version or after a crash, so every question here has an answer for every value: a wrong type reads as "not there".
 */

import { singleLine, truncate } from '../../kernel/base/text.ts';

/** The longest one-line text a report shows of a single field. */
const LINE_CHARS = 300;

export type Step = string | number;

export function at(value: unknown, ...path: readonly Step[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<Step, unknown>>)[step];
  }
  return here;
}

/** One printable line, or null when the field is no text; numbers and booleans are printed. An empty text counts as none. */
export function textAt(value: unknown, ...path: readonly Step[]): string | null {
  return asLine(at(value, ...path));
}

function asLine(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const line = truncate(singleLine(String(value)).trim(), LINE_CHARS);
  return line === '' ? null : line;
}

export function numberAt(value: unknown, ...path: readonly Step[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function listAt(value: unknown, ...path: readonly Step[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The printable texts of a list; members of other types are left out. */
export function linesAt(value: unknown, ...path: readonly Step[]): readonly string[] {
  return listAt(value, ...path).flatMap((item) => asLine(item) ?? []);
}

/** How many: the length of a list, or a number that counts. Null when the field says neither. */
export function countAt(value: unknown, ...path: readonly Step[]): number | null {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.length : numberAt(found);
}

export function entriesAt(value: unknown, ...path: readonly Step[]): readonly (readonly [string, unknown])[] {
  const found = at(value, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
}
