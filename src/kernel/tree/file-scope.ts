/**
 * Every file in scope: listed from git's index and status where there is git, by walking where there is none, and asked by path or glob.
 * Promise: no link is followed, nothing outside the root is touched, `.git` and the data dir are never entered, and what could not be
 * looked at is in `gaps`.
 */

import { countWhile } from '../base/count-while.ts';
import { compareCodeUnits } from '../base/json.ts';
import type { Exec } from '../exec/exec.ts';
import { type GitFacts, noGitFacts, plainIndexPath, readGitStatus, signatureOf, splitNul } from './git-facts.ts';
import { compileGlob, expandBraces, isGlob } from './path-patterns.ts';
import { createDirectoryGuard, type DirectoryGuard, type FileStat, inspect, lstatOf } from './safe-read.ts';
import { judgeScope } from './scope-layers.ts';
import { type Gap, gapAt } from './shown-names.ts';
import { type Listed, listReincluded, readIgnoreFiles, walkTreePaths } from './walk-paths.ts';

export type ScopeFile = {
  /** Root-relative, `/`-separated. */
  readonly path: string;
  /** `link` is any symbolic link; it is listed by name and never followed. */
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly tracked: boolean;
  readonly stat: FileStat;
};

/** Every file in scope at one moment (code-plane.md §1.1), sorted by path. */
export interface FileScope {
  readonly files: readonly ScopeFile[];
  find(path: string): ScopeFile | undefined;
  /** Files that match any of the globs (anchored at the root, case-sensitive, `**`, `*`, `?`, `{a,b}`, `[..]`), sorted. */
  match(globs: readonly string[]): readonly ScopeFile[];
  /** Is there any entry at this literal path, in scope or git-ignored? Looks at the disk, follows nothing. */
  exists(path: string): boolean;
  /** Names that are not UTF-8 and directories that could not be read: what this listing does not know. */
  readonly gaps: readonly { readonly path: string; readonly reason: string }[];
}

export type Listing = {
  readonly scope: FileScope;
  readonly git: GitFacts;
  /** Files below `.codegenie/` that git tracks: a repository that ships derived state is not believed. */
  readonly trackedDataFiles: readonly string[];
  /** What git tracks, for a later listing of the same tree. */
  readonly index: KnownIndex | undefined;
};

type Tracked = { readonly paths: readonly string[]; readonly invalidNames: readonly string[] };
/** Holds while git's index has this signature. */
type KnownIndex = { readonly signature: string; readonly tracked: Tracked };

export async function listScope(options: {
  readonly root: string;
  /** Absent where the root is no git work tree. */
  readonly git: Exec['git'] | undefined;
  /** `exclude.txt`: files that no probe sees. */
  readonly excludes: (path: string) => boolean;
  /** Of an earlier listing: where git's index is as it was then, git is not asked for it again. */
  readonly known?: KnownIndex | undefined;
}): Promise<Listing> {
  const { root, git } = options;
  const guard = createDirectoryGuard(root);
  const stats = new Map<string, ScopeFile | Gap | undefined>();
  const statOnce = (path: string, tracked: boolean): ScopeFile | Gap | undefined => {
    if (!stats.has(path)) stats.set(path, statFile(root, path, tracked, guard));
    return stats.get(path);
  };
  const fromGit = git === undefined ? undefined : await listWithGit(root, git, guard, statOnce, options.known);
  const facts = git === undefined || fromGit !== undefined ? noGitFacts : await readBrokenGit(git);
  const listing = fromGit ?? { ...walkTreePaths(root, guard), facts, trackedDataFiles: [], index: undefined };
  const files: ScopeFile[] = [];
  const gaps = [...listing.gaps];
  for (const { path, tracked } of listing.files) {
    if (options.excludes(path)) continue;
    const file = statOnce(path, tracked);
    if (file === undefined) continue;
    if ('reason' in file) gaps.push(file);
    else files.push(file);
  }
  return {
    scope: createFileScope(root, files, gaps),
    git: listing.facts,
    trackedDataFiles: listing.trackedDataFiles,
    index: listing.index,
  };
}

/** A damaged index or a status that takes for ever hides what changed, and not which commit HEAD is. */
async function readBrokenGit(git: Exec['git']): Promise<GitFacts> {
  const head = await git(['rev-parse', '--verify', 'HEAD'], { timeoutS: 60 });
  const text = head.kind === 'exited' && head.code === 0 ? head.stdout.toString('utf8').trim() : '';
  return { ...noGitFacts, state: 'unreadable', commit: /^[0-9a-f]{40,64}$/.test(text) ? text : null };
}

function statFile(root: string, path: string, tracked: boolean, guard: DirectoryGuard): ScopeFile | Gap | undefined {
  // A tracked file whose directory became a link is no longer this file; sparse and deleted files are simply not there.
  const errno = guard.errnoOn(path);
  if (errno !== undefined) return gapAt(path, errno);
  if (!guard.holds(path)) return undefined;
  const found = inspect(`${root}/${path}`);
  if (found?.kind === 'unknown') return gapAt(path, found.errno);
  if (found === undefined || (found.kind !== 'file' && found.kind !== 'link')) return undefined;
  return { path, kind: found.kind, size: found.stat.size, tracked, stat: found.stat };
}

async function listWithGit(
  root: string,
  git: Exec['git'],
  guard: DirectoryGuard,
  statOnce: (path: string, tracked: boolean) => unknown,
  before: KnownIndex | undefined,
): Promise<
  | { files: Listed[]; gaps: Gap[]; facts: GitFacts; trackedDataFiles: string[]; index: KnownIndex | undefined }
  | undefined
