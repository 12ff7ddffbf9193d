/** A listing that answers glob questions in time proportional to the answer for the shapes probes ask in. */

import { compareCodeUnits } from '../base/json.ts';
import { compileGlob, expandBraces, isGlob } from './glob.ts';
import { createDirectoryGuard, lstatOf } from './safe-read.ts';
import type { FileScope, ScopeFile } from './types.ts';

export function createFileScope(root: string, unsorted: readonly ScopeFile[], gaps: FileScope['gaps']): FileScope {
  const files = [...unsorted].sort(byPathOrder);
  const byPath = new Map(files.map((file) => [file.path, file]));
  let byBasename: Map<string, ScopeFile[]> | undefined;
  let byExtension: Map<string, ScopeFile[]> | undefined;

  const candidates = (glob: string): readonly ScopeFile[] => {
    if (!isGlob(glob)) {
      const file = byPath.get(glob);
      return file === undefined ? [] : [file];
    }
    const basename = /^\*\*\/([^*?[\]\\/]+)$/.exec(glob)?.[1];
    if (basename !== undefined) {
      byBasename ??= groupBy(files, (file) => basenameOf(file.path));
      return byBasename.get(basename) ?? [];
    }
    if (glob === '**' || glob === '**/*') return files;
    const anywhere = /^\*\*\/([^/]+)$/.exec(glob)?.[1];
    const extension = /\.([A-Za-z0-9_-]+)$/.exec(glob)?.[1];
    if (anywhere !== undefined && glob !== `**/*.${extension}`) {
      // A pattern for a name in any directory is asked once per name, not once per file.
      byBasename ??= groupBy(files, (file) => basenameOf(file.path));
      const matches = compileGlob(anywhere);
      const found: ScopeFile[] = [];
      for (const [name, group] of byBasename) if (matches(name)) for (const file of group) found.push(file);
      return found.sort(byPathOrder);
    }
    if (extension !== undefined && glob.startsWith('*')) {
      byExtension ??= groupBy(files, (file) => extensionOf(file.path));
      const sharing = byExtension.get(extension) ?? [];
      return glob === `**/*.${extension}` ? sharing : filterByGlob(sharing, glob);
    }
    return filterByGlob(filesBelow(files, literalPrefix(glob)), glob);
  };

  return {
    files,
    gaps,
    find: (path) => byPath.get(path),
    exists: (path) => {
      const clean =
        path !== '' && !path.includes('\0') && !path.split('/').some((segment) => segment === '..' || segment === '.');
      return clean && createDirectoryGuard(root).holds(path) && lstatOf(`${root}/${path}`) !== undefined;
    },
    match: (globs) => {
      const plain = globs.flatMap(expandBraces);
      if (plain.length === 1) return candidates(plain[0] as string);
      const found = new Set<ScopeFile>();
      for (const glob of plain) for (const file of candidates(glob)) found.add(file);
      return [...found].sort(byPathOrder);
    },
  };
}

function byPathOrder(a: ScopeFile, b: ScopeFile): number {
  return compareCodeUnits(a.path, b.path);
}

function filterByGlob(files: readonly ScopeFile[], glob: string): readonly ScopeFile[] {
  const matches = compileGlob(glob);
  return files.filter((file) => matches(file.path));
}

/** The run of sorted files that start with the prefix. */
function filesBelow(files: readonly ScopeFile[], prefix: string): readonly ScopeFile[] {
  if (prefix === '') return files;
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle] as ScopeFile).path < prefix) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < files.length && (files[end] as ScopeFile).path.startsWith(prefix)) end += 1;
  return files.slice(low, end);
}

function literalPrefix(glob: string): string {
  const wildcard = glob.search(/[*?[\\]/);
  return wildcard < 0 ? glob : glob.slice(0, wildcard);
}

function groupBy(files: readonly ScopeFile[], key: (file: ScopeFile) => string): Map<string, ScopeFile[]> {
  const groups = new Map<string, ScopeFile[]>();
  for (const file of files) {
    const name = key(file);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [file]);
    else group.push(file);
  }
  return groups;
}

function basenameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(dot + 1);
}
