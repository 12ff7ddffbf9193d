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

/** Where the asked piece begins. */
export function startOfPage(ask: PageAsk): number | NotAnswered {
  if (ask.token === undefined) return 0;
  const [mark, offset = ''] = ask.token.split('.');
  if (mark === markOf(ask) && /^\d{1,9}$/.test(offset)) return Number(offset);
  return notAnswered('invalid', 'continue: the token is of another question or an older index; ask again without it');
}

export function pageOf<T>(all: readonly T[], start: number, ask: PageAsk): Page<T> {
  const end = start + ask.limit;
  const truncated = end < all.length;
  return { items: all.slice(start, end), truncated, continue: truncated ? `${markOf(ask)}.${end}` : null };
}

function markOf({ generation, question }: PageAsk): string {
  return sha256Hex(JSON.stringify([generation, question])).slice(0, 12);
}
