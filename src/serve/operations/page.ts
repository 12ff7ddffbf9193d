/**
 * A list in pieces. The token names the generation and the question it belongs to: going on in another list than the one that was
 * begun could skip or repeat lines, so a token of another one is refused (code-plane.md §9).
 */

import { type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';

type Page<T> = { readonly items: readonly T[]; readonly truncated: boolean; readonly continue: string | null };

export type PageAsk = {
  readonly generation: number;
  /** All of the input that decides the list. */
  readonly question: unknown;
  readonly limit: number;
  readonly token: string | undefined;
};

export type Position = {
  /** The token of the page that a piece is cut from; undefined for a first page, and where pages are not cut again. */
  readonly inner: string | undefined;
  readonly offset: number;
};

/** Where the asked piece begins. */
export function startOfPage({ token, question, generation }: PageAsk): number | NotAnswered {
  if (token === undefined) return 0;
  const read = readToken(token);
  if (read !== undefined && read.inner === undefined && read.mark === markOf(question, generation)) return read.offset;
  return notAnswered('invalid', 'continue: the token is of another question or an older index; ask again without it');
}

export function pageOf<T>(all: readonly T[], start: number, ask: PageAsk): Page<T> {
  const end = start + ask.limit;
  const truncated = end < all.length;
  const token = truncated ? writeToken(markOf(ask.question, ask.generation), { offset: end, inner: undefined }) : null;
  return { items: all.slice(start, end), truncated, continue: token };
}

export function writeToken(mark: string, { inner, offset }: Position): string {
  return `${mark}.${offset}${inner === undefined ? '' : `~${inner}`}`;
}

/** Undefined for what no answer has given out. */
export function readToken(token: string): (Position & { readonly mark: string }) | undefined {
  const found = /^([0-9a-f]{12})\.(\d{1,9})(?:~(.*))?$/s.exec(token);
  if (found === null) return undefined;
  return { mark: found[1] as string, offset: Number(found[2]), inner: found[3] };
}

export function markOf(question: unknown, generation: number | null): string {
  return sha256Hex(JSON.stringify([generation, question])).slice(0, 12);
}
