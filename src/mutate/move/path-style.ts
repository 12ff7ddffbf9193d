/**
 * How a path names a file, and the same way of naming for another file: whole, without its ending, with the ending it has when it is
 * built, or by the directory whose index it is. Pure; paths are root-relative with `/`.
 */

import { posix } from 'node:path';
import { directoryOf } from '../../languages/resolving/root-paths.ts';

export type PathStyle =
  | { readonly kind: 'whole' }
  | { readonly kind: 'stem' }
  | { readonly kind: 'built'; readonly ending: string }
  | { readonly kind: 'directory' };

const sourceEnding = /(?:\.d)?\.[cm]?[jt]sx?$/;
const builtEnding = /\.[cm]?jsx?$/;

export function stemOf(path: string): string {
  return path.replace(sourceEnding, '');
}

export function isIndex(path: string): boolean {
  return sourceEnding.test(path) && posix.basename(stemOf(path)) === 'index';
}

/** `named`: what a specifier means as a path, before any ending is looked for. */
export function styleOf(named: string, file: string): PathStyle | undefined {
  if (named === file) return { kind: 'whole' };
  if (named === stemOf(file)) return { kind: 'stem' };
  const ending = builtEnding.exec(named)?.[0];
  if (ending !== undefined && named.slice(0, -ending.length) === stemOf(file)) return { kind: 'built', ending };
  return isIndex(file) && named === directoryOf(file) ? { kind: 'directory' } : undefined;
}

/** Undefined where a file has no such name. */
export function nameIn(style: PathStyle, file: string): string | undefined {
  switch (style.kind) {
    case 'whole':
      return file;
    case 'stem':
      return stemOf(file);
    case 'built':
      return stemOf(file) + builtEndingOf(file, style.ending);
    case 'directory':
      return isIndex(file) ? directoryOf(file) : undefined;
  }
}

/**
 * For a file that moves: the same style first, then what comes nearest to it, should that not be understood. A file that becomes an index
 * is named as people name those, one that was named `index` stays so.
 */
export function namesAfter(style: PathStyle, before: string, after: string): readonly string[] {
  const inOrder: Readonly<Record<PathStyle['kind'], readonly PathStyle['kind'][]>> = {
    whole: ['whole', 'built', 'stem'],
    built: ['built', 'whole', 'stem'],
    directory: ['directory', 'stem', 'built', 'whole'],
    stem: isIndex(before) ? ['stem', 'directory', 'built', 'whole'] : ['directory', 'stem', 'built', 'whole'],
  };
  const ending = style.kind === 'built' ? style.ending : '.js';
  const names = inOrder[style.kind].flatMap((kind) => nameIn({ kind, ending }, after) ?? []);
  return [...new Set(names)];
}

function builtEndingOf(file: string, before: string): string {
  const ending = sourceEnding.exec(file)?.[0] ?? '';
  if (ending === '') return '';
  if (/m[jt]s$/.test(ending)) return '.mjs';
  if (/c[jt]s$/.test(ending)) return '.cjs';
  return before === '.jsx' && ending.endsWith('x') ? '.jsx' : '.js';
}

/** Deeper than any path leads out of the root, so that what lies beside it can be named too. */
const deep = `/${'d/'.repeat(64)}`;

/** What a relative specifier in a directory means; begins with `..` where it leads out of the root. */
export function pathNamed(directory: string, specifier: string): string {
  return posix.join(directory, specifier).replace(/^\.$|(?<=.)\/$/, '');
}

/** As a relative specifier, which always shows that it is one. */
export function relativeTo(directory: string, path: string): string {
  const found = posix.relative(posix.join(deep, directory), posix.join(deep, path));
  if (found === '') return '.';
  return found === '..' || found.startsWith('../') ? found : `./${found}`;
}
