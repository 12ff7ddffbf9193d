/**
 * Where a truncated answer ended, in a form that callers pass back and do not read. It belongs to one question and one generation of
 * the index: with any other it is worth nothing.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson } from '../../kernel/base/json.ts';
import type { SearchAsk } from './types.ts';

export type SearchPosition = {
  readonly path: string;
  /** The first byte of that file at which the next hit may begin. */
  readonly from: number;
  /** Hits in the answers before. */
  readonly counted: number;
};

export function writeContinueToken(position: SearchPosition, ask: SearchAsk, generation: number): string {
  const { path, from, counted } = position;
  return Buffer.from(JSON.stringify([fingerprint(ask, generation), path, from, counted])).toString('base64url');
}

/** Undefined if it is not of this question and generation. */
export function readContinueToken(token: string, ask: SearchAsk, generation: number): SearchPosition | undefined {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 4) return undefined;
  const [print, path, from, counted] = read as readonly unknown[];
  if (print !== fingerprint(ask, generation) || typeof path !== 'string') return undefined;
  return isCount(from) && isCount(counted) ? { path, from, counted } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function fingerprint(ask: SearchAsk, generation: number): string {
  const { query, kind, ignoreCase, wholeWord, pathGlobs, languages } = ask;
  const question = {
    query,
    kind,
    ignoreCase,
    wholeWord,
    pathGlobs: [...pathGlobs],
    languages: [...languages],
    generation,
  };
  return sha256Hex(canonicalJson(question)).slice(0, 32);
}
