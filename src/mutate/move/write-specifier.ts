/**
 * A specifier anew, after its file or the file it means has moved: relative stays relative, an alias stays an alias while it reaches,
 * endings are written as they were. What is proposed was tried first, with the resolution that the index uses for imports.
 */

import { posix } from 'node:path';
import { directoryOf, isRelativeName } from '../../languages/resolving/root-paths.ts';
import { nameIn, namesAfter, type PathStyle, pathNamed, relativeTo, styleOf } from './path-style.ts';

type SpecifierMove = {
  readonly specifier: string;
  /** The file it stands in, before and after. */
  readonly from: string;
  readonly fromAfter: string;
  /** The file it means; null where nothing in scope answers, which stays so. */
  readonly target: string | null;
  readonly targetAfter: string | null;
};

/** What a specifier in a file would mean after the move. */
export type ResolveAfter = (from: string, specifier: string) => string | undefined;

export type Written =
  | { readonly kind: 'same' }
  | { readonly kind: 'new'; readonly specifier: string }
  /** The new place can only be named by giving up the name of a package or an alias. */
  | { readonly kind: 'relative'; readonly specifier: string };

export function writeSpecifier(move: SpecifierMove, resolveAfter: ResolveAfter): Written {
  const { specifier, query } = splitQuery(move.specifier);
  const plain = { ...move, specifier };
  const written = isRelativeName(specifier) ? writeRelative(plain, resolveAfter) : writeNamed(plain, resolveAfter);
  if (written.kind === 'same' || written.specifier === specifier) return { kind: 'same' };
  return { ...written, specifier: written.specifier + query };
}

/** `./icon.svg?react`: what bundlers are told about the file stays as it is. */
function splitQuery(specifier: string): { readonly specifier: string; readonly query: string } {
  const at = specifier.indexOf('?');
  return at < 0 ? { specifier, query: '' } : { specifier: specifier.slice(0, at), query: specifier.slice(at) };
}

function writeRelative(move: SpecifierMove, resolveAfter: ResolveAfter): Written {
  const { specifier, from, fromAfter, target, targetAfter } = move;
  const home = directoryOf(fromAfter);
  const named = pathNamed(directoryOf(from), specifier);
  const slash = specifier.endsWith('/') ? '/' : '';
  if (target === null || targetAfter === null) {
    return directoryOf(from) === home ? { kind: 'same' } : { kind: 'new', specifier: relativeTo(home, named) + slash };
  }
  if (resolveAfter(fromAfter, specifier) === targetAfter) return { kind: 'same' };
  const style = styleOf(named, target);
  const names = namesAfter(style ?? { kind: 'stem' }, target, targetAfter);
  // What a file is called by its directory's package, or otherwise unusually, still leads there if it has not moved.
  const candidates = [...(target === targetAfter ? [named] : []), ...names].map(
    (name) => relativeTo(home, name) + (isDirectoryOf(name, targetAfter) ? slash : ''),
  );
  return firstUnderstood(candidates, fromAfter, targetAfter, resolveAfter);
}

function isDirectoryOf(name: string, file: string): boolean {
  return name === directoryOf(file);
}

/** Where none is, the first is what was meant; the proof says whether it holds. */
function firstUnderstood(
  candidates: readonly string[],
  fromAfter: string,
  target: string,
  resolveAfter: ResolveAfter,
): Written {
  const found = candidates.find((candidate) => resolveAfter(fromAfter, candidate) === target) ?? candidates[0];
  return found === undefined ? { kind: 'same' } : { kind: 'new', specifier: found };
}

const styles: readonly PathStyle[] = [
  { kind: 'whole' },
  { kind: 'built', ending: '.js' },
  { kind: 'stem' },
  { kind: 'directory' },
];

/** Aliases of a configuration, `#` imports, names of packages. */
function writeNamed(move: SpecifierMove, resolveAfter: ResolveAfter): Written {
  const { specifier, fromAfter, target, targetAfter } = move;
  if (target === null || targetAfter === null) return { kind: 'same' };
  if (resolveAfter(fromAfter, specifier) === targetAfter) return { kind: 'same' };
  const kept = listNamed(specifier, target, targetAfter).find(
    (candidate) => resolveAfter(fromAfter, candidate) === targetAfter,
  );
  if (kept !== undefined) return { kind: 'new', specifier: kept };
  const style = styles.find((one) => {
    const name = nameIn(one, target);
    return name !== undefined && posix.basename(name) === posix.basename(specifier);
  });
  const names = namesAfter(style ?? { kind: 'stem' }, target, targetAfter);
  const candidates = names.map((name) => relativeTo(directoryOf(fromAfter), name));
  const written = firstUnderstood(candidates, fromAfter, targetAfter, resolveAfter);
  return written.kind === 'new' ? { kind: 'relative', specifier: written.specifier } : written;
}

/**
 * `@/lib/a` for `src/lib/a.ts` says that `@/` may stand for `src/`, or `@/lib/` for `src/lib/`: what both end in is taken off, the most
 * first, and put back for the new place.
 */
function listNamed(specifier: string, target: string, targetAfter: string): readonly string[] {
  const own = specifier.split('/');
  const found = new Set<string>();
  for (const style of styles) {
    const theirs = nameIn(style, target)?.split('/') ?? [];
    const shared = countShared(own, theirs);
    for (let length = shared; length > 0; length -= 1) {
      const prefix = own.slice(0, -length).map((part) => `${part}/`);
      const base = theirs.slice(0, -length).map((part) => `${part}/`);
      for (const name of namesAfter(style, target, targetAfter))
        if (name.startsWith(base.join(''))) found.add(prefix.join('') + name.slice(base.join('').length));
    }
  }
  return [...found];
}

function countShared(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
