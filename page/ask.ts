/**
 * What the page asks, in the types of the definitions that answer it: operations and routes of `src/serve`. Only their types come
 * here; nothing is decided or worked out a second time.
 */

import type { z } from '../src/kernel/base/schema.ts';
import type def from '../src/serve/operations/def.ts';
import type deps from '../src/serve/operations/deps.ts';
import type implementations from '../src/serve/operations/implementations.ts';
import type { heads, Operation } from '../src/serve/operations/operation.ts';
import type outline from '../src/serve/operations/outline.ts';
import type refs from '../src/serve/operations/refs.ts';
import type search from '../src/serve/operations/search.ts';
import type slice from '../src/serve/operations/slice.ts';
import type status from '../src/serve/operations/status.ts';
import type symbols from '../src/serve/operations/symbols.ts';
import type text from '../src/serve/operations/text.ts';
import type { FactsAnswer } from '../src/serve/workspace/workspace.ts';
import { type Sent, send } from './session.ts';

type Questions = {
  readonly def: typeof def;
  readonly deps: typeof deps;
  readonly implementations: typeof implementations;
  readonly outline: typeof outline;
  readonly refs: typeof refs;
  readonly search: typeof search;
  readonly slice: typeof slice;
  readonly status: typeof status;
  readonly symbols: typeof symbols;
  readonly text: typeof text;
};
export type AskOf<N extends keyof Questions> = Questions[N] extends Operation<infer I, infer _> ? I : never;
/** A name may mean several things, which is an answer too. */
export type Ambiguous = {
  readonly outcome: 'ambiguous';
  readonly message: string;
  readonly candidates: readonly string[];
};
export type AnswerOf<N extends keyof Questions> =
  Questions[N] extends Operation<infer _, infer O> ? z.infer<typeof heads> & O : never;
export type Facts = Omit<Extract<FactsAnswer, { kind: 'facts' }>, 'kind'>;
export type Fact = Facts['facts'][number];

const routes: Readonly<Record<keyof Questions, string>> = {
  def: '/v1/navigate',
  deps: '/v1/navigate',
  implementations: '/v1/navigate',
  outline: '/v1/navigate',
  refs: '/v1/navigate',
  search: '/v1/search',
  slice: '/v1/slice',
  status: '/v1/status',
  symbols: '/v1/symbols',
  text: '/v1/text',
};

export function ask<N extends keyof Questions>(
  name: N,
  input: AskOf<N>,
  sent: Omit<Sent, 'body'> = {},
): Promise<AnswerOf<N> | Ambiguous> {
  const path = routes[name];
  if (name === 'status') return send('GET', path, sent);
  return send('POST', path, {
    ...sent,
    body: path === '/v1/navigate' ? { ...(input as object), kind: name } : (input as object),
  });
}

export function isAmbiguous(answer: object): answer is Ambiguous {
  return 'outcome' in answer && answer.outcome === 'ambiguous';
}

export function askFacts(signal: AbortSignal): Promise<Facts> {
  return send('GET', '/v1/facts?explain=true', { signal });
}

/** What a gather says while it runs. */
export type GatherLine = { readonly progress?: { readonly probe?: string; readonly status: string } };

export function gather(onLine: (line: GatherLine) => void): Promise<{ readonly gather_status: string }> {
  return send('POST', '/v1/gather', { body: {}, onLine: onLine as NonNullable<Sent['onLine']> });
}
