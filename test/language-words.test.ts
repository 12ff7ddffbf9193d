/**
 * M10: no word of a language gets lost. `language-words.golden` beside the fixtures has what each language reserves, and the words of its
 * grammar that it does not reserve because they can be names somewhere. `UPDATE_GOLDENS=1` writes it anew; read every line.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Language as Grammar } from 'web-tree-sitter';
import type { Language } from '../src/languages/language.ts';
import type { GrammarName } from '../src/languages/languages.ts';
import { withGrammarTree } from '../src/languages/parsing/parse-source.ts';
import { languages } from '../src/languages/registry.gen.ts';

const file = join(import.meta.dirname, 'fixtures/language-words.golden');

test('M10 every language reserves the words that it did, and knows every word of its grammars', async () => {
  const told: string[] = [];
  for (const language of languages as readonly Language[]) {
    const words = new Set<string>();
    for (const [kind, text] of Object.entries(language.reserved)) {
      const list = text.split(/\s+/).filter((word) => word !== '');
      for (const word of list) words.add(word);
      told.push(`${language.name} ${kind}: ${list.join(' ')}`);
    }
    const others = new Set<string>();
    for (const grammar of Object.keys(language.grammars) as GrammarName[])
      for (const word of await wordsOf(grammar)) if (!words.has(word)) others.add(word);
    told.push(`${language.name} may be names: ${[...others].sort().join(' ') || '(none)'}`);
  }
  const found = `${told.join('\n')}\n`;
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, found);
  expect(found).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '(no golden yet: run with UPDATE_GOLDENS=1)');
});

/** What the grammar spells in letters alone: its own words, and no names of its nodes. */
function wordsOf(grammar: GrammarName): Promise<string[]> {
  return withGrammarTree(grammar, '', ({ root }) => {
    const language = root.tree.language as unknown as Grammar;
    const ids = Array.from({ length: language.nodeTypeCount }, (_, id) => id);
    const own = ids.filter((id) => language.nodeTypeIsVisible(id) && !language.nodeTypeIsNamed(id));
    const types = own.flatMap((id) => language.nodeTypeForId(id) ?? []);
    return [...new Set(types)].filter((type) => /^[A-Za-z_]\w*$/.test(type));
  });
}
