/** Which files can name the same things: languages that import one another, and files in which code of theirs lies that is not parsed. */

export type LanguageFamily = {
  readonly code: readonly string[];
  /** Code-bearing text: its tokens are found by text and bound by nobody. */
  readonly holders: RegExp | null;
};

const families: readonly LanguageFamily[] = [
  { code: ['typescript', 'javascript'], holders: /\.(?:vue|svelte|astro|mdx|html?|ejs|hbs)$/i },
  { code: ['python'], holders: /\.ipynb$/i },
  { code: ['c', 'cpp'], holders: /\.mm?$/ },
  { code: ['java'], holders: /\.(?:kts?|scala|jsp)$/ },
  { code: ['csharp'], holders: /\.(?:razor|cshtml)$/i },
  { code: ['ruby'], holders: /\.erb$/i },
  { code: ['php'], holders: /\.(?:phtml|twig)$/i },
  ...['go', 'rust'].map((language) => ({ code: [language], holders: null })),
];

export function findFamily(language: string | null): LanguageFamily | undefined {
  return families.find(({ code }) => language !== null && code.includes(language));
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
  return language === 'java' || language === 'csharp' || language === 'php' || language === 'rust';
}
