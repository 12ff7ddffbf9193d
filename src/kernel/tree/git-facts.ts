/**
 * What git says of a work tree: HEAD, branch and what is uncommitted, from one `git status` and the local configuration; and signatures
 * that change with it, which start no process and open nothing but small regular files.
 */

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { compareCodeUnits } from '../base/json.ts';
import { decodeLenient } from '../base/text.ts';
import type { Exec } from '../exec/exec.ts';
import { createDirectoryGuard, inspect, readRegularHead } from './safe-read.ts';
import { treeLockName } from './scope-layers.ts';

export type GitFacts = {
  /** `none`: no repository here; `unborn`: a branch without a commit; `unreadable`: git is there and could not tell. */
  readonly state: 'none' | 'unborn' | 'commit' | 'unreadable';
  readonly commit: string | null;
  readonly branch: string | null;
  /** Paths with uncommitted changes, untracked ones included, sorted; `.codegenie/` never. */
  readonly dirtyFiles: readonly string[];
  readonly originUrl: string | null;
};

type GitStatus = {
  readonly facts: GitFacts;
  /** Untracked files that git does not ignore. */
  readonly untracked: readonly string[];
  /** Untracked names that are not UTF-8, one character per byte. */
  readonly invalidNames: readonly string[];
};

/** `undefined` when this is no git work tree, or git is missing or cannot read it: the tree is then walked. */
export async function readGitStatus(git: Exec['git']): Promise<GitStatus | undefined> {
  const [status, config] = await Promise.all([
    git(
      [
        'status',
        '--porcelain=v2',
        '-z',
        '--branch',
        '--untracked-files=all',
        '--ignore-submodules=all',
        '--no-renames',
      ],
      {
        timeoutS: 60,
        maxStdoutBytes: 1 << 30,
      },
    ),
    git(['config', '--list', '-z'], { timeoutS: 10 }),
  ]);
  if (status.kind !== 'exited' || status.code !== 0 || status.truncated.stdout) return undefined;
  const originUrl = config.kind === 'exited' && config.code === 0 ? findOriginUrl(config.stdout) : null;
  return parseStatus(status.stdout, originUrl);
}

export const noGitFacts: GitFacts = { state: 'none', commit: null, branch: null, dirtyFiles: [], originUrl: null };

function parseStatus(output: Buffer, originUrl: string | null): GitStatus {
  let commit: string | null = null;
  let branch: string | null = null;
  const dirty: string[] = [];
  const untracked: string[] = [];
  const { records, invalid } = splitNul(output);
  for (const record of records) {
    if (record.startsWith('# branch.oid ')) commit = record.slice(13) === '(initial)' ? null : record.slice(13);
    else if (record.startsWith('# branch.head ')) branch = record.slice(14) === '(detached)' ? null : record.slice(14);
    else if (record.startsWith('? ')) untracked.push(record.slice(2));
    else if (record.startsWith('1 ')) dirty.push(fieldsAfter(record, 8));
    else if (record.startsWith('u ')) dirty.push(fieldsAfter(record, 10));
  }
  const dirtyFiles = [...dirty, ...untracked].filter(
    (path) => path !== '.codegenie' && path !== treeLockName && !path.startsWith('.codegenie/'),
  );
  dirtyFiles.sort(compareCodeUnits);
  return {
    facts: { state: commit === null ? 'unborn' : 'commit', commit, branch, dirtyFiles, originUrl },
    untracked,
    invalidNames: invalid.filter((record) => record.startsWith('? ')).map((record) => record.slice(2)),
  };
}

/** NUL-terminated records; those that are not UTF-8 come apart, one character per byte: nothing can be asked about them by name. */
export function splitNul(output: Buffer): { readonly records: readonly string[]; readonly invalid: readonly string[] } {
  if (isUtf8(output)) {
    const records = output.toString('utf8').split('\0');
    if (records.at(-1) === '') records.pop();
    return { records, invalid: [] };
  }
  const records: string[] = [];
  const invalid: string[] = [];
  for (let start = 0; start < output.length; ) {
    const nul = output.indexOf(0, start);
    const end = nul < 0 ? output.length : nul;
    const record = output.subarray(start, end);
    if (isUtf8(record)) records.push(record.toString('utf8'));
    else invalid.push(record.toString('latin1'));
    start = end + 1;
  }
  return { records, invalid };
}

function fieldsAfter(record: string, count: number): string {
  let index = 0;
  for (let field = 0; field < count; field += 1) index = record.indexOf(' ', index) + 1;
  return record.slice(index);
}

function findOriginUrl(config: Buffer): string | null {
  for (const entry of config.toString('utf8').split('\0')) {
    if (entry.startsWith('remote.origin.url\n')) return entry.slice('remote.origin.url\n'.length);
  }
  return null;
}

const headBytes = 4096;

/**
 * A value that changes with a checkout, a commit or an `add` (code-plane.md §2, tripwire): the text of HEAD and the stat signatures
 * of the ref it names and of git's index.
 */
export function gitSignature(root: string): string {
  const directory = gitDirectory(root);
  return [headSignature(root), signatureOf(`${directory}/index`)].join('\0');
}

/** Changes whenever HEAD may mean another commit. */
export function headSignature(root: string): string {
  const directory = gitDirectory(root);
  const head = readSmall(`${directory}/HEAD`);
  const ref = /^ref: (refs\/[^\0\n]+)/.exec(head)?.[1];
  if (ref === undefined) return head;
  const common = commonDirectory(directory);
  // Loose, packed, or in a table: wherever this repository keeps its refs.
  const places = [ref, 'packed-refs', 'reftable/tables.list'];
  return [head, ...places.map((place) => signatureOf(`${common}/${place}`))].join('\0');
}

/** Of git's own configuration for this work tree. */
export function gitConfigSignature(root: string): string {
  const directory = gitDirectory(root);
  return [signatureOf(`${commonDirectory(directory)}/config`), signatureOf(`${directory}/config.worktree`)].join('\0');
}

/**
 * Where git's directory is one, its index lies in it, and nobody has to be asked. Undefined where a file or a link names another place:
 * only git knows what it makes of that.
 */
export function plainIndexPath(root: string): string | undefined {
  return inspect(`${root}/.git`)?.kind === 'directory' ? `${root}/.git/index` : undefined;
}

/** Git replaces its files by rename: a new inode, size or time with every change. */
export function signatureOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'absent' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
  } catch (error) {
    // A path that was written into `.git` by hand, or folders that cannot be entered.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return code;
  }
}

/** A linked work tree and a submodule have a file there that names the directory. */
function gitDirectory(root: string): string {
  const named = /^gitdir: (.+)$/m.exec(readSmall(`${root}/.git`))?.[1];
  if (named === undefined) return `${root}/.git`;
  return named.startsWith('/') ? named : `${root}/${named}`;
}

/** The refs of a linked work tree are those of its repository. */
function commonDirectory(directory: string): string {
  const named = readSmall(`${directory}/commondir`).trim();
  if (named === '') return directory;
  return named.startsWith('/') ? named : `${directory}/${named}`;
}

function readSmall(file: string): string {
  const folder = dirname(file);
  const read = readRegularHead(folder, file.slice(folder.length + 1), headBytes, createDirectoryGuard(folder));
  return read.kind === 'read' ? decodeLenient(read.bytes) : '';
}
