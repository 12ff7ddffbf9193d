/** Source text → facts, for tests of extractors, with the checks that must hold for any text in any language. */

import { describeInterface } from '../../src/index/text/interface-hash.ts';
import { decodeLenient } from '../../src/kernel/base/text.ts';
import type { RawFacts } from '../../src/languages/facts.ts';
import type { GrammarName } from '../../src/languages/languages.ts';
import { withParsedSource } from '../../src/languages/parsing/parse-source.ts';
import { extractFacts } from '../../src/languages/readers.ts';
import fc from './properties.ts';

export function extractText(grammar: GrammarName, source: string): Promise<RawFacts> {
  const bytes = new TextEncoder().encode(source);
  const text = decodeLenient(bytes);
  return withParsedSource(grammar, bytes, ({ root, hasErrors }) =>
    extractFacts({ root, text, path: `source.${grammar}`, hasErrors }, grammar),
  );
}

/** The texts that count, after the tree is gone, as they enter the hash. */
export async function interfaceHash(grammar: GrammarName, source: string): Promise<string | undefined> {
  return describeInterface(await extractText(grammar, source))?.core.hash;
}

/** Throws what is wrong with the facts of a text. */
export async function checkFacts(grammar: GrammarName, source: string): Promise<void> {
  const facts = await extractText(grammar, source);
  const wrong = facts.symbols.filter(
    (symbol, index) =>
      symbol.parent >= index ||
      symbol.name === '' ||
      symbol.nameStart < symbol.start ||
      symbol.nameEnd > symbol.end ||
      symbol.end > source.length,
  );
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
  for (const { start, end } of [...facts.imports, ...facts.dynamicSites]) {
    if (start < 0 || start > end || end > source.length) throw new Error(`a span outside the text: ${start}-${end}`);
  }
  describeInterface(facts);
}

/** Any text at all, and real sources with pieces cut out, moved or repeated. */
export function brokenSources(...sources: readonly string[]): fc.Arbitrary<string> {
  const cut = fc
    .tuple(fc.constantFrom(...sources), fc.nat(), fc.nat(200), fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(([source, from, length, to, extra]) => {
      const start = from % (source.length + 1);
      const rest = source.slice(0, start) + extra + source.slice(start + length);
      const at = to % (rest.length + 1);
      return (rest.slice(0, at) + source.slice(start, start + length) + rest.slice(at)).toWellFormed();
    });
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.toWellFormed()),
    { weight: 4, arbitrary: cut },
  );
}
