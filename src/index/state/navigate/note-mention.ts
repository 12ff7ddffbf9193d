/** Doubts that a mention brings: strings that stand where a name could, and documentation that compilers read. */

import { isJavaScript } from '../../../languages/language-family.ts';
import type { Token } from '../../../languages/tokens.ts';
import type { Tally } from './tally.ts';

export function noteMention(
  tally: Tally,
  language: string,
  text: string,
  token: Pick<Token, 'start' | 'end' | 'class' | 'role'>,
): void {
  if (token.class === 'comment' && isJavaScript(language)) {
    const open = text.lastIndexOf('/*', token.start);
    const isDocumentation = open >= 0 && text.startsWith('/**', open) && text.slice(open, open + 5_000).includes('@');
    if (isDocumentation) tally.doubts.add('documentation comments name it');
  }
  if (token.class !== 'string') return;
  if (!isJavaScript(language)) {
    // Format strings, annotations in quotes, `compact('x')`: what a string names is known to the language and not to us.
    const isCertain = token.role === 'docstring' || (tally.family.isConfined && language === 'python');
    if (!isCertain) tally.doubts.add('strings that could name it');
    return;
  }
  if (tally.family.isConfined) return;
  const quote = text[token.start - 1] ?? '';
  if (!/['"`]/.test(quote) || text[token.end] !== quote) return;
  const before = text.slice(Math.max(0, token.start - 60), token.start - 1);
  const after = text.slice(token.end + 1, token.end + 20);
  const isKey = /^\s*[:\]]/.test(after) || /^\s*(?:as|in)\b/.test(after) || /\bas\s*$/.test(before);
  const isNamed = /\bdefineProperty\s*\([^()]*$/.test(before);
  if (isKey || isNamed) tally.doubts.add('strings that could name it');
}
