/** What an indexer says about a symbol's type, as one line of text, and where the TypeScript compiler cut it. */

import type { ScipSymbol } from './types.ts';

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
