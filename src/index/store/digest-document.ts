/** What a document says, and what it depended on, as hashes: equal ones mean that no row of it need be written again. */

import { createHash } from 'node:crypto';
import type { DependencySnapshot, DocumentFacts, SymbolIdentity } from './document-facts.ts';

/** Of everything that becomes rows; not of `lineHashes`, `semIface` and the content hash, which lie in the facts row itself. */
export function digestDocument({ occurrences, symbols, infos, relations, items }: DocumentFacts): string {
  // Lengths tell where one text ends, whatever is in it.
  const lengths = new Int32Array(symbols.length + 1);
  let text = '';
  for (let at = 0; at < symbols.length; at += 1) {
    const { key } = symbols[at] as SymbolIdentity;
    lengths[at] = key.length;
    text += key;
  }
  for (const { symbol, raw, kind, signature, sigHash } of infos) {
    text += `${symbol} ${kind} ${sigHash} ${raw.length} ${signature?.length} ${raw}${signature}`;
  }
  text += JSON.stringify([relations, items]);
  lengths[symbols.length] = infos.length;
  const sizes = Int32Array.of(lengths.length, occurrences.length);
  const hash = createHash('sha256').update(bytesOf(sizes)).update(bytesOf(lengths)).update(bytesOf(occurrences));
  return hash.update(text).digest('hex').slice(0, digits);
}

export function digestDependencies(deps: readonly DependencySnapshot[]): string {
  const hash = createHash('sha256');
  for (const { path, syn, sem } of deps) hash.update(`${path}\0${syn}\0${sem}\n`);
  return hash.digest('hex').slice(0, digits);
}

const digits = 32;

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
