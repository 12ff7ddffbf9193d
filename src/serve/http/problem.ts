/**
 * Everything that can be wrong with a request, as one shape (surfaces.md §2): the field, what was given, what is accepted, the nearest
 * match. Never a stack trace.
 */

import { findNearest } from '../../kernel/base/nearest.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine, stripControls, truncate } from '../../kernel/base/text.ts';

export const Problem = z.object({
  /** Stable word for programs. */
  outcome: z.string(),
  message: z.string(),
  /** Empty for the request as a whole. */
  field: z.string(),
  given: z.string().nullable(),
  accepted: z.array(z.string()),
  nearest: z.string().nullable(),
});
export type Problem = z.infer<typeof Problem>;

/** What is answered instead, with its status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;
  constructor(
    status: number,
    outcome: string,
    message: string,
    more: Partial<Omit<Problem, 'outcome' | 'message'>> = {},
  ) {
    super(message);
    this.status = status;
    const blank = { field: '', given: null, accepted: [], nearest: null };
    this.problem = { outcome, message: printable(message, 1_000), ...blank, ...more };
  }
}

/** What was given, if it is what is taken. Throws a `Refusal` that names the first thing that is wrong. */
export function checkInput<T>(schema: z.ZodType<T>, given: unknown): T {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw refusalOf(read.error, given, schema);
}

function refusalOf(error: z.ZodError, given: unknown, schema: z.ZodType): Refusal {
  // A field that is written wrongly is also missing; the name that was given says more.
  const { issues } = error;
  const issue = (issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]) as z.core.$ZodIssue;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...issue.path.map(String), ...(unknown === undefined ? [] : [unknown])];
  const field = printable(path.join('.'), 200);
  const value = unknown ?? valueAt(given, issue.path);
  const accepted = acceptedBy(issue, schema);
  const nearest = typeof value === 'string' ? (findNearest(value, accepted) ?? null) : null;
  const message = `${field === '' ? '' : `${field}: `}${issue.message}`;
  return new Refusal(400, 'invalid', message, { field, given: show(value), accepted, nearest });
}

function acceptedBy(issue: z.core.$ZodIssue, schema: z.ZodType): string[] {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map(String);
    case 'unrecognized_keys':
      return fieldsAt(schema, issue.path);
    case 'invalid_type':
      return [issue.expected];
    case 'too_small':
      return [`at least ${issue.minimum}`];
    case 'too_big':
      return [`at most ${issue.maximum}`];
    default:
      return [];
  }
}

/** The fields of the object at this place of a schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const step of path) at = at instanceof z.ZodObject ? at.shape[String(step)] : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let at = given;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

function show(value: unknown): string | null {
  if (value === undefined) return null;
  return printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 80);
}

function printable(text: string, length: number): string {
  return truncate(singleLine(stripControls(text)), length);
}
