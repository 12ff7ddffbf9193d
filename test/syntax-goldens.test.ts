/**
 * S1: what each extractor finds in the sources below `test/fixtures/syntax/<language>/`, compared with the `.golden` beside them.
 * `UPDATE_GOLDENS=1` writes the goldens anew; they are read by a person before they are kept.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeLenient } from '../src/kernel/base/text.ts';
import type { RawFacts } from '../src/languages/facts.ts';
import { findLanguage, grammarOf } from '../src/languages/languages.ts';
import { withParsedSource } from '../src/languages/parsing/parse-source.ts';
import { extractFacts } from '../src/languages/readers.ts';
import { languages } from '../src/languages/registry.gen.ts';
import { annotateSyntax } from './support/annotate-syntax.ts';

const root = join(import.meta.dirname, 'fixtures/syntax');
const update = process.env['UPDATE_GOLDENS'] === '1';

for (const { name } of languages) {
  for (const file of listSources(name)) {
    test(`S1 ${name}/${file}`, async () => {
      const golden = join(root, name, `${file}.golden`);
      const found = await annotate(name, file);
      if (update) writeFileSync(golden, found);
      expect(found).toBe(
        existsSync(golden) ? readFileSync(golden, 'utf8') : '(no golden yet: run with UPDATE_GOLDENS=1)',
      );
    });
  }
}

function listSources(name: string): string[] {
  const folder = join(root, name);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => !file.endsWith('.golden'))
        .sort()
    : [];
}

async function annotate(name: string, file: string): Promise<string> {
  const language = findLanguage(name);
  if (language === undefined) throw new Error(`no language ${name}`);
  const bytes = readFileSync(join(root, name, file));
  const text = decodeLenient(bytes);
  return withParsedSource(grammarOf(language, file), bytes, ({ root, hasErrors }) => {
    const facts = extractFacts({ root, text, path: file, hasErrors }, name);
    expect(findDisorder(facts, text)).toEqual([]);
    return annotateSyntax(text, facts);
  });
}

/** What must hold of any facts of any language. */
function findDisorder(facts: RawFacts, text: string): string[] {
  const inside = (start: number, end: number) => 0 <= start && start <= end && end <= text.length;
  return [
    ...facts.symbols.flatMap((symbol, index) => [
      ...(symbol.parent < index ? [] : [`parent of ${symbol.name} comes later`]),
      ...(symbol.name === '' ? [`a symbol without a name at ${symbol.start}`] : []),
      ...(inside(symbol.start, symbol.end) && symbol.start <= symbol.nameStart && symbol.nameEnd <= symbol.end
        ? []
        : [`${symbol.name} lies outside its own declaration`]),
    ]),
    ...[...facts.imports, ...facts.dynamicSites].flatMap(({ start, end }) =>
      inside(start, end) ? [] : [`a span outside the text: ${start}-${end}`],
    ),
  ];
}
