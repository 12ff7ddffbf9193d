/** A file's text → facts, for tests of extractors that look at the path too, and layouts of the same tokens for languages like C. */

import { describeInterface } from '../../src/index/text/interface-hash.ts';
import type { RawFacts } from '../../src/languages/facts.ts';
import { languageOf } from '../../src/languages/file-language.ts';
import { findLanguage, grammarOf } from '../../src/languages/languages.ts';
import { withParsedSource } from '../../src/languages/parsing/parse-source.ts';
import { extractFacts } from '../../src/languages/readers.ts';
import fc from './properties.ts';

export function extractFile(path: string, text: string): Promise<RawFacts> {
  const language = findLanguage(languageOf(path) ?? '');
  if (language === undefined) throw new Error(`no language for ${path}`);
  return withParsedSource(grammarOf(language, path), text, ({ root, hasErrors }) =>
    extractFacts({ root, text, path, hasErrors }, language.name),
  );
}

export async function interfaceOf(path: string, text: string): Promise<string | undefined> {
  return describeInterface(await extractFile(path, text))?.core.hash;
}

/** Throws what is wrong with the facts of any text. */
export async function checkFile(path: string, text: string): Promise<void> {
  const facts = await extractFile(path, text);
  const isInside = (start: number, end: number) => 0 <= start && start <= end && end <= text.length;
  const wrong = [
    ...facts.symbols.filter(
      ({ parent, name, start, end, nameStart, nameEnd }, index) =>
        parent >= index || name === '' || !isInside(start, end) || nameStart < start || nameEnd > end,
    ),
    ...[...facts.imports, ...facts.dynamicSites].filter(({ start, end }) => !isInside(start, end)),
  ];
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  describeInterface(facts);
}

/**
 * Declarations are written as tokens with spaces between them, `BODY` for what no other file sees. Spaces inside quotes are no layout.
 * Every gap is laid out alone: white space, a line, or a comment that looks like code.
 */
export const gap: fc.Arbitrary<string> = fc.constantFrom(' ', '\t', '\n', '  \r\n ', ' /* " } */ ', ' // fn x() { "\n');

export function layOut(declarations: readonly string[], gaps: readonly string[], bodies: readonly string[]): string {
  let gapAt = 0;
  let bodyAt = 0;
  return declarations
    .map((text) =>
      text
        .replace(/("(?:[^"\\]|\\.)*"|'\\?.')| /g, (_, quoted?: string) => quoted ?? gaps[gapAt++ % gaps.length] ?? ' ')
        .replaceAll('BODY', () => bodies[bodyAt++ % bodies.length] ?? '{ }'),
    )
    .join('\n');
}
