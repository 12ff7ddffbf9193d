/** The languages that are parsed. Apart from `languages.ts` so that asking loads neither parser nor extractors; a test holds them equal. */

const languages: ReadonlySet<string> = new Set(
  'typescript javascript python go rust java c cpp csharp ruby php'.split(' '),
);

export function hasSyntax(language: string): boolean {
  return languages.has(language);
}

export const parsedLanguages: readonly string[] = [...languages];
