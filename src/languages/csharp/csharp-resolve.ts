/**
 * C#: `using` names a namespace, and every file that declares it answers: `csharp:<Namespace>`. `using static` and aliases name a
 * type: `csharp:<Namespace>.<Type>`, whose parts may lie in several files (code-plane.md §3.4).
 *
 * A name below a namespace of this repository that no file declares is `not_found`; all others are external.
 */

import { type CreateResolve, createSearch, remembering, withoutSelf } from '../resolving/resolution.ts';

/** `System.Text.Json` is named `System.Text`: enough to tell a vendor's product from another. */
const namespaceParts = 2;

const createCSharpResolve: CreateResolve = (world) =>
  remembering(
    (from) => from,
    (from, { specifier }) => {
      const search = createSearch(world);
      const path = pathOf(specifier);
      const files = search.providing(`csharp:${path.join('.')}`);
      if (files.length > 0) return search.found(withoutSelf(files, from));
      const isOurs = path.length > 1 && search.providing(`csharp:${path.slice(0, -1).join('.')}`).length > 0;
      return isOurs ? search.missed('not_found') : search.missed('external', path.slice(0, namespaceParts).join('.'));
    },
  );

export default createCSharpResolve;

/** Type arguments do not say where a type is declared, and `global::` says only that the name is whole. */
function pathOf(specifier: string): readonly string[] {
  return specifier
    .replace(/^(?:static\s+|unsafe\s+)+/, '')
    .replace(/^global::/, '')
    .replace(/<.*$/s, '')
    .replace(/\s+/g, '')
    .split('.')
    .map((part) => part.replace(/^@/, ''));
}
