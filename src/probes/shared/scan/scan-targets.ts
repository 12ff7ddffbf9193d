/**
 * Which files a scanner is given. A file that is named on the command line is scanned whatever the repository's own ignore files
 * say, and one that is not named is not: so that the files looked at are those in scope, no more and no fewer.
 */

import { Buffer } from 'node:buffer';
import type { ProbeRepo } from '../../../gather/contract.ts';

/** Linux takes 2 MiB of arguments and environment together, macOS one; what wraps a tool needs some of it too. */
const argumentBytes = 500_000;
/** A pointer and the closing NUL. */
const perArgumentBytes = 9;

const minifiedBytes = 50_000;
const minifiedLineBytes = 400;
const headBytes = 32 * 1024;
/** Git's own test for binary content. */
export const binaryHeadBytes = 8 * 1024;

export type ScanTargets = {
  /** Root-relative, sorted. */
  readonly paths: readonly string[];
  /** In scope and over the size that the scanner takes. */
  readonly tooLarge: readonly string[];
};

/** Regular files of the repository; a link owns nothing, and an empty file has nothing to be found in. */
export function listScanTargets(repo: ProbeRepo, maxBytes: number): ScanTargets {
  const paths: string[] = [];
  const tooLarge: string[] = [];
  for (const id of repo.inputs.list()) {
    if (isForeign(id) || repo.inputs.fingerprint(id)?.kind !== 'file') continue;
    const size = repo.inputs.fingerprint(id)?.size ?? 0;
    if (size > maxBytes) tooLarge.push(pathOf(id));
    else if (size > 0) paths.push(pathOf(id));
  }
  return { paths, tooLarge };
}

/**
 * Bundles that a build made small: nobody wrote them, no line of them says anything, and a parser spends its time on them.
 * Told by their first bytes; small files are not worth asking.
 */
export async function dropMinified(
  repo: ProbeRepo,
  targets: ScanTargets,
): Promise<ScanTargets & { readonly minified: readonly string[] }> {
  const minified = new Set<string>();
  for (const path of targets.paths) {
    if (!/\.[cm]?js$/.test(path) || (repo.inputs.fingerprint(inputOf(path))?.size ?? 0) < minifiedBytes) continue;
    const head = await repo.inputs.readHead(inputOf(path), headBytes);
    if (head.kind === 'read' && isMinified(head.bytes)) minified.add(path);
  }
  return { ...targets, paths: targets.paths.filter((path) => !minified.has(path)), minified: [...minified] };
}

/** Of files that are too large: texts, as far as their first bytes tell. A picture has no lines in which anything could be missed. */
export async function listUnreadTexts(repo: ProbeRepo, tooLarge: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const path of tooLarge) {
    const head = await repo.inputs.readHead(inputOf(path), binaryHeadBytes);
    if (head.kind !== 'read' || !head.bytes.includes(0)) texts.push(path);
  }
  return texts;
}

/** Lines of hundreds of characters on average. */
export function isMinified(head: Uint8Array): boolean {
  let lines = 1;
  for (const byte of head) if (byte === 0x0a) lines += 1;
  return head.length / lines > minifiedLineBytes;
}

/** As arguments for the tool: `./` keeps a name such as `-` or `-x` from being anything but a file. */
export function batchArguments(paths: readonly string[], maxBytes = argumentBytes): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const argument = `./${path}`;
    const bytes = Buffer.byteLength(argument) + perArgumentBytes;
    if (bytes > room || batches.length === 0) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)?.push(argument);
    room -= bytes;
  }
  return batches;
}

/** What a tool calls a file, as the repository calls it. */
export function reportedPath(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** The id under which a path of the repository is an input. */
export function inputOf(path: string): string {
  return isForeign(path) ? `./${path}` : path;
}

function isForeign(id: string): boolean {
  return id.startsWith('config:') || id.startsWith('user:');
}

function pathOf(id: string): string {
  return id.startsWith('./') ? id.slice(2) : id;
}
