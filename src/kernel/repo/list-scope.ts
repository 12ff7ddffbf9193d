/**
 * Lists every file in scope: from git's index and status where there is git, by walking where there is none.
 * Promise: no link is followed, nothing outside the root is touched, `.git` and the data dir are never entered, and what could
 * not be looked at is in `gaps`.
 */

import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';
import { decodeLenient } from '../base/text.ts';
import type { Exec } from '../exec/types.ts';
import { createFileScope } from './file-scope.ts';
import { escapeName, noGitFacts, readGitStatus, splitNul } from './git-facts.ts';
import { type IgnoreRule, judgeEntry, judgeIgnore, parseIgnoreFile } from './ignore-rules.ts';
import { createDirectoryGuard, type DirectoryGuard, inspect, lstatOf, readRegular } from './safe-read.ts';
import { defaultIgnoredDirectories, isHardName, judgeScope } from './scope-layers.ts';
import type { FileScope, GitFacts, ScopeFile } from './types.ts';

const ignoreFileCapBytes = 1024 * 1024;

export type Listing = {
  readonly scope: FileScope;
  readonly git: GitFacts;
  /** Files below `.codegenie/` that git tracks: a repository that ships derived state is not believed. */
  readonly trackedDataFiles: readonly string[];
};

type Gap = { readonly path: string; readonly reason: string };
type Listed = { readonly path: string; readonly tracked: boolean };

export async function listScope(options: {
  readonly root: string;
  /** Absent where the root is no git work tree. */
  readonly git: Exec['git'] | undefined;
  /** `exclude.txt`: files that no probe sees. */
  readonly excludes: (path: string) => boolean;
}): Promise<Listing> {
  const { root, git } = options;
  const guard = createDirectoryGuard(root);
  const stats = new Map<string, ScopeFile | Gap | undefined>();
  const statOnce = (path: string, tracked: boolean): ScopeFile | Gap | undefined => {
    if (!stats.has(path)) stats.set(path, statFile(root, path, tracked, guard));
    return stats.get(path);
  };
  const fromGit = git === undefined ? undefined : await listWithGit(root, git, guard, statOnce);
  const facts = git === undefined || fromGit !== undefined ? noGitFacts : await readBrokenGit(git);
  const listing = fromGit ?? { ...walk(root, guard), facts, trackedDataFiles: [] };
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
  };
}

/** A damaged index or a status that takes for ever hides what changed, and not which commit HEAD is. */
async function readBrokenGit(git: Exec['git']): Promise<GitFacts> {
  const head = await git(['rev-parse', '--verify', 'HEAD'], { timeoutS: 5 });
  const text = head.kind === 'exited' && head.code === 0 ? head.stdout.toString('utf8').trim() : '';
  return { ...noGitFacts, state: 'unreadable', commit: /^[0-9a-f]{40,64}$/.test(text) ? text : null };
}

function statFile(root: string, path: string, tracked: boolean, guard: DirectoryGuard): ScopeFile | Gap | undefined {
  // A tracked file whose directory became a link is no longer this file; sparse and deleted files are simply not there.
  const errno = guard.errnoOn(path);
  if (errno !== undefined) return { path, reason: errno };
  if (!guard.holds(path)) return undefined;
  const found = inspect(`${root}/${path}`);
  if (found?.kind === 'unknown') return { path, reason: found.errno };
  if (found === undefined || (found.kind !== 'file' && found.kind !== 'link')) return undefined;
  return { path, kind: found.kind, size: found.stat.size, tracked, stat: found.stat };
}

async function listWithGit(
  root: string,
  git: Exec['git'],
  guard: DirectoryGuard,
  statOnce: (path: string, tracked: boolean) => unknown,
): Promise<{ files: Listed[]; gaps: Gap[]; facts: GitFacts; trackedDataFiles: string[] } | undefined> {
  const asked = readGitStatus(git);
  const index = await git(['ls-files', '-z', '--stage'], { timeoutS: 60, maxStdoutBytes: 1 << 30 });
  const listed = index.kind === 'exited' && index.code === 0 && !index.truncated.stdout;
  const tracked = listed ? parseIndex(index.stdout) : { paths: [], invalidNames: [] };
  // Git takes as long over its status as we do over our own look at the files: both at once.
  for (const path of tracked.paths) statOnce(path, true);
  const status = await asked;
  if (status === undefined || !listed) return undefined;
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
  const gaps = [...tracked.invalidNames, ...status.invalidNames].map((path) => ({ path, reason: 'name_not_utf8' }));
  return {
    files,
    gaps,
    facts: status.facts,
    trackedDataFiles: tracked.paths.filter((path) => path.startsWith('.codegenie/')),
  };
}

export function parseIndex(output: Buffer): { paths: string[]; invalidNames: readonly string[] } {
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
  return { paths, invalidNames: invalid.map((record) => escapeName(nameOf(record))) };
}

/**
 * Files that a `.cplignore` negation includes and git may ignore: below its literal directory, in ignored directories that it names,
 * and beside files git lists anyway.
 */
async function listReincluded(
  root: string,
  git: Exec['git'],
  rules: readonly IgnoreRule[],
  guard: DirectoryGuard,
): Promise<readonly string[]> {
  const negations = rules.filter((rule) => rule.negated);
  if (negations.length === 0) return [];
  const found = new Set<string>();
  const directories = new Set(negations.map((rule) => rule.literalDirectory));
  const loose = await git(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], {
    timeoutS: 60,
    maxStdoutBytes: 1 << 30,
  });
  if (loose.kind === 'exited' && loose.code === 0) {
    for (const path of splitNul(loose.stdout).records) {
      if (!path.endsWith('/')) found.add(path);
      else if (judgeIgnore(rules, path) === 'included') directories.add(path.slice(0, -1));
    }
  }
  for (const directory of directories) {
    if (directory === '' || !guard.holds(`${directory}/x`) || isInNestedRepository(root, directory)) continue;
    for (const path of listBelow(root, directory)) found.add(path);
  }
  return [...found].filter((path) => judgeIgnore(rules, path) === 'included');
}

