/**
 * `index/CURRENT` names the live facts file and its nonce. It is replaced by rename, so a reader sees the old name or the new one,
 * and one that remembers its stat notices the change without reading it. Loads no database.
 */

import { readdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { flushDirectory, lstatOwn, writeAtomically } from '../../kernel/base/write-file.ts';

export type Current = {
  /** The number in the file's name. */
  readonly number: number;
  readonly nonce: string;
};
/** As it was found. */
export type LiveCurrent = Current & {
  /** Of the stat taken before the reading: if the file is replaced in between, the stamp is too old and not too new. */
  readonly stamp: string;
};

const maxBytes = 200;
const currentText = /^facts-([1-9]\d{0,8})\.db ([0-9a-f]{32})\n$/;
const factsName = /^facts-([1-9]\d{0,8})\.db(?:-wal|-shm|-journal)?$/;
const temporaryName = /^CURRENT\.\d+\.[0-9a-f]+\.tmp$/;

function currentPath(cacheDir: string): string {
  return `${cacheDir}/index/CURRENT`;
}

export function factsPath(cacheDir: string, number: number): string {
  return `${cacheDir}/index/facts-${number}.db`;
}

/** `undefined`: there is none, or it is not ours to read. */
export function readCurrent(cacheDir: string): LiveCurrent | undefined {
  const path = currentPath(cacheDir);
  const found = lstatOwn(path);
  if (found?.isFile() !== true || found.size > maxBytes) return undefined;
  const match = currentText.exec(readText(path));
  return match === null ? undefined : { number: Number(match[1]), nonce: match[2] as string, stamp: stampOf(found) };
}

/** Does CURRENT still say what it said? Costs one stat. */
export function isStillCurrent(cacheDir: string, live: LiveCurrent): boolean {
  return stampOf(lstatOwn(currentPath(cacheDir))) === live.stamp;
}

export function writeCurrent(cacheDir: string, current: Current): void {
  writeAtomically(currentPath(cacheDir), `facts-${current.number}.db ${current.nonce}\n`, { durable: true });
  flushDirectory(`${cacheDir}/index`);
}

/** The highest number that any facts file here bears, live or left behind; 0 for none. */
export function highestNumber(cacheDir: string): number {
  return listNames(cacheDir).reduce((highest, name) => Math.max(highest, Number(factsName.exec(name)?.[1] ?? 0)), 0);
}

/**
 * Removes what replaced and unfinished stores left. Only for the holder of the writer lock. A reader of a removed file
 * keeps it until it closes; a system that forbids the removal of an open file is tried again next time.
 */
export function removeOthers(cacheDir: string, keep: number | undefined): void {
  for (const name of listNames(cacheDir)) {
    const number = factsName.exec(name)?.[1];
    const isLeft = number === undefined ? temporaryName.test(name) : Number(number) !== keep;
    if (!isLeft) continue;
    try {
      rmSync(`${cacheDir}/index/${name}`, { force: true });
    } catch {
      // In use where open files cannot be removed, or a directory by that name, which is not ours.
    }
  }
}

function stampOf(found: Stats | undefined): string {
  return found === undefined ? 'none' : [found.ino, found.mtimeMs, found.ctimeMs, found.size].join(':');
}

function listNames(cacheDir: string): readonly string[] {
  try {
    return readdirSync(`${cacheDir}/index`);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // Gone since the look, or not readable: there is no index to read.
  }
}

/** No process opens this store again: the next writer builds another. Its file goes with the next cleaning up. */
export function giveUpStore(cacheDir: string): void {
  rmSync(currentPath(cacheDir), { force: true });
}

/** How much disk a facts file takes, its write-ahead log included. */
export function storeBytes(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (lstatOwn(file)?.size ?? 0), 0);
}