> {
  const asked = readGitStatus(git);
  const index = await readIndex(root, git, before);
  const tracked = index?.tracked ?? { paths: [], invalidNames: [] };
  // Git takes as long over its status as we do over our own look at the files: both at once.
  for (const path of tracked.paths) statOnce(path, true);
  const status = await asked;
  if (status === undefined || index === undefined) return undefined;
  const names = [...tracked.paths, ...status.untracked];
  const cplRules = readIgnoreFiles(root, names, '.cplignore', guard);
  const files: Listed[] = [];
  const consider = (path: string, isTracked: boolean, gitIgnored: boolean) => {
    if (judgeScope({ path, tracked: isTracked, gitIgnored, cplRules }).in) files.push({ path, tracked: isTracked });
  };
  for (const path of tracked.paths) consider(path, true, false);
  // A trailing slash marks a nested repository: a boundary that is not entered.
  for (const path of status.untracked) if (!path.endsWith('/')) consider(path, false, false);
  const known = new Set(names);
  for (const path of await listReincluded(root, git, cplRules, guard)) {
    if (!known.has(path)) consider(path, false, true);
  }
  const gaps = [...tracked.invalidNames, ...status.invalidNames].map((name) => gapAt(name, 'name_not_utf8', true));
  return {
    files,
    gaps,
    facts: status.facts,
    trackedDataFiles: tracked.paths.filter((path) => path.startsWith('.codegenie/')),
    index: index.signature === undefined ? undefined : { signature: index.signature, tracked },
  };
}

/** Undefined where git cannot say; without a signature where it cannot be told whether this still holds later. */
async function readIndex(
  root: string,
  git: Exec['git'],
  known: KnownIndex | undefined,
): Promise<{ readonly signature: string | undefined; readonly tracked: Tracked } | undefined> {
  const path = plainIndexPath(root);
  const signature = path === undefined ? undefined : signatureOf(path);
  if (known !== undefined && known.signature === signature) return known;
  const asked = await git(['ls-files', '-z', '--stage'], { timeoutS: 60, maxStdoutBytes: 1 << 30 });
  if (asked.kind !== 'exited' || asked.code !== 0 || asked.truncated.stdout) return undefined;
  // Written while it was read: a later listing asks again.
  const settled = path !== undefined && signatureOf(path) === signature;
  return { signature: settled ? signature : undefined, tracked: parseIndex(asked.stdout) };
}

function parseIndex(output: Buffer): Tracked {
  const { records, invalid } = splitNul(output);
  const paths: string[] = [];
  let previous: string | undefined;
  const nameOf = (record: string) => record.slice(record.indexOf('\t') + 1);
  for (const record of records) {
    const path = nameOf(record);
    const isGitlink = record.startsWith('160000');
    // An unmerged path has one record per stage.
    if (!isGitlink && path !== previous) paths.push(path);
    previous = path;
  }
  return { paths, invalidNames: invalid.map(nameOf) };
}

/** A listing that answers glob questions in time proportional to the answer for the shapes probes ask in. */
export function createFileScope(root: string, unsorted: readonly ScopeFile[], gaps: FileScope['gaps']): FileScope {
  const files = [...unsorted].sort(byPathOrder);
  const byPath = new Map(files.map((file) => [file.path, file]));
  let byBasename: Map<string, ScopeFile[]> | undefined;
  let byExtension: Map<string, ScopeFile[]> | undefined;
  // Probes ask for the same files: most globs are asked by several.
  const answered = new Map<string, readonly ScopeFile[]>();

  const candidates = (glob: string): readonly ScopeFile[] => {
    if (!isGlob(glob)) {
      const file = byPath.get(glob);
      return file === undefined ? [] : [file];
    }
    const before = answered.get(glob);
    if (before !== undefined) return before;
    const found = search(glob);
    answered.set(glob, found);
    return found;
  };
  const search = (glob: string): readonly ScopeFile[] => {
    const basename = /^\*\*\/([^*?[\]\\/]+)$/.exec(glob)?.[1];
    if (basename !== undefined) {
      byBasename ??= groupBy(files, (file) => basenameOf(file.path));
      return byBasename.get(basename) ?? [];
    }
    if (glob === '**' || glob === '**/*') return files;
    const anywhere = /^\*\*\/([^/]+)$/.exec(glob)?.[1];
    const extension = /\.([A-Za-z0-9_-]+)$/.exec(glob)?.[1];
    if (extension !== undefined) {
      byExtension ??= groupBy(files, (file) => extensionOf(file.path));
      if (!byExtension.has(extension)) return [];
    }
    if (anywhere !== undefined && glob !== `**/*.${extension}`) {
      // A pattern for a name in any directory is asked once per name, not once per file.
      byBasename ??= groupBy(files, (file) => basenameOf(file.path));
      const matches = compileGlob(anywhere);
      const found: ScopeFile[] = [];
      for (const [name, group] of byBasename) if (matches(name)) for (const file of group) found.push(file);
      return found.sort(byPathOrder);
    }
    if (extension !== undefined && glob.startsWith('*')) {
      const sharing = byExtension?.get(extension) ?? [];
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

/** The run of sorted files whose paths start with the prefix. */
export function filesBelow<T extends { readonly path: string }>(files: readonly T[], prefix: string): readonly T[] {
  if (prefix === '') return files;
  const first = countWhile(files, ({ path }) => path < prefix);
  let end = first;
  while (files[end]?.path.startsWith(prefix) === true) end += 1;
  return files.slice(first, end);
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
