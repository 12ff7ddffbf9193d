/**
 * Source text with marks in it: `«x»` and `‹x›` are two sorts of places, each in document order. What a case says about a program is
 * then inside the program.
 */

import { decodeLenient } from '../../src/kernel/base/text.ts';
import type { SourceTree, TextSpan } from '../../src/languages/facts.ts';
import { findLanguage, grammarOf } from '../../src/languages/languages.ts';
import { withParsedSource } from '../../src/languages/parsing/parse-source.ts';

export type MarkedSource = {
  readonly text: string;
  /** What stands between « and ». */
  readonly marks: readonly TextSpan[];
  /** What stands between ‹ and ›. */
  readonly others: readonly TextSpan[];
};

export function readMarked(marked: string): MarkedSource {
  const marks: TextSpan[] = [];
  const others: TextSpan[] = [];
  let text = '';
  let start = 0;
  for (const character of marked) {
    if (character === '«' || character === '‹') start = text.length;
    else if (character === '»') marks.push({ start, end: text.length });
    else if (character === '›') others.push({ start, end: text.length });
    else text += character;
  }
  return { text, marks, others };
}

/** Parses a text as one language and hands out its tree, which lives as long as `use` runs. */
export function withSource<T>(
  language: string,
  text: string,
  use: (source: SourceTree) => T,
  path = `source.${findLanguage(language)?.extensions[0]}`,
): Promise<T> {
  const declared = findLanguage(language);
  if (declared === undefined) throw new Error(`no grammar for ${language}`);
  const bytes = Buffer.from(text);
  return withParsedSource(grammarOf(declared, path), bytes, ({ root, hasErrors }) =>
    use({ root, hasErrors, path, text: decodeLenient(bytes) }),
  );
}
