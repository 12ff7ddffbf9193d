/**
 * The semantic interface of a file: SHA-256 over what it offers to others, with types and relationships (code-plane.md §6.3). `null` is
 * unknown, and is the answer wherever two different interfaces could look alike: a symbol without a signature, a signature that the
 * compiler cut.
 *
 * The syntactic interface is part of it. What indexers give as signature leaves out what is written and not inferred: scip-typescript says
 * `type A` and `interface I` whatever they hold, `class K` whatever it extends, `T: T` whatever bounds it. Together they see what either does.
 */

import { createHash } from 'node:crypto';
import { canonicalJson, compareCodeUnits } from '../../../kernel/base/json.ts';
import { cutDots } from '../../../kernel/formats/scip.ts';
import type { Family } from '../../../languages/context-spec.ts';

export type InterfaceEntry = {
  readonly key: string;
  /** In the order of the document: several of a key are overloads. */
  readonly signatures: readonly (string | null)[];
  /** `kind key` each. */
  readonly relations: readonly string[];
  /** Parameters are in their function's signature, a namespace has none. */
  readonly needsSignature: boolean;
};

export function hashInterface(
  entries: readonly InterfaceEntry[],
  /** The syntactic interface; the bytes where that is unknown, because nobody else can say what is written. */
  written: string,
  family: Family,
): string | null {
  if (!entries.some(({ signatures }) => signatures.some((said) => said !== null))) return null;
  for (const { signatures, needsSignature } of entries) {
    if (needsSignature && (signatures.length === 0 || signatures.includes(null))) return null;
    if (signatures.some((said) => said !== null && isTruncated(said, family))) return null;
  }
  const hash = createHash('sha256').update(`${written}\n`);
  for (const { key, signatures, relations } of [...entries].sort((a, b) => compareCodeUnits(a.key, b.key))) {
    hash.update(`${canonicalJson([key, signatures, [...relations].sort(compareCodeUnits)])}\n`);
  }
  return hash.digest('hex');
}

/**
 * The TypeScript compiler cuts long types: `{ a: string; ... 5 more ...; z: number }`, `[...]`, `{ ...; }`. What is left equals the
 * next cut type too often to tell a change. A rest or spread (`...args`, `...[a]`) has something right behind it; so has a literal
 * that ends in dots its quote.
 */
export function isTruncated(signature: string, family: Family): boolean {
  if (!signature.includes('...')) return false;
  if (/\.\.\. \d+ more /.test(signature)) return true;
  return family === 'typescript' && cutDots.test(signature);
}
