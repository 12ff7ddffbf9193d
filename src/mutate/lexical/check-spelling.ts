/**
 * Languages in which the spelling says who may use a name (mutation.md §2.7, last row): a new name that takes it away from a use is
 * `bindings_change`, with the use. Also names that the language or its library calls by themselves.
 */

import { dirname } from 'node:path/posix';
import { mayHold } from '../../index/state/navigate/find-in-text.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import type { CodeSpan, CompilerEdit, Refusal } from '../compiler/types.ts';
import { findVisibilityChange } from '../names/visibility-by-spelling.ts';
import type { Target } from './find-target.ts';
import { refuse } from './types.ts';

export type Spelling = { readonly refusal?: Refusal; readonly notes: readonly string[] };

export type SpellingCheck = {
  readonly question: Question;
  readonly target: Target;
  readonly language: string;
  readonly oldName: string;
  readonly newName: string;
  readonly isMember: boolean;
  readonly edits: readonly CompilerEdit[];
  readonly definitions: readonly CodeSpan[];
};

/** Methods by which types of Go's library are satisfied: a type that gets one changes what it is, for whoever asks while it runs. */
const goMethods =
  /^(?:String|GoString|Error|Unwrap|Is|As|Read|Write|Close|Seek|Len|Less|Swap|Format|Scan|ServeHTTP|MarshalJSON|UnmarshalJSON|MarshalText|UnmarshalText|MarshalBinary|UnmarshalBinary|Value)$/;

export async function checkSpelling(check: SpellingCheck): Promise<Spelling> {
  const { language, oldName, newName, isMember, target } = check;
  if (language === 'python' && /^__\w+__$/.test(newName))
    return { refusal: refuse('reserved_name', `Python itself calls names like ${newName}`), notes: [] };
  if (language === 'go' && isMember && goMethods.test(newName))
    return { refusal: refuse('collision', `types with ${newName} satisfy interfaces of Go's library`), notes: [] };
  if (language === 'python' && isMangledSomewhere(check)) {
    const why = 'inside a class, a name with two underscores in front is another name than outside';
    return { refusal: refuse('bindings_change', why), notes: [] };
  }
  if (target.kind === 'confined' || target.kind === 'parameter') return { notes: [] };
  const change = findVisibilityChange(language, oldName, newName, isMember);
  if (change === undefined) return { notes: [] };
  const broken = change.breaks === null ? undefined : findBroken(check, change.breaks);
  if (broken !== undefined)
    return {
      refusal: refuse('bindings_change', `${change.says}, and it is used there`, [
        { path: broken.path, start: broken.start, end: broken.end, says: 'this use needs it' },
      ]),
      notes: [],
    };
  if (language === 'python' && change.breaks === null && change.to === 'public') {
    const star = findStarImporter(check, newName);
    if (star !== undefined)
      return { refusal: refuse('bindings_change', `${change.says}, and ${star} has a ${newName}`), notes: [] };
  }
  return { notes: [`the new spelling changes who sees it: ${change.says}`] };
}

function findBroken(
  check: SpellingCheck,
  breaks: 'other_packages' | 'outside_class' | 'star_imports',
): CodeSpan | undefined {
  const { question, edits, definitions, oldName } = check;
  if (breaks === 'other_packages') {
    const packages = new Set(definitions.map(({ path }) => packageOf(question, path)));
    return edits.find(({ path }) => !packages.has(packageOf(question, path)));
  }
  if (breaks === 'star_imports') {
    const star = findStarImporter(check, oldName);
    return star === undefined ? undefined : { path: star, start: 0, end: 0 };
  }
  return edits.find(({ path, start }) => !isInOwnClass(check, path, start));
}

/** Tests of a package may be a package of their own. */
function packageOf(question: Question, path: string): string {
  const name = /^\s*package\s+(\w+)/m.exec(question.source(path)?.text ?? '')?.[1] ?? '';
  return `${dirname(path)}\0${name}`;
}

function isInOwnClass({ question, definitions }: SpellingCheck, path: string, start: number): boolean {
  const source = question.source(path);
  if (source === undefined) return false;
  const byteAt = (index: number) => Buffer.byteLength(source.text.slice(0, index)) + (source.bom ? 3 : 0);
  const classes = question.symbols(path).filter(({ kind }) => kind === 'class');
  const around = (index: number) => {
    const byte = byteAt(index);
    return classes.filter((one) => one.start <= byte && byte < one.end).at(-1);
  };
  const owner = definitions.find((one) => one.path === path);
  const own = owner === undefined ? undefined : around(owner.start);
  return (
    own !== undefined &&
    around(start) === own &&
    definitions.every((one) => one.path === path && around(one.start) === own)
  );
}

/** Names of functions and modules are mangled too where a class uses them. */
function isMangledSomewhere(check: SpellingCheck): boolean {
  const { isMember, newName, oldName, edits, question } = check;
  const mangles = (name: string) => name.startsWith('__') && !name.endsWith('__');
  if (isMember || mangles(newName) === mangles(oldName)) return false;
  return edits.some(({ path, start }) => {
    const source = question.source(path);
    if (source === undefined) return true;
    const byte = Buffer.byteLength(source.text.slice(0, start)) + (source.bom ? 3 : 0);
    return question.symbols(path).some((one) => one.kind === 'class' && one.start <= byte && byte < one.end);
  });
}

/** Somebody takes all public names of a declaring module, and has this one in its text. */
function findStarImporter({ question, definitions, language }: SpellingCheck, name: string): string | undefined {
  for (const { path } of definitions)
    for (const importer of question.importers(path)) {
      const row = question.imports(importer.path)[importer.ordinal];
      const source = question.source(importer.path);
      const isStar = row?.kind !== 'import' && row?.names.some((one) => one.name === '*') === true;
      if (isStar && source !== undefined && mayHold(source, new Set([name]), language)) return importer.path;
    }
  return undefined;
}
