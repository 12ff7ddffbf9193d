/** Which files a question is about, as people write it: globs that need no `**`, languages by name or by extension. */

import { type NotAnswered, notAnswered } from '../../../index/state/target/not-answered.ts';
import { findNearest } from '../../../kernel/base/nearest.ts';
import { compileGlobs, isGlob } from '../../../kernel/repo/glob.ts';
import { knownLanguages, languageOf } from '../../../kernel/repo/language.ts';
import { shown } from './words.ts';

/**
 * As ignore files are written: `lib` and `lib/` mean what is called so at any depth and everything below it, `*.ts` such names at any
 * depth, and what has a slash inside is meant from the root. With a leading `!` they exclude.
 */
export function readPathGlobs(given: readonly string[]): readonly string[] {
  return given.flatMap((text) => {
    const mark = text.startsWith('!') ? '!' : '';
    const path = text
      .slice(mark.length)
      .replace(/^(?:\.?\/)+/, '')
      .replace(/\/+$/, '');
    if (path === '' || path === '.') return [`${mark}**`];
    const places = path.includes('/') ? [path] : [path, `**/${path}`];
    const globs = isGlob(path) ? places : places.flatMap((place) => [place, `${place}/**`]);
    return globs.map((glob) => `${mark}${glob}`);
  });
}

export function compilePathFilter(globs: readonly string[]): (path: string) => boolean {
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const included = globs.filter((glob) => !glob.startsWith('!'));
  const isExcluded = excluded.length === 0 ? () => false : compileGlobs(excluded);
  const isIncluded = included.length === 0 ? () => true : compileGlobs(included);
  return (path) => isIncluded(path) && !isExcluded(path);
}

/** `ts` is as good as `typescript`. `present`: languages of this repository, which configuration may have added. */
export function readLanguages(given: readonly string[], present: readonly string[]): readonly string[] | NotAnswered {
  const known = [...new Set<string>([...knownLanguages, ...present])];
  const languages: string[] = [];
  for (const text of given) {
    const name = text.toLowerCase();
    const language = known.includes(name) ? name : (spoken[name] ?? languageOf(`x.${name}`));
    if (language === null) {
      const nearest = findNearest(name, known);
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      return notAnswered('invalid', `lang: '${shown(text, 80)}' is no language that is known here${hint}`, present);
    }
    languages.push(language);
  }
  return languages;
}

const spoken: Readonly<Record<string, string>> = { 'c++': 'cpp', 'c#': 'csharp', golang: 'go', bash: 'shell' };
