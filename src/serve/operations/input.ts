/** Inputs that say what is wrong with them: the field, what was given, what is accepted, the nearest match (surfaces.md §2). */

import { type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { z } from '../../kernel/base/schema.ts';
import { findNearest, singleLine, truncate } from '../../kernel/base/text.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import { knownLanguages, languageOf } from '../../languages/file-language.ts';
import { shown } from './answer-words.ts';

/** An object without other fields than these. */
export function strictInput<S extends z.core.$ZodLooseShape>(shape: S) {
  const fields = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [given = ''] = issue.keys as readonly string[];
      return `unknown field '${show(given)}'${hint(given, fields)}; accepted: ${fields.join(', ')}`;
    },
  });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: (issue) => {
      const given = typeof issue.input === 'string' ? issue.input : String(JSON.stringify(issue.input));
      return `'${show(given)}' is not known${hint(given, values)}; accepted: ${values.join(', ')}`;
    },
  });
}

export const Limit = z.number().int().min(1).max(10_000);

function hint(given: string, known: readonly string[]): string {
  const nearest = findNearest(given, known);
  return nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
}

function show(given: string): string {
  return truncate(singleLine(given), 80);
}

// What operations about one thing or one file take, before it is looked for (`index/navigate/find-target-file.ts`).

/** Where a relative path may be meant from; the root otherwise. */
const cwd = z.string().optional();

export const subjectFields = {
  target: z.string().min(1, 'name a place (file:line:col) or a name path (Class/method)'),
  cwd,
} as const;

export const targetFields = { path: z.string().min(1, 'name a file'), cwd } as const;

// Which files a question is about, as people write it: globs that need no `**`, languages by name or by extension.

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
