/** Is there anything here that is a program? Data and prose alone have no code to scan. */

import type { RepoSnapshot } from '../../../gather/contract.ts';
import { dataLanguages, languageOf } from '../../../kernel/repo/language.ts';

export function hasSource({ detectedLanguages }: RepoSnapshot): boolean {
  return Object.entries(detectedLanguages).some(([language, files]) => files > 0 && !dataLanguages.has(language));
}

/** Is it code, by its name? */
export function isSource(path: string): boolean {
  const language = languageOf(path);
  return language !== null && !dataLanguages.has(language);
}
