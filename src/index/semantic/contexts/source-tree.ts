/**
 * The TypeScript and JavaScript files in scope as a tree, built once for all configurations: each of them walks only the directories
 * its patterns can reach, so that hundreds of projects cost about as much as their files.
 */

import { isTypeScriptFile, typeScriptOrJavaScript } from '../../resolve/javascript/config-inputs.ts';
import { directoryOf } from '../../resolve/shared/root-paths.ts';

export type SourceFile = {
  readonly path: string;
  readonly name: string;
  /** Position in code-unit order of paths. */
  readonly rank: number;
  readonly isJavaScript: boolean;
  /** Another file differs from it in nothing but the extension. */
  readonly hasTwin: boolean;
  readonly directory: SourceDirectory;
};

export type SourceDirectory = {
  readonly path: string;
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly directories: readonly SourceDirectory[];
};

export type SourceTree = {
  /** By rank. */
  readonly files: readonly SourceFile[];
  find(path: string): SourceFile | undefined;
  findDirectory(path: string): SourceDirectory | undefined;
};

type OpenDirectory = {
  readonly path: string;
  readonly name: string;
  readonly files: SourceFile[];
  readonly directories: OpenDirectory[];
};

/** `paths` are sorted by code unit. */
export function buildSourceTree(paths: readonly string[], isSource: (path: string) => boolean): SourceTree {
  const directories = new Map<string, OpenDirectory>();
  const open = (path: string): OpenDirectory => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const made = { path, name: path.slice(path.lastIndexOf('/') + 1), files: [], directories: [] };
    directories.set(path, made);
    if (path !== '') open(directoryOf(path)).directories.push(made);
    return made;
  };
  const sources = paths.filter((path) => typeScriptOrJavaScript.test(path) && isSource(path));
  const stems = new Map<string, number>();
  for (const path of sources) stems.set(stemOf(path), (stems.get(stemOf(path)) ?? 0) + 1);
  const byPath = new Map<string, SourceFile>();
  const files = sources.map((path, rank) => {
    const directory = open(directoryOf(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isJavaScript = !isTypeScriptFile(path);
    const file = { path, name, rank, isJavaScript, hasTwin: stems.get(stemOf(path)) !== 1, directory };
    directory.files.push(file);
    byPath.set(path, file);
    return file;
  });
  open('');
  return { files, find: (path) => byPath.get(path), findDirectory: (path) => directories.get(path) };
}

/** Without what the compiler takes for the extension when it looks for the other forms of a file. */
export function stemOf(path: string): string {
  return path.replace(/\.d\.[cm]?ts$|\.[cm]?[jt]s$|\.[jt]sx$/, '');
}
