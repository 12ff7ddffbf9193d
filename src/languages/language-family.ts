/** Which files can name the same things: languages that import one another, and files in which code of theirs lies that is not parsed. */

import type { Language } from './language.ts';
import { findLanguage } from './languages.ts';
import { languages } from './registry.gen.ts';

export type LanguageFamily = {
  readonly code: readonly string[];
  /** Code-bearing text: its tokens are found by text and stay unbound. */
  readonly holders: RegExp | null;
};

/** Languages without a family of another name are the head of their own. */
const families: ReadonlyMap<string, LanguageFamily> = new Map(
  languages
    .filter((language: Language) => language.family === undefined)
    .map((head: Language): [string, LanguageFamily] => {
      const others = languages.filter((language: Language) => language.family === head.name);
      return [head.name, { code: [head, ...others].map(({ name }) => name), holders: head.holders ?? null }];
    }),
);

export function findFamily(language: string | null): LanguageFamily | undefined {
  const declared = language === null ? undefined : findLanguage(language);
  return declared === undefined ? undefined : families.get(declared.family ?? declared.name);
}

/** A language that is not read stands for itself. */
export function familyOf(language: string): LanguageFamily {
  return findFamily(language) ?? { code: [language], holders: null };
}

export function isJavaScript(language: string): boolean {
  return language === 'typescript' || language === 'javascript';
}

/** Languages whose names are found through `use` and `import` of types, which their scope models leave unbound. */
export function importsTypes(language: string): boolean {
  return findLanguage(language)?.importsTypes === true;
}
