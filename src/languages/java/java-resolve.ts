/**
 * Java: imports name types, and files say which types they provide (code-plane.md §3.4): `java:<package>.<Type>`, nested types
 * included, and `java:<package>.*` once per package.
 *
 * A name that no file provides may be a member of one that is (`import static`), or a nested type that its class inherits: the last
 * name is dropped once. What is not found in a package of this repository is `not_found`; any other package is external.
 */

import {
  type CreateResolve,
  createSearch,
  type FileSearch,
  nearestTo,
  type Resolution,
  remembering,
  withoutSelf,
} from '../resolving/resolution.ts';

const createJavaResolve: CreateResolve = (world) =>
  remembering(
    (from) => from,
    (from, { specifier, kind }) => {
      const search = createSearch(world);
      const name = specifier.replace(/^static\s+/, '').replace(/\s+/g, '');
      const isWildcard = name.endsWith('.*') || kind === 'package';
      const path = name.replace(/\.\*$/, '').split('.');
      return isWildcard ? resolveWildcard(search, from, path) : resolveName(search, from, path);
    },
  );

export default createJavaResolve;

/** A whole package, or all members of a type. */
function resolveWildcard(search: FileSearch, from: string, path: readonly string[]): Resolution {
  const files = search.providing(packageName(path));
  if (files.length > 0) return search.found(withoutSelf(files, from));
  return resolveType(search, from, path, 0) ?? miss(search, path, path);
}

function resolveName(search: FileSearch, from: string, path: readonly string[]): Resolution {
  return (
    resolveType(search, from, path, 0) ?? resolveType(search, from, path, 1) ?? miss(search, path, path.slice(0, -1))
  );
}

function resolveType(search: FileSearch, from: string, path: readonly string[], dropped: number): Resolution | null {
  if (path.length <= dropped) return null;
  const files = search.providing(`java:${path.slice(0, path.length - dropped).join('.')}`);
  return files.length > 0 ? search.found(nearestTo(from, files)) : null;
}

/** By convention a package ends where the first capital letter begins; where there is none, it is what is `written` as one. */
function miss(search: FileSearch, path: readonly string[], written: readonly string[]): Resolution {
  const firstType = path.findIndex((part) => /^\p{Lu}/u.test(part));
  const around = firstType > 0 ? path.slice(0, firstType) : written;
  const isOurs = around.length > 0 && search.providing(packageName(around)).length > 0;
  return isOurs ? search.missed('not_found') : search.missed('external', (around.length > 0 ? around : path).join('.'));
}

function packageName(path: readonly string[]): string {
  return `java:${path.join('.')}.*`;
}
