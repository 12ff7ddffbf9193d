/** The table of languages, found by name. A language that has no folder here is text only. Loads no parser and no extractor. */

import type { Language } from './language.ts';
import { languages } from './registry.gen.ts';

const byName: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.name, language]));

export function findLanguage(name: string): Language | undefined {
  return byName.get(name);
}

/** Is there a parser for it? */
export function hasSyntax(name: string): boolean {
  return byName.has(name);
}

/** The grammar that reads a file of the language. */
export function grammarOf(language: Language, path: string): GrammarName {
  return (language.grammarOf?.(path) ?? Object.keys(language.grammars)[0]) as GrammarName;
}

type KeysOfEach<T> = T extends unknown ? keyof T : never;

export type GrammarName = KeysOfEach<(typeof languages)[number]['grammars']>;
