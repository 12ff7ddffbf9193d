/**
 * A value that changes with a checkout, a commit or an `add` (code-plane.md §2, tripwire): the text of HEAD and the stat signatures
 * of the ref it names and of git's index. Starts no process and opens nothing but small regular files.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeLenient } from '../base/text.ts';
import { createDirectoryGuard, readRegularHead } from './safe-read.ts';

const headBytes = 4096;

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

/** Git replaces its files by rename: a new inode, size or time with every change. */
export function signatureOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'absent' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
  } catch (error) {
    // A path that somebody wrote into `.git`, or folders that cannot be entered.
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
