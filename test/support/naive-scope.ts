/**
 * The layers of code-plane.md §1.1 a second time, as simply as they can be said: git is asked about every path, and a `.cplignore`
 * line is a regular expression. Slow, and written without a look at how the product does it.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultIgnoredDirectories } from '../../src/kernel/tree/scope-layers.ts';

type Line = {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly folder: string;
  readonly matches: RegExp;
  /** The names before the first wildcard, if the line has a slash. */
  readonly literal: string;
};

/** Every path in scope, sorted. */
export function judgeNaively(tree: { readonly root: string }): readonly string[] {
  const { root } = tree;
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.split('/').includes('.git'));
  const tracked = new Set(nul(execFileSync('git', ['ls-files', '-z'], { cwd: root })));
  // Without a slash at the end: with one, git takes `b/` for something that `b/*` ignores.
  const directories = [...new Set(all.flatMap(foldersOf))];
  const ignored = askGit(root, [...all, ...directories]);
  const lines = all
    .filter((path) => path === '.cplignore' || path.endsWith('/.cplignore'))
    .filter((path) => path === '.cplignore' || tracked.has(path) || !ignored.has(path))
    .sort((a, b) => a.length - b.length)
    .flatMap((path) => readLines(root, path));
  return all
    .filter((path) => {
      const own = judge(lines, path);
      if (own === 'ignored') return false;
      if (tracked.has(path)) return true;
      if (!ignored.has(path)) return own === 'included' || !foldersOf(path).some(hasDefaultName);
      return own === 'included' && isReached(path, lines, ignored, tracked);
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

/** Git enters no ignored folder unless it tracks something in it. We do where a negation leads into it or through it, or includes it as a whole. */
function isReached(
  path: string,
  lines: readonly Line[],
  ignored: ReadonlySet<string>,
  tracked: ReadonlySet<string>,
): boolean {
  const isKept = (folder: string) => [...tracked].some((one) => one.startsWith(`${folder}/`));
  const closed = foldersOf(path).filter((folder) => ignored.has(folder) && !isKept(folder));
  if (closed.length === 0 || judge(lines, `${closed[0]}/`) === 'included') return true;
  const ways = lines.filter((line) => line.negated && line.literal !== '').map((line) => `${line.literal}/`);
  return closed.every((folder) => ways.some((way) => way.startsWith(`${folder}/`) || `${folder}/`.startsWith(way)));
}

function judge(lines: readonly Line[], path: string): 'ignored' | 'included' | 'neutral' {
  const itself = path.endsWith('/') ? [] : [path];
  const above = path.endsWith('/') ? [...foldersOf(path.slice(0, -1)), path.slice(0, -1)] : foldersOf(path);
  let verdict: 'ignored' | 'included' | 'neutral' = 'neutral';
  for (const line of lines) {
    const candidates = line.directoryOnly ? above : [...above, ...itself];
    const below = candidates.flatMap((one) => {
      if (line.folder === '') return [one];
      return one.startsWith(`${line.folder}/`) ? [one.slice(line.folder.length + 1)] : [];
    });
    if (below.some((one) => line.matches.test(one))) verdict = line.negated ? 'included' : 'ignored';
  }
  return verdict;
}

function readLines(root: string, path: string): Line[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const negated = line.startsWith('!');
      const written = line.replace(/^!/, '').replace(/\/$/, '');
      const parts = written.replace(/^\//, '').split('/');
      const plain = parts.slice(0, -1);
      const wild = plain.findIndex((part) => /[*?]/.test(part));
      const leading = written.includes('/') ? (wild < 0 ? plain : plain.slice(0, wild)) : [];
      return {
        negated,
        directoryOnly: line.endsWith('/'),
        folder,
        matches: new RegExp(`^${written.includes('/') ? '' : '(?:.*/)?'}${parts.map(toRegExp).join('')}$`),
        literal: written.includes('/') ? [folder, ...leading].filter((part) => part !== '').join('/') : '',
      };
    });
}

function toRegExp(part: string, at: number, parts: readonly string[]): string {
  const isLast = at === parts.length - 1;
  if (part === '**') return isLast ? '.+' : '(?:.*/)?';
  const text = part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return isLast ? text : `${text}/`;
}

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

function hasDefaultName(folder: string): boolean {
  return defaultIgnoredDirectories.has(folder.slice(folder.lastIndexOf('/') + 1));
}

function askGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  const done = spawnSync('git', ['check-ignore', '-z', '--stdin', '--no-index'], {
    cwd: root,
    input: paths.join('\0'),
  });
  return new Set(nul(done.stdout));
}

function nul(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}
