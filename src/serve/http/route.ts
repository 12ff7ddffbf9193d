/** What a route declares: OpenAPI, the server and the fuzz test are made of these. */

import { z } from '../../kernel/base/schema.ts';
import type { Workspace } from '../workspace.ts';
import { checkInput, Refusal } from './problem.ts';

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

export function replyOf(outcome: { readonly kind: 'answered'; readonly answer: object } | NoAnswer): Reply {
  switch (outcome.kind) {
    case 'answered':
      return { status: 200, body: outcome.answer };
    case 'not_answered': {
      const { problem } = outcome;
      if (problem.outcome === 'ambiguous') return { status: 200, body: problem };
      const refusal = new Refusal(statuses[problem.outcome] ?? 400, problem.outcome, problem.message, {
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
