/**
 * The files a configuration names, exactly as the compiler lists them (`parseJsonConfigFileContent().fileNames`, without JSON): what
 * `files` says, and what `include` means without `exclude`; of files that differ in their extension alone only the one that stands for
 * the others. `test/semantic/contexts-agree.test.ts` holds it equal to the compiler.
 */

import type { ConfigInputs } from '../../resolve/javascript/config-inputs.ts';
import {
  type ConfigPattern,
  enter,
  isThrough,
  matchesFile,
  statesAt,
} from '../../resolve/javascript/config-patterns.ts';
import { isWithin } from '../../resolve/shared/root-paths.ts';
import { type SourceDirectory, type SourceFile, type SourceTree, stemOf } from './source-tree.ts';

/** Each once, in no particular order. */
export function listRootFiles(inputs: ConfigInputs, tree: SourceTree): readonly SourceFile[] {
  const listed = [...inputs.files].flatMap((path) => findListed(inputs, tree, path) ?? []);
  const matched = keepStanding(inputs, walkTree(inputs, tree));
  return listed.length === 0 ? matched : [...new Set([...listed, ...matched])];
}

function findListed(inputs: ConfigInputs, tree: SourceTree, path: string): SourceFile | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const paths = name === '' || name.includes('.') ? [path] : (groups[0] ?? []).map((end) => path + end);
  return paths.map(tree.find).find((file) => file !== undefined && (inputs.readsJavaScript || !file.isJavaScript));
}

type Place = {
  readonly directory: SourceDirectory;
  readonly include: readonly number[];
  readonly exclude: readonly number[];
};

/** What the patterns mean: per pattern that was the first to match, and in a directory by name. */
function walkTree({ include, exclude, readsJavaScript }: ConfigInputs, tree: SourceTree): readonly SourceFile[] {
  const found: SourceFile[][] = include.map(() => []);
  const pending: Place[] = listStarts(include).flatMap((path) => {
    const directory = tree.findDirectory(path);
    if (directory === undefined) return [];
    const place = {
      directory,
      include: include.map((pattern) => statesAt(pattern, path)),
      exclude: exclude.map((pattern) => statesAt(pattern, path)),
    };
    return isExcluded(exclude, place) ? [] : [place];
  });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { directory, include: included, exclude: excluded } = place;
    for (const file of directory.files) {
      if (file.isJavaScript && !readsJavaScript) continue;
      const first = include.findIndex((pattern, at) => matchesFile(pattern, included[at] ?? 0, file.name));
      if (first === -1 || exclude.some((pattern, at) => matchesFile(pattern, excluded[at] ?? 0, file.name))) continue;
      found[first]?.push(file);
    }
    for (const child of directory.directories) {
      const next = {
        directory: child,
        include: include.map((pattern, at) => enter(pattern, included[at] ?? 0, child.path, child.name)),
        exclude: exclude.map((pattern, at) => enter(pattern, excluded[at] ?? 0, child.path, child.name)),
      };
      if (next.include.some((states) => states !== 0) && !isExcluded(exclude, next)) pending.push(next);
    }
  }
  return found.flat();
}

/** The bases of the patterns, without those that lie in another one's. */
function listStarts(include: readonly ConfigPattern[]): readonly string[] {
  const starts: string[] = [];
  const bases = [...new Set(include.map(({ base }) => base))].sort((a, b) => a.length - b.length);
  for (const base of bases) if (!starts.some((start) => isWithin(base, start))) starts.push(base);
  return starts;
}

function isExcluded(exclude: readonly ConfigPattern[], place: Place): boolean {
  return exclude.some((pattern, at) => isThrough(pattern, place.exclude[at] ?? 0));
}

const groups: readonly (readonly string[])[] = [
  ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  ['.cts', '.d.cts', '.cjs'],
  ['.mts', '.d.mts', '.mjs'],
];

/**
 * Leaves out a file for which another one stands: `a.ts` for `a.tsx`, `a.d.ts` and `a.js`. The compiler decides it file by file in
 * the order of the patterns, and so do we, because the outcome can depend on it.
 */
function keepStanding(
  { files: listed, readsJavaScript }: ConfigInputs,
  matched: readonly SourceFile[],
): readonly SourceFile[] {
  if (listed.size === 0 && !matched.some(({ hasTwin }) => hasTwin)) return matched;
  const kept = new Map<string, SourceFile>();
  for (const file of matched) {
    if (listed.has(file.path)) continue;
    if (file.hasTwin || listed.size > 0) {
      const group = groups.find((extensions) => extensions.some((end) => file.path.endsWith(end))) ?? [];
      const extensions = readsJavaScript ? group : group.filter((end) => !/js/.test(end));
      const stem = stemOf(file.path);
      const isThere = (end: string) => listed.has(stem + end) || kept.has(stem + end);
      if (hasBetter(file.path, extensions, isThere)) continue;
      for (const end of extensions.slice(extensions.findLastIndex((own) => file.path.endsWith(own)) + 1)) {
        kept.delete(stem + end);
      }
    }
    kept.set(file.path, file);
  }
  return [...kept.values()];
}

function hasBetter(path: string, extensions: readonly string[], isThere: (extension: string) => boolean): boolean {
  for (const extension of extensions) {
    const isOwn = path.endsWith(extension) && !(extension === '.ts' && path.endsWith('.d.ts'));
    if (isOwn) return false;
    // A declaration and the script it describes go together.
    if (isThere(extension) && !(extension === '.d.ts' && /\.jsx?$/.test(path))) return true;
  }
  return false;
}
