/**
 * The parts of a listing that git does not tell: the rules of `.cplignore`, what its negations bring back, and, where there is no git,
 * the whole walk. Promise: no link is followed, and `.git`, the data dir and nested work trees are not entered.
 */

import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';
import { compareCodeUnits } from '../base/json.ts';
import { decodeLenient } from '../base/text.ts';
import type { Exec, ExecOutcome } from '../exec/exec.ts';
import { splitNul } from './git-facts.ts';
import { type IgnoreRule, judgeEntry, judgeIgnore, parseIgnoreFile } from './path-patterns.ts';
import { type DirectoryGuard, inspect, lstatOf, readRegular } from './safe-read.ts';
import { defaultIgnoredDirectories, isHardName, judgeScope } from './scope-layers.ts';
import { type Gap, gapAt, gapOfName } from './shown-names.ts';

const ignoreFileCapBytes = 1024 * 1024;

export type Listed = { readonly path: string; readonly tracked: boolean };

/**
 * Files that a `.cplignore` negation includes and git may ignore: below its literal directory, in ignored directories that it names,
 * and beside files that git lists. `onFailure`: git could not say what it ignores, and files may be missing.
 */
export async function listReincluded(
  root: string,
  git: Exec['git'],
  rules: readonly IgnoreRule[],
  guard: DirectoryGuard,
  onFailure: (outcome: ExecOutcome) => void = () => {},
): Promise<readonly string[]> {
  const negations = rules.filter((rule) => rule.negated);
  if (negations.length === 0) return [];
  const found = new Set<string>();
  const directories = new Set(negations.map((rule) => rule.literalDirectory));
  const loose = await git(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], {
    timeoutS: 60,
    maxStdoutBytes: 1 << 30,
  });
  const isAnswered = loose.kind === 'exited' && loose.code === 0;
  if (!isAnswered || loose.truncated.stdout) onFailure(loose);
  if (isAnswered) {
    for (const path of splitNul(loose.stdout).records) {
      if (!path.endsWith('/')) found.add(path);
      else if (judgeIgnore(rules, path) === 'included') directories.add(path.slice(0, -1));
    }
  }
  const isClosed = (directory: string) => !guard.holds(`${directory}/x`) || isInNestedRepository(root, directory);
  for (const directory of directories) {
    if (directory === '' || isClosed(directory)) continue;
    for (const path of listBelow(root, directory)) found.add(path);
  }
  // The way there is walked too: another negation may include files that lie beside it.
  for (const directory of listWays(negations)) {
    if (!isClosed(directory)) for (const path of listFilesIn(root, directory)) found.add(path);
  }
  return [...found].filter((path) => judgeIgnore(rules, path) === 'included');
}

/** The rules of every ignore file of one name, root first, so that the last matching line is the deepest. */
export function readIgnoreFiles(
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
export function walkTreePaths(root: string, guard: DirectoryGuard): { files: Listed[]; gaps: Gap[] } {
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

/** The directories above the literal ones of these rules. */
function listWays(rules: readonly IgnoreRule[]): ReadonlySet<string> {
  const ways = new Set<string>();
  for (const { literalDirectory: path } of rules) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      ways.add(path.slice(0, slash));
  }
  return ways;
}

function listFilesIn(root: string, directory: string): string[] {
  return readDirectory(root, directory, []).flatMap((entry) =>
    (entry.isFile() || entry.isSymbolicLink()) && !isHardName(entry.name) ? [`${directory}/${entry.name}`] : [],
  );
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
      else gaps.push(gapOfName(directory, name));
    }
    return entries.filter((entry) => valid.delete(entry.name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    gaps.push(gapAt(directory, code));
    return [];
  }
}

const maxFiles = 100_000;

/**
 * Regular files and links below one directory, following nothing; for data outside the scope (user folder, authored data). Paths relative
 * to `base`, sorted. A directory that cannot be read contributes nothing.
 */
export function listDirectory(base: string, directory = ''): readonly string[] {
  const found: string[] = [];
  const pending = [directory];
  while (pending.length > 0 && found.length < maxFiles) {
    const next = pending.pop() as string;
    for (const entry of readEntries(next === '' ? base : `${base}/${next}`)) {
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      if (isHardName(entry.name)) continue;
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
  }
  return found.sort(compareCodeUnits);
}

function readEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
