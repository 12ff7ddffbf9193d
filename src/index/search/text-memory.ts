/**
 * What earlier searches saw in files that hold secrets. The index keeps no trigram of a secret, so it can never rule such a file out:
 * what is asked for may lie in the secret, across its edge, or beside it. Their bytes can, and once read, a file is remembered by a
 * filter of all its trigrams, and where its secrets lie. That is in memory and goes with the process; nothing of it is written anywhere.
 *
 * Promise (T13): `mayHold` is false only if the very bytes with that hash lack a trigram that every match requires.
 */

import { isAscii } from 'node:buffer';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { type KnownSecrets, noSecretsKnown } from './line-texts.ts';
import { mayHold, type TrigramQuery } from './trigram-query.ts';
import { addFoldedTrigrams, addTrigrams, dropTrigrams, trigramScratch } from './trigrams.ts';

export type TextMemory = {
  /** Whether a text with this hash can satisfy the query, as far as is known. */
  mayHold(file: RememberedFile, query: TrigramQuery | null): boolean;
  /** For one search: takes the bytes of the files it reads, within bounds. */
  open(): (file: RememberedFile, bytes: Uint8Array) => void;
  /** Where the secrets of these bytes lie, to be completed by who looks. */
  secretsOf(path: string, bytes: Uint8Array): KnownSecrets;
};
export type RememberedFile = { readonly path: string; readonly contentHash: string | null };

type Known = { readonly contentHash: string; readonly filter: TrigramFilter; readonly secrets: KnownSecrets };

/** More are read by every search. */
const MAX_FILTER_BYTES = 16 * 1024 * 1024;
/** To learn takes longer than to search, so a search learns a share. */
const LEARNED_BYTES = 2 * 1024 * 1024;

const memories = new WeakMap<object, TextMemory>();

/** One for all searches of the handles that share a keeper. */
export function textMemoryOf(keeper: object): TextMemory {
  let memory = memories.get(keeper);
  if (memory === undefined) {
    memory = createTextMemory();
    memories.set(keeper, memory);
  }
  return memory;
}

export function createTextMemory(): TextMemory {
  const known = new Map<string, Known>();
  let filterBytes = 0;
  let searches = 0;
  const remember = (path: string, bytes: Uint8Array) => {
    const contentHash = blake3Hex(bytes);
    const before = known.get(path);
    if (before?.contentHash === contentHash) return;
    const filter = filterOf(bytes);
    filterBytes += filter.bits.length - (before?.filter.bits.length ?? 0);
    known.set(path, { contentHash, filter, secrets: noSecretsKnown() });
  };
  return {
    mayHold({ path, contentHash }, query) {
      const of = known.get(path);
      if (query === null || of === undefined || of.contentHash !== contentHash) return true;
      return mayHold(query, (trigram) => of.filter.has(trigram));
    },
    open() {
      searches += 1;
      // Who asks only once learns nothing.
      let room = searches === 1 ? 0 : LEARNED_BYTES;
      return ({ path, contentHash }, bytes) => {
        if (room <= 0 || filterBytes >= MAX_FILTER_BYTES || known.get(path)?.contentHash === contentHash) return;
        room -= bytes.length;
        remember(path, bytes);
      };
    },
    secretsOf(path, bytes) {
      const of = known.get(path);
      return of?.contentHash === blake3Hex(bytes) ? of.secrets : noSecretsKnown();
    },
  };
}

type TrigramFilter = { readonly bits: Uint8Array; has(trigram: number): boolean };

/** Eight to sixteen bits a trigram and one hash: one in eight to sixteen that the text has not is taken for one of it. */
function filterOf(bytes: Uint8Array): TrigramFilter {
  addTrigrams(bytes);
  if (!isAscii(bytes)) addFoldedTrigrams(bytes);
  const { found, count } = trigramScratch;
  const log2Bits = 3 + Math.ceil(Math.log2(Math.max(1, count)));
  const bits = new Uint8Array(1 << (log2Bits - 3));
  const placeOf = (trigram: number) => Math.imul(trigram, 0x9e3779b1) >>> (32 - log2Bits);
  for (let index = 0; index < count; index += 1) {
    const place = placeOf(found[index] as number);
    bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7));
  }
  dropTrigrams();
  return {
    bits,
    has(trigram) {
      const place = placeOf(trigram);
      return ((bits[place >> 3] as number) & (1 << (place & 7))) !== 0;
    },
  };
}
