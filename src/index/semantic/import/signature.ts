/** What an indexer says about a symbol's type, as one line of text; and whether that is all of it. */

import type { ScipSymbol } from '../scip/types.ts';
import type { Family } from '../types.ts';

const fenced = /^```[\w-]*\n([\s\S]*?)\n?```/;

/** From `signature_documentation`, else from the first code block of the documentation; white space normalised. `null`: none is given. */
export function signatureOf({
  signature,
  documentation,
}: Pick<ScipSymbol, 'signature' | 'documentation'>): string | null {
  const said = signature === '' ? fenced.exec(documentation[0] ?? '')?.[1] : signature;
  if (said === undefined) return null;
  const line = (/\s\s|[\t\n\r]/.test(said) ? said.replace(/\s+/g, ' ') : said).trim();
  return line === '' ? null : line;
}

/** Where the TypeScript compiler cut a type. */
export const cutDots = /\.\.\.(?![\p{ID_Start}$_[({'"`\\.])/u;

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
