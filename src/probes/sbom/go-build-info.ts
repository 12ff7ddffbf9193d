/**
 * What the Go linker wrote into a program about its modules: `\xff Go buildinf:` on a 16-byte boundary, two flag bytes, and from
 * byte 32 on two strings with their lengths as varints (Go 1.18 and later). Read while the file streams by; never throws.
 */

import { decodeLenient } from '../../kernel/base/text.ts';
import type { EntrySink } from '../../kernel/formats/tar.ts';

type GoModule = { readonly path: string; readonly version: string };
export type GoBuildInfo = {
  /** Without the leading `go`. */
  readonly goVersion: string;
  readonly main: GoModule | null;
  /** In the order of the program; a module in the place of the one it replaces, unless it is only a folder. */
  readonly dependencies: readonly GoModule[];
};

const magic = Buffer.from('\xff Go buildinf:', 'latin1');
const elf = Buffer.from('\x7fELF', 'latin1');
const headerBytes = 32;
const alignment = 16;
const inlineStrings = 0x2;
/** The largest programs list some thousands of modules at a hundred bytes each. */
const infoBytes = 4 * 1024 * 1024;
/** Places that claim more than they hold; a program that reads build information has a few of them in its own data. */
const attempts = 16;

/** Nothing is found in a file that is no ELF program, and no more is read of it. */
export function scanGoProgram(onFound: (info: GoBuildInfo) => void): EntrySink {
  /** The file's bytes from `start` on, as far as they may still matter. */
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  let isElf = false;
  /** Or known not to be there. */
  let found = false;
  let givenUp = 0;

  /** Looks at every place that is wholly in `held`, or at all of them once the file has ended. */
  function look(ended: boolean): void {
    let from = 0;
    for (;;) {
      const at = held.indexOf(magic, from);
      if (at < 0) {
        drop(Math.max(from, held.length - magic.length + 1));
        return;
      }
      if ((start + at) % alignment === 0) {
        const info = readInfo(held.subarray(at));
        if (info === 'short' && !ended && held.length - at < infoBytes) {
          drop(at);
          return;
        }
        if (info === 'short') givenUp += 1;
        if (givenUp > attempts) {
          found = true;
          return;
        }
        if (typeof info === 'object' && info !== null) {
          found = true;
          onFound(info);
          return;
        }
      }
      from = at + 1;
    }
  }
  function drop(count: number): void {
    held = held.subarray(count);
    start += count;
  }
  return {
    push(chunk) {
      if (found) return false;
      held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      if (!isElf) {
        if (held.length < elf.length) return true;
        isElf = held.subarray(0, elf.length).equals(elf);
        found = !isElf;
      }
      if (!found) look(false);
      return !found;
    },
    end() {
      if (!found && isElf) look(true);
    },
  };
}

/** `short`: the bytes end before the strings do; null: it only looks like one. */
function readInfo(bytes: Buffer): GoBuildInfo | 'short' | null {
  if (bytes.length < headerBytes + 1) return 'short';
  if (((bytes[15] ?? 0) & inlineStrings) === 0) return null;
  const version = readText(bytes, headerBytes);
  if (typeof version !== 'object' || version === null) return version;
  const modules = readText(bytes, version.end);
  if (typeof modules !== 'object' || modules === null) return modules;
  const [, goVersion] = /^(?:go)?(\d[\w.+-]*|devel\b.*)/.exec(decodeLenient(version.bytes)) ?? [];
  return goVersion === undefined ? null : { goVersion, ...parseModules(unframed(modules.bytes)) };
}

function readText(bytes: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } | 'short' | null {
  let length = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return 'short';
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      const begin = at + index + 1;
      if (length > infoBytes) return null;
      return begin + length > bytes.length
        ? 'short'
        : { bytes: bytes.subarray(begin, begin + length), end: begin + length };
    }
  }
  return null;
}

/** Sixteen bytes stand before and after the text, for programs that look for it in memory. */
function unframed(bytes: Buffer): string {
  return bytes.length >= 33 && bytes[bytes.length - 17] === 0x0a ? decodeLenient(bytes.subarray(16, -16)) : '';
}

function parseModules(text: string): Pick<GoBuildInfo, 'main' | 'dependencies'> {
  let main: GoModule | null = null;
  const dependencies: GoModule[] = [];
  for (const line of text.split('\n')) {
    const [kind, path, version] = line.split('\t');
    if (path === undefined || path === '') continue;
    const module = { path, version: version ?? '' };
    if (kind === 'mod') main = module;
    else if (kind === 'dep') dependencies.push(module);
    else if (kind === '=>' && dependencies.length > 0 && !/^\.{0,2}\//.test(path))
      dependencies[dependencies.length - 1] = module;
  }
  return { main, dependencies };
}
