/**
 * What the page asks, in the types of the definitions that answer it: operations, changes and routes of `src/serve`. Only their types come
 * here; nothing is decided or worked out a second time.
 */

import type { z } from '../src/kernel/base/schema.ts';
import type { Change } from '../src/serve/changes/change.ts';
import type {
  planCancel,
  planCommit,
  planFile,
  planList,
  planShow,
  planUndo,
} from '../src/serve/changes/plan-requests.ts';
import type rename from '../src/serve/changes/rename.ts';
import type def from '../src/serve/operations/def.ts';
import type deps from '../src/serve/operations/deps.ts';
import type implementations from '../src/serve/operations/implementations.ts';
import type map from '../src/serve/operations/map.ts';
import type { heads, Operation } from '../src/serve/operations/operation.ts';
import type outline from '../src/serve/operations/outline.ts';
import type refs from '../src/serve/operations/refs.ts';
import type search from '../src/serve/operations/search.ts';
import type slice from '../src/serve/operations/slice.ts';
import type status from '../src/serve/operations/status.ts';
import type symbols from '../src/serve/operations/symbols.ts';
import type text from '../src/serve/operations/text.ts';
import type { DoctorReport } from '../src/serve/workspace/doctor.ts';
import type { FactsAnswer } from '../src/serve/workspace/workspace.ts';
import { type Sent, send } from './session.ts';

type Questions = {
  readonly def: typeof def;
  readonly deps: typeof deps;
  readonly implementations: typeof implementations;
  readonly map: typeof map;
  readonly outline: typeof outline;
  readonly refs: typeof refs;
  readonly search: typeof search;
  readonly slice: typeof slice;
  readonly status: typeof status;
  readonly symbols: typeof symbols;
  readonly text: typeof text;
};
type Changes = {
  readonly rename: typeof rename;
  readonly planList: typeof planList;
  readonly planFile: typeof planFile;
  readonly planShow: typeof planShow;
  readonly planCommit: typeof planCommit;
  readonly planCancel: typeof planCancel;
  readonly planUndo: typeof planUndo;
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
type ChangeAsk<N extends keyof Changes> = Changes[N] extends { readonly input: infer S extends z.ZodType }
  ? z.input<S>
  : never;
export type ChangeAnswerOf<N extends keyof Changes> = Changes[N] extends Change<infer _, infer O> ? O : never;
export type Facts = Omit<Extract<FactsAnswer, { kind: 'facts' }>, 'kind'>;
export type Fact = Facts['facts'][number];

const routes: Readonly<Record<keyof Questions, string>> = {
  def: '/v1/navigate',
  deps: '/v1/navigate',
  implementations: '/v1/navigate',
  map: '/v1/map',
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

export type Doctor = DoctorReport;

export function askDoctor(signal: AbortSignal): Promise<Doctor> {
  return send('POST', '/v1/workspace/doctor', { body: {}, signal });
}

/** Runs what is not up to date. Whoever ends the signal stops waiting, and with that what nobody else waits for. */
export function runIndexers(onStep: (says: string) => void, signal: AbortSignal): Promise<object> {
  const onLine = (line: Readonly<Record<string, unknown>>) => {
    const { step, done, total } = (line['progress'] ?? {}) as {
      readonly step?: string;
      readonly done?: number;
      readonly total?: number;
    };
    if (step !== undefined) onStep(total === undefined || total === 0 ? step : `${step} ${done} of ${total}`);
  };
  return send('POST', '/v1/index', { body: { semantic: true }, signal, onLine });
}

/** What a gather says while it runs. */
export type GatherLine = { readonly progress?: { readonly probe?: string; readonly status: string } };

export function gather(onLine: (line: GatherLine) => void): Promise<{ readonly gather_status: string }> {
  return send('POST', '/v1/gather', { body: {}, onLine: onLine as NonNullable<Sent['onLine']> });
}

export function change<N extends keyof Changes>(
  name: N,
  input: ChangeAsk<N>,
  sent: Omit<Sent, 'body'> = {},
): Promise<ChangeAnswerOf<N>> {
  const { plan_id: id, ...rest } = input as { readonly plan_id?: string };
  const plan = `/v1/plans/${encodeURIComponent(id ?? '')}`;
  switch (name) {
    case 'rename':
      return send('POST', '/v1/renames', { ...sent, body: input as object });
    case 'planList':
      return send('GET', '/v1/plans?limit=100', sent);
    case 'planShow':
      return send(
        'GET',
        `${plan}?${new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]))}`,
        sent,
      );
    case 'planCommit':
      return send('POST', '/v1/decisions/commit', { ...sent, body: input as object });
    case 'planFile':
      return send('POST', `${plan}/file`, { ...sent, body: rest });
    case 'planCancel':
      return send('POST', `${plan}/cancel`, { ...sent, body: rest });
    default:
      return send('POST', `${plan}/undo`, { ...sent, body: rest });
  }
}
