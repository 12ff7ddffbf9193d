/**
 * What a refresh job is asked to look at, as a lattice (code-plane.md §7): `null` is the whole context and absorbs everything, the
 * union of two lists is their sorted union. R23: scopes only widen, so whatever is asked stays covered.
 *
 * A list says nothing about the other one: which files a package holds is the adapter's business, so a package does not cover the
 * files in it here.
 */

import { canonicalJson, compareCodeUnits, isJsonObject } from '../../kernel/base/json.ts';

/** `null`: the whole context. Lists are sorted and distinct; both empty means nothing and is never stored. */
export type RefreshScope = { readonly files: readonly string[]; readonly packages: readonly string[] } | null;

/** Sorted and distinct, as scopes are stored. */
export function makeScope(files: Iterable<string>, packages: Iterable<string> = []): NonNullable<RefreshScope> {
  return { files: sortDistinct(files), packages: sortDistinct(packages) };
}

/** Asks for nothing; never stored. */
export function isEmptyScope(scope: RefreshScope): boolean {
  return scope !== null && scope.files.length === 0 && scope.packages.length === 0;
}

export function unionScopes(a: RefreshScope, b: RefreshScope): RefreshScope {
  if (a === null || b === null) return null;
  return makeScope([...a.files, ...b.files], [...a.packages, ...b.packages]);
}

/** Whether a job with scope `wide` looks at everything that `narrow` asks for. */
export function coversScope(wide: RefreshScope, narrow: RefreshScope): boolean {
  if (wide === null) return true;
  if (narrow === null) return false;
  return holdsAll(wide.files, narrow.files) && holdsAll(wide.packages, narrow.packages);
}

/** Canonical JSON: two scopes are equal iff their texts are. `null` stays null, as in the column. */
export function renderScope(scope: RefreshScope): string | null {
  return scope === null ? null : canonicalJson(makeScope(scope.files, scope.packages));
}

/** What `renderScope` wrote. A text that is not a scope is read as the whole context: more is done, nothing is missed. */
export function parseScope(text: string | null): RefreshScope {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { files, packages } = value;
  return isTextList(files) && isTextList(packages) ? makeScope(files, packages) : null;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function holdsAll(wide: readonly string[], narrow: readonly string[]): boolean {
  if (narrow.length > wide.length) return false;
  const known = new Set(wide);
  return narrow.every((item) => known.has(item));
}

function sortDistinct(items: Iterable<string>): string[] {
  return [...new Set(items)].sort(compareCodeUnits);
}
