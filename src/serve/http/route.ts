/**
 * What a route declares (OpenAPI, the server and the fuzz test are made of these), and everything that can be wrong with a request as one
 * shape (surfaces.md §2): the field, what was given, what is accepted, the nearest match. Never a stack trace.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { findNearest, singleLine, stripControls, truncate } from '../../kernel/base/text.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** One line of a stream, before the result. */
export type Tell = (line: Readonly<Record<string, unknown>>) => void;

export type Call = {
  readonly workspace: Workspace;
  readonly tell: Tell;
  /** What the client would rather read. */
  readonly accepts: (type: string) => boolean;
};

export type Reply = {
  readonly status: number;
  readonly body: object | string;
  readonly type?: string;
};

export type Route = {
  readonly method: 'GET' | 'POST';
  /** With `{name}` for parts that vary. */
  readonly url: string;
  readonly also?: readonly string[];
  readonly says: string;
  /** Parts of the address. */
  readonly params: readonly string[];
  /** Of the query of a GET, of the body of a POST. */
  readonly input: z.ZodType;
  readonly answer: z.ZodType;
  /** `given` as it came; the addresses' parts are in it under their names. */
  readonly run: (given: Readonly<Record<string, unknown>>, call: Call) => Promise<Reply>;
};

export function defineRoute<I>(
  route: Omit<Route, 'run' | 'input' | 'params'> & {
    readonly params?: readonly string[];
    readonly input: z.ZodType<I>;
    readonly run: (input: I, call: Call) => Promise<Reply>;
  },
): Route {
  return {
    ...route,
    params: route.params ?? [],
    run: (given, call) => route.run(checkInput(route.input, given), call),
  };
}

type NoAnswer =
  | {
      readonly kind: 'not_answered';
      readonly problem: { readonly outcome: string; readonly message: string; readonly candidates: readonly string[] };
    }
  | { readonly kind: 'busy' | 'refused'; readonly message: string }
  | {
      readonly kind: 'config_invalid';
      readonly problems: readonly { readonly file: string; readonly message: string }[];
    };

/** Which status goes with which ending. An ambiguous name is an answer: it lists what may be meant. */
const statuses: Readonly<Record<string, number>> = { invalid: 400, not_found: 404, ambiguous: 200 };

/** `given`: what the question was asked with. A problem of one of its fields begins with the field's name. */
export function replyOf(
  outcome: { readonly kind: 'answered'; readonly answer: object } | NoAnswer,
  given: unknown = {},
): Reply {
  switch (outcome.kind) {
    case 'answered':
      return { status: 200, body: outcome.answer };
    case 'not_answered': {
      const { problem } = outcome;
      if (problem.outcome === 'ambiguous') return { status: 200, body: problem };
      const named = /^([a-z_]+): /.exec(problem.message)?.[1] ?? '';
      const refusal = new Refusal(statuses[problem.outcome] ?? 400, problem.outcome, problem.message, {
        field: isJsonObject(given) && Object.hasOwn(given, named) ? named : '',
        accepted: [...problem.candidates],
        nearest: problem.candidates[0] ?? null,
      });
      return { status: refusal.status, body: refusal.problem };
    }
    case 'busy':
      return failure(503, 'busy', outcome.message);
    case 'refused':
      return failure(409, 'output_refused', outcome.message);
    case 'config_invalid':
      return failure(
        422,
        'config_invalid',
        outcome.problems.map(({ file, message }) => `${file}: ${message}`).join('; '),
      );
  }
}

export function failure(status: number, outcome: string, message: string): Reply {
  return { status, body: new Refusal(status, outcome, message).problem };
}

export const anything = z.looseObject({});

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
  return printable(typeof value === 'string' ? value : visibleJson(value), 80);
}

function printable(text: string, length: number): string {
  return truncate(singleLine(stripControls(text)), length);
}
