/**
 * zod, set up for a program that validates few documents and exits: without generating code for each schema, which would cost more
 * than it saves (a first validation of the envelope took 20 ms with it and 7 ms without), and without `Function` at run time. Inputs that
 * people write say what is wrong with them: the field, what was given, what is accepted, the nearest match (surfaces.md §2).
 */

import { z } from 'zod';
import { findNearest, singleLine, truncate } from './text.ts';

z.config({
  jitless: true,
  // `undefined` is no word for a person who left a field out.
  customError: (issue) =>
    issue.code === 'invalid_type' && issue.input === undefined ? `is missing; expected ${issue.expected}` : undefined,
});

export { z };

/** An object without other fields than these. */
export function strictInput<S extends z.core.$ZodLooseShape>(shape: S) {
  const fields = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [given = ''] = issue.keys as readonly string[];
      return `unknown field '${show(given)}'${hint(given, fields)}; accepted: ${fields.join(', ')}`;
    },
  });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: (issue) => {
      if (issue.input === undefined) return `is missing; accepted: ${values.join(', ')}`;
      const given = typeof issue.input === 'string' ? issue.input : String(JSON.stringify(issue.input));
      return `'${show(given)}' is not known${hint(given, values)}; accepted: ${values.join(', ')}`;
    },
  });
}

function hint(given: string, known: readonly string[]): string {
  const nearest = findNearest(given, known);
  return nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
}

function show(given: string): string {
  return truncate(singleLine(given), 80);
}
