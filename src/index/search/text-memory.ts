/**
 * What earlier searches saw in files that hold secrets. The index keeps no trigram of a secret, so it can never rule such a file out:
 * what is asked for may lie in the secret, across its edge, or beside it. Their bytes can, and once read, a file is remembered by a
 * filter of all its trigrams and words, and where its secrets lie. That is in memory and goes with the process; nothing of it is written
 * anywhere.
 *
 * Promise (T13): `mayHold` is false only if the very bytes with that hash lack a trigram or a name that every match requires.
 */

import { isAscii } from 'node:buffer';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { addFoldedTrigrams, addTrigrams, dropTrigrams, trigramScratch } from '../text/trigrams.ts';
import { mayHold } from './index-query.ts';
import { type KnownSecrets, noSecretsKnown } from './line-texts.ts';
import type { IndexQuery } from './search-text.ts';

type TextMemory = {
  /** Whether a text with this hash can satisfy the query, as far as is known. */
  mayHold(file: RememberedFile, query: Pick<IndexQuery, 'trigrams' | 'names'>): boolean;
  /** For one search: takes the bytes of the files it reads, within bounds. */
  open(): (file: RememberedFile, bytes: Uint8Array) => void;
  /** Where the secrets of these bytes lie, completed by each search that looks. */
  secretsOf(path: string, bytes: Uint8Array): KnownSecrets;
};
type RememberedFile = { readonly path: string; readonly contentHash: string | null };

type Known = {
  readonly contentHash: string;
  readonly trigrams: Filter;
  readonly words: Filter;
  readonly secrets: KnownSecrets;
};

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
    const trigrams = createFilter(listTrigrams(bytes));
    const words = createFilter(listWords(bytes));
    filterBytes += trigrams.bits.length + words.bits.length;
    if (before !== undefined) filterBytes -= before.trigrams.bits.length + before.words.bits.length;
    known.set(path, { contentHash, trigrams, words, secrets: noSecretsKnown() });
  };
  return {
    mayHold({ path, contentHash }, query) {
      const of = known.get(path);
      if (of === undefined || of.contentHash !== contentHash) return true;
      if (!query.names.every((name) => listWords(Buffer.from(name)).every((word) => of.words.has(word)))) return false;
      return query.trigrams === null || mayHold(query.trigrams, (trigram) => of.trigrams.has(trigram));
    },
    open() {
      searches += 1;
      // The first search learns nothing: a command has only one.
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

function listTrigrams(bytes: Uint8Array): Int32Array {
  addTrigrams(bytes);
  if (!isAscii(bytes)) addFoldedTrigrams(bytes);
  const trigrams = trigramScratch.found.slice(0, trigramScratch.count);
  dropTrigrams();
  return trigrams;
}

/** Hashes of the runs of `[A-Za-z0-9_]`, each once. A name that a text must have is one of them: what ends it is no such character. */
function listWords(bytes: Uint8Array): Int32Array {
  const words = new Set<number>();
  let hash = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (wordBytes[byte] === 1) hash = Math.imul(hash ^ byte, 0x01000193) | 1;
    else if (hash !== 0) {
      words.add(hash);
      hash = 0;
    }
  }
  if (hash !== 0) words.add(hash);
  return Int32Array.from(words);
}

const wordBytes = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0));

type Filter = { readonly bits: Uint8Array; has(value: number): boolean };

/** Eight to sixteen bits a value and one hash: of what is not in it, one in eight to sixteen is taken for something that is. */
function createFilter(values: Int32Array): Filter {
  const log2Bits = 3 + Math.ceil(Math.log2(Math.max(1, values.length)));
  const bits = new Uint8Array(1 << (log2Bits - 3));
  const placeOf = (value: number) => Math.imul(value, 0x9e3779b1) >>> (32 - log2Bits);
  for (const value of values) {
    const place = placeOf(value);
    bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7));
  }
  return {
    bits,
    has(value) {
      const place = placeOf(value);
      return ((bits[place >> 3] as number) & (1 << (place & 7))) !== 0;
    },
  };
}
