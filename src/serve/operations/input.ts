/** Fields that several requests take: what is asked about, and which files. */

import { type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { z } from '../../kernel/base/schema.ts';
import { findNearest, shown } from '../../kernel/base/text.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import { knownLanguages, languageOf } from '../../languages/file-language.ts';

export const Limit = z.number().int().min(1).max(10_000);

/** Where a relative path may be meant from; the root otherwise. */
const cwd = z.string().optional();

/** Of a request about one thing. */
export const subjectFields = {
  target: z.string().min(1, 'name a place (file:line:col) or a name path (Class/method)'),
  cwd,
} as const;

/** Of a question that compilers answer. */
export const compilerFields = {
  /** From what is indexed already; no compiler is asked for what is missing. */
  as_indexed: z.boolean().optional(),
} as const;

export const asksCompiler = ({ as_indexed }: { readonly as_indexed?: boolean | undefined }): boolean =>
  as_indexed !== true;

/** Of a request about one file. */
export const targetFields = { path: z.string().min(1, 'name a file'), cwd } as const;

/** What every request for a plan takes besides what it is about. */
export const requestFields = {
  apply: z.boolean().default(false),
  /** Asked again with the same id, the same answer is given and nothing is done twice. */
  request_id: z.string().min(1).max(200).optional(),
} as const;

/** Of a request about one plan. */
export const planFields = { plan_id: z.string().min(1, 'name a plan: plan_list lists them') } as const;

/**
 * Paths as ignore files write them: `lib` and `lib/` mean what is called so at any depth and everything below it, `*.ts` such names at any
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