/** The rules of every ignore file of one name, root first, so that the last matching line is the deepest. */
function readIgnoreFiles(
  root: string,
  paths: readonly string[],
  name: string,
  guard: DirectoryGuard,
): readonly IgnoreRule[] {
  const directories = new Set<string>();
  for (const path of paths) {
    if (path === name) directories.add('');
    else if (path.endsWith(`/${name}`)) directories.add(path.slice(0, -name.length - 1));
  }
  // A git-ignored `.cplignore` at the root still counts.
  if (lstatOf(`${root}/${name}`)?.kind === 'file') directories.add('');
  return [...directories]
    .sort((a, b) => a.length - b.length)
    .flatMap((directory) => readIgnoreFile(root, directory, name, guard));
}

function readIgnoreFile(root: string, directory: string, name: string, guard: DirectoryGuard): readonly IgnoreRule[] {
  const outcome = readRegular(root, directory === '' ? name : `${directory}/${name}`, ignoreFileCapBytes, guard);
  return outcome.kind === 'read' ? parseIgnoreFile(decodeLenient(outcome.bytes), directory) : [];
}

/** Without git: the whole tree, with the same layers. Directories are pruned only where no negation can reach. */
function walk(root: string, guard: DirectoryGuard): { files: Listed[]; gaps: Gap[] } {
  const files: Listed[] = [];
  const gaps: Gap[] = [];
  type Visit = {
    readonly directory: string;
    readonly git: readonly IgnoreRule[];
    readonly own: readonly IgnoreRule[];
    /** Git never comes here, so no line of a `.gitignore` can bring anything back. */
    readonly gitIgnored: boolean;
  };
  const pending: Visit[] = [{ directory: '', git: [], own: [], gitIgnored: false }];
  while (pending.length > 0) {
    const { directory, ...inherited } = pending.pop() as Visit;
    const entries = readDirectory(root, directory, gaps);
    if (directory !== '' && entries.some((entry) => entry.name === '.git')) continue;
    const has = (name: string) => entries.some((entry) => entry.name === name && entry.isFile());
    const gitRules = has('.gitignore')
      ? [...inherited.git, ...readIgnoreFile(root, directory, '.gitignore', guard)]
      : inherited.git;
    const cplRules = has('.cplignore')
      ? [...inherited.own, ...readIgnoreFile(root, directory, '.cplignore', guard)]
      : inherited.own;
    for (const entry of entries) {
      if (isHardName(entry.name)) continue;
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile() && !entry.isSymbolicLink()) continue;
      const gitIgnored = inherited.gitIgnored || judgeEntry(gitRules, isDirectory ? `${path}/` : path) === 'ignored';
      if (isDirectory) {
        if (!isPruned(path, entry.name, gitIgnored, cplRules))
          pending.push({ directory: path, git: gitRules, own: cplRules, gitIgnored });
      } else {
        if (judgeScope({ path, tracked: false, gitIgnored, cplRules }).in) files.push({ path, tracked: false });
      }
    }
  }
  return { files, gaps };
}

function isPruned(path: string, name: string, gitIgnored: boolean, cplRules: readonly IgnoreRule[]): boolean {
  const own = judgeIgnore(cplRules, `${path}/`);
  const ignored = own === 'ignored' || (own === 'neutral' && (defaultIgnoredDirectories.has(name) || gitIgnored));
  if (!ignored) return false;
  return !cplRules.some((rule) => {
    const literal = rule.literalDirectory;
    return (
      rule.negated &&
      literal !== '' &&
      (literal === path || literal.startsWith(`${path}/`) || path.startsWith(`${literal}/`))
    );
  });
}

function listBelow(root: string, directory: string): string[] {
  const found: string[] = [];
  const pending = [directory];
  while (pending.length > 0) {
    const next = pending.pop() as string;
    const entries = readDirectory(root, next, []);
    if (entries.some((entry) => entry.name === '.git')) continue;
    for (const entry of entries) {
      if (isHardName(entry.name)) continue;
      const path = `${next}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  return found;
}

function isInNestedRepository(root: string, directory: string): boolean {
  const names = directory.split('/');
  return names.some((_, index) => inspect(`${root}/${names.slice(0, index + 1).join('/')}/.git`) !== undefined);
}

function readDirectory(root: string, directory: string, gaps: Gap[]): readonly Dirent[] {
  const absolute = directory === '' ? root : `${root}/${directory}`;
  try {
    const entries = readdirSync(absolute, { withFileTypes: true });
    if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries;
    // A replacement character stands for bytes that are not UTF-8, or for itself; the bytes tell.
    const valid = new Set<string>();
    for (const name of readdirSync(absolute, { encoding: 'buffer' })) {
      if (isUtf8(name)) valid.add(name.toString('utf8'));
      else {
        const shown = escapeName(name.toString('latin1'));
        gaps.push({ path: directory === '' ? shown : `${directory}/${shown}`, reason: 'name_not_utf8' });
      }
    }
    return entries.filter((entry) => valid.delete(entry.name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    gaps.push({ path: directory, reason: code });
    return [];
  }
}
