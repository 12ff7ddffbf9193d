/** What languages have in common that ask for names instead of paths: packages and namespaces say which files answer. */

import { directoryOf } from './root-paths.ts';

/** A package that asks for its own does not depend on itself; a file alone in it answers for itself. */
export function withoutSelf(files: readonly string[], from: string): readonly string[] {
  const others = files.filter((file) => file !== from);
  return others.length > 0 ? others : files;
}

/**
 * Of several files that declare the same type, those that share most of their directories with the asking file: two modules of a
 * build may each have a `com.acme.App`, and each means its own.
 */
export function nearestTo(from: string, files: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const home = directoryOf(from).split('/');
  let nearest: string[] = [];
  let best = -1;
  for (const file of files) {
    const shared = countShared(home, directoryOf(file).split('/'));
    if (shared > best) [best, nearest] = [shared, []];
    if (shared === best) nearest.push(file);
  }
  return nearest;
}

function countShared(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
