/**
 * Text as the search index knows it: the set of its trigrams, each written as one word of four letters.
 * A byte falls into one of 101 classes: the printable ASCII characters with letters of both cases together, one class for control
 * characters, 31 for all other bytes of UTF-8. 101³ < 2²⁰, so four letters of five bits name a trigram. Trigrams with white space
 * are left out: they are a third of all and tell texts apart least.
 *
 * Promise (T13): a text that contains a literal, case-sensitively or by simple case folding, has all of the literal's required
 * trigrams. The reverse does not hold; the bytes of a candidate decide.
 */

import { isAscii } from 'node:buffer';

const CLASS_BITS = 7;
export const TRIGRAM_MASK = (1 << (3 * CLASS_BITS)) - 1;
const TRIGRAM_COUNT = 1 << (3 * CLASS_BITS);
const CLASSES = 101;
const WHITE = 0;
const WIDE_CLASSES = 31;

/** The class of each byte value. A trigram's number is its three classes, seven bits each. */
export const byteClasses: Uint8Array = classTable();

/** Trigram numbers seen in the text at hand; 1 for good where white space makes a trigram none. */
const seen = new Uint8Array(TRIGRAM_COUNT);
/** The numbers seen, in order of first appearance. */
const found = new Int32Array(TRIGRAM_COUNT);
for (let trigram = 0; trigram < TRIGRAM_COUNT; trigram += 1) {
  if (!isWhole(trigram)) seen[trigram] = 1;
}

/**
 * One text's trigrams while they are collected. There is one set in the program, cleared when it is taken: allocating two
 * megabytes per file would cost more than the scan.
 */
export const trigramScratch = { seen, found, count: 0 };

/** The distinct trigrams of a text, separated by spaces. */
export function encodeTrigrams(bytes: Uint8Array): string {
  addTrigrams(bytes);
  if (!isAscii(bytes)) addFoldedTrigrams(bytes);
  return takeTrigrams();
}

export function addTrigrams(bytes: Uint8Array): void {
  let count = trigramScratch.count;
  let trigram = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    trigram = ((trigram << CLASS_BITS) | (byteClasses[bytes[at] as number] as number)) & TRIGRAM_MASK;
    if (seen[trigram] === 0) {
      seen[trigram] = 1;
      found[count++] = trigram;
    }
  }
  trigramScratch.count = count;
}

/**
 * Two characters fold to ASCII ones: the Kelvin sign to k, the long s to s. A text that has them is indexed a second time as it
 * reads when folded, because a search that ignores case requires the trigrams of the ASCII letters.
 */
export function addFoldedTrigrams(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (foldsToAscii.test(text)) addTrigrams(Buffer.from(foldToAscii(text)));
}

const foldsToAscii = /[\u212a\u017f]/;

export function foldToAscii(text: string): string {
  return text.replaceAll('\u212a', 'k').replaceAll('\u017f', 's');
}

/** Encodes what was collected and clears it. */
export function takeTrigrams(): string {
  const { count } = trigramScratch;
  const letters = Buffer.allocUnsafe(count * 5);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const trigram = found[index] as number;
    seen[trigram] = 0;
    at = writeToken(trigram, letters, at);
  }
  trigramScratch.count = 0;
  return letters.toString('latin1', 0, Math.max(0, at - 1));
}

/** Forgets what was collected. */
export function dropTrigrams(): void {
  for (let index = 0; index < trigramScratch.count; index += 1) seen[found[index] as number] = 0;
  trigramScratch.count = 0;
}

/**
 * The words of which every text that contains the literal has all. None: the literal says nothing and texts must be scanned.
 * Outside ASCII, letters that differ in case differ in bytes, so a search that ignores case requires nothing of them.
 */
export function requiredTrigrams(literal: string, options: { readonly ignoreCase: boolean }): string[] {
  const tokens = new Set<string>();
  for (const trigram of requiredTrigramNumbers(literal, options)) tokens.add(trigramToken(trigram));
  return [...tokens];
}

export function requiredTrigramNumbers(literal: string, options: { readonly ignoreCase: boolean }): number[] {
  const bytes = Buffer.from(options.ignoreCase ? foldToAscii(literal) : literal);
  const trigrams: number[] = [];
  let trigram = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    trigram = ((trigram << CLASS_BITS) | (byteClasses[bytes[at] as number] as number)) & TRIGRAM_MASK;
    if (at < 2 || !isWhole(trigram)) continue;
    const highest = (bytes[at] as number) | (bytes[at - 1] as number) | (bytes[at - 2] as number);
    if (!options.ignoreCase || highest < 0x80) trigrams.push(trigram);
  }
  return [...new Set(trigrams)];
}

export function trigramToken(trigram: number): string {
  const letters = Buffer.allocUnsafe(5);
  writeToken(trigram, letters, 0);
  return letters.toString('latin1', 0, 4);
}

const alphabet = Uint8Array.from('abcdefghijklmnopqrstuvwxyz234567', (letter) => letter.charCodeAt(0));

function writeToken(trigram: number, letters: Buffer, at: number): number {
  const dense = ((trigram >> 14) * CLASSES + ((trigram >> 7) & 127)) * CLASSES + (trigram & 127);
  letters[at] = alphabet[dense >> 15] as number;
  letters[at + 1] = alphabet[(dense >> 10) & 31] as number;
  letters[at + 2] = alphabet[(dense >> 5) & 31] as number;
  letters[at + 3] = alphabet[dense & 31] as number;
  letters[at + 4] = 0x20;
  return at + 5;
}

/** Free of white space and of the edge of the text. */
function isWhole(trigram: number): boolean {
  return trigram >> 14 !== WHITE && ((trigram >> 7) & 127) !== WHITE && (trigram & 127) !== WHITE;
}

function classTable(): Uint8Array {
  const table = new Uint8Array(256);
  let next = 1;
  const control = next++;
  for (let byte = 0; byte < 128; byte += 1) {
    const isWhite = byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    if (isWhite) table[byte] = WHITE;
    else if (byte < 0x20 || byte === 0x7f) table[byte] = control;
    else if (!isUpper) table[byte] = next++;
  }
  for (let byte = 0x41; byte <= 0x5a; byte += 1) table[byte] = table[byte + 32] as number;
  for (let byte = 128; byte < 256; byte += 1) table[byte] = next + (byte % WIDE_CLASSES);
  return table;
}
