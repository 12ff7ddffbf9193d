/**
 * Reads a tar archive as a stream and extracts nothing: each entry is offered, and its bytes go to the caller's sink if it wants them.
 * Hand-written, because its caps and never throwing are the point; `tar-stream` and `modern-tar` report faults as errors of the stream.
 *
 * Promises: never throws for what an archive may hold; memory is bounded by the caps and by what the caller keeps; a path that is
 * offered is relative, without `.`, `..` or empty segments. Understood: ustar, GNU long names, pax, base-256 sizes, sparse files as far as
 * passing over them needs.
 */

import { decodeLenient } from '../base/text.ts';
import type { ByteSource } from './archive-bytes.ts';

export type TarEntry = {
  readonly path: string;
  /** `other`: devices, FIFOs, and sparse files, whose bytes are not what a reader would see. */
  readonly type: 'file' | 'directory' | 'symlink' | 'hardlink' | 'other';
  readonly size: number;
  /** As written for a symlink, a path like any other for a hard link; empty otherwise. */
  readonly linkTarget: string;
  /** Where its bytes begin in the source. */
  readonly offset: number;
};
export type EntrySink = {
  /** The bytes are the reader's own again after the call. False: no more is wanted. */
  push(chunk: Uint8Array): boolean;
  /** Called once, unless the archive ends within the entry. */
  end(): void;
};
type OnTarEntry = (entry: TarEntry) => EntrySink | null;

/** Shared by all archives of one image: what is left of the caps. */
export type TarBudget = { entries: number; bytes: number };

export const tarFaults = [
  'truncated',
  'bad_checksum',
  'bad_number',
  'bad_pax',
  'header_too_large',
  'too_many_entries',
  'too_many_bytes',
  'unreadable',
] as const;
type TarFault = (typeof tarFaults)[number];
export type TarOutcome =
  | { readonly kind: 'read'; readonly entries: number; readonly unsafePaths: number }
  | { readonly kind: 'failed'; readonly fault: TarFault; readonly detail: string | null };

const extendedHeaderBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

export async function readTar(source: ByteSource, budget: TarBudget, onEntry: OnTarEntry): Promise<TarOutcome> {
  let entries = 0;
  let unsafePaths = 0;
  let global: ReadonlyMap<string, string> = new Map();
  let extended: Extended = noExtension;

  for (;;) {
    const block = await source.read(blockBytes);
    if (source.fault() !== null) return failed('unreadable', source.fault());
    // Many programs write no closing blocks; an end between two entries is an end.
    if (block.length === 0) return { kind: 'read', entries, unsafePaths };
    if (block.length < blockBytes) return failed('truncated');
    const parsed = parseTarHeader(block);
    if (parsed.kind === 'zero') return { kind: 'read', entries, unsafePaths };
    if (parsed.kind === 'bad') return failed(parsed.reason);
    const { header } = parsed;
    budget.entries -= 1;
    if (budget.entries < 0) return failed('too_many_entries');

    if (isExtension(header.type)) {
      if (header.size > extendedHeaderBytes) return failed('header_too_large');
      const body = await source.read(header.size);
      if (body.length < header.size || !(await source.skip(paddingOf(header.size)))) return cutShort(source);
      budget.bytes -= header.size;
      if (budget.bytes < 0) return failed('too_many_bytes');
      if (header.type === 'L') extended = { ...extended, name: textOf(body) };
      else if (header.type === 'K') extended = { ...extended, linkName: textOf(body) };
      else {
        const records = parsePaxRecords(body);
        if (records === null) return failed('bad_pax');
        if (header.type === 'g') global = new Map([...global, ...records]);
        else extended = { ...extended, pax: records };
      }
      continue;
    }

    const described = describe(header, extended, global);
    extended = noExtension;
    if (described === null) return failed('bad_number');
    if (header.mapContinues && !(await skipSparseMap(source, budget))) return cutShort(source);
    budget.bytes -= described.size;
    if (budget.bytes < 0) return failed('too_many_bytes');
    entries += 1;
    const path = normalisePath(described.name);
    const linkTarget = described.type === 'hardlink' ? normalisePath(described.linkName) : described.linkName;
    if (path === null || linkTarget === null) unsafePaths += 1;
    const sink =
      path === null || linkTarget === null
        ? null
        : onEntry({ path, type: described.type, size: described.size, linkTarget, offset: source.position() });
    const whole = await feed(source, described.size, sink);
    if (!whole || !(await source.skip(paddingOf(described.size)))) return cutShort(source);
    sink?.end();
  }
}

type Extended = {
  readonly name: string | null;
  readonly linkName: string | null;
  readonly pax: ReadonlyMap<string, string> | null;
};
const noExtension: Extended = { name: null, linkName: null, pax: null };
const isExtension = (type: string) => type === 'x' || type === 'g' || type === 'L' || type === 'K';

type Described = Pick<TarEntry, 'type' | 'size'> & { readonly name: string; readonly linkName: string };

const types: Readonly<Record<string, TarEntry['type']>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
};

/** The entry after its extended headers had their say; null for a size that is none. */
function describe(header: TarHeader, extended: Extended, global: ReadonlyMap<string, string>): Described | null {
  const pax = (key: string) => extended.pax?.get(key) ?? global.get(key);
  const name = pax('path') ?? extended.name ?? header.name;
  const linkName = pax('linkpath') ?? extended.linkName ?? header.linkName;
  const statedSize = pax('size');
  if (statedSize !== undefined && !/^\d{1,15}$/.test(statedSize)) return null;
  const isSparse = pax('GNU.sparse.major') !== undefined || pax('GNU.sparse.size') !== undefined;
  const isOldDirectory = header.type === '\0' && name.endsWith('/');
  const type = isOldDirectory ? 'directory' : isSparse ? 'other' : (types[header.type] ?? 'other');
  // Links, devices, directories and FIFOs have no body whatever their header says.
  const hasBody = !isOldDirectory && !/^[1-6]$/.test(header.type);
  return {
    name: pax('GNU.sparse.name') ?? name,
    linkName,
    type,
    size: hasBody ? (statedSize === undefined ? header.size : Number(statedSize)) : 0,
  };
}

/** Further blocks of an old GNU sparse map; each says whether another follows. */
async function skipSparseMap(source: ByteSource, budget: TarBudget): Promise<boolean> {
  while (budget.bytes >= 0) {
    const block = await source.read(blockBytes);
    if (block.length < blockBytes) return false;
    if (block[504] === 0) break;
    budget.bytes -= blockBytes;
  }
  return true;
}

async function feed(source: ByteSource, size: number, sink: EntrySink | null): Promise<boolean> {
  let left = size;
  while (sink !== null && left > 0) {
    const chunk = await source.next(Math.min(left, chunkBytes));
    if (chunk.length === 0) return false;
    left -= chunk.length;
    if (!sink.push(chunk)) break;
  }
  return source.skip(left);
}

/** No system opens a longer path, and work per segment stays small. */
const pathChars = 4096;
const pathSegments = 256;

/** Relative, by its segments; null where it would leave the archive, or is one that no system could open. */
export function normalisePath(name: string): string | null {
  if (name.length > pathChars) return null;
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') || segments.length > pathSegments ? null : segments.join('/');
}

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

function cutShort(source: ByteSource): TarOutcome {
  return source.fault() === null ? failed('truncated') : failed('unreadable', source.fault());
}

function failed(fault: TarFault, detail: string | null = null): TarOutcome {
  return { kind: 'failed', fault, detail };
}

// Header blocks: ustar, GNU and the older form before both. Total: a block that is no header says why, and every number
// in a header that is believed is a safe integer.

const blockBytes = 512;

type TarHeader = {
  readonly name: string;
  readonly linkName: string;
  /** As the block says; extended headers may overrule it. */
  readonly size: number;
  /** The type byte as a character; `\0` for the oldest form. */
  readonly type: string;
  /** An old GNU sparse file whose map goes on in further blocks. */
  readonly mapContinues: boolean;
};
type HeaderBlock =
  | { readonly kind: 'header'; readonly header: TarHeader }
  | { readonly kind: 'zero' }
  | { readonly kind: 'bad'; readonly reason: 'bad_checksum' | 'bad_number' };

function parseTarHeader(block: Uint8Array): HeaderBlock {
  if (block.every((byte) => byte === 0)) return { kind: 'zero' };
  if (!hasValidChecksum(block)) return { kind: 'bad', reason: 'bad_checksum' };
  const size = parseNumber(block.subarray(124, 136));
  if (size === null) return { kind: 'bad', reason: 'bad_number' };
  const name = textOf(block.subarray(0, 100));
  const type = String.fromCharCode(block[156] ?? 0);
  // GNU's form has other fields where POSIX keeps the prefix.
  const isPosix = decodeLenient(block.subarray(257, 263)) === 'ustar\0';
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : '';
  return {
    kind: 'header',
    header: {
      name: prefix === '' ? name : `${prefix}/${name}`,
      linkName: textOf(block.subarray(157, 257)),
      size,
      type,
      mapContinues: type === 'S' && block[482] !== 0,
    },
  };
}

/** Bytes up to the first NUL. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeLenient(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Octal digits, or base 256 with the top bit set; null for what is neither, is negative, or is larger than a safe integer. */
function parseNumber(field: Uint8Array): number | null {
  const first = field[0] ?? 0;
  if ((first & 0x80) === 0) {
    const digits = /^[ \0]*([0-7]*)[ \0]*$/.exec(Buffer.from(field).toString('latin1'))?.[1];
    return digits === undefined ? null : Number.parseInt(digits === '' ? '0' : digits, 8);
  }
  let value = first & 0x7f;
  for (const byte of field.subarray(1)) {
    value = value * 256 + byte;
    if (value > Number.MAX_SAFE_INTEGER) return null;
  }
  return value;
}

/** Sum of all bytes with the checksum's own as spaces; some old programs added signed bytes. */
function hasValidChecksum(block: Uint8Array): boolean {
  const stated = parseNumber(block.subarray(148, 156));
  let unsigned = 0;
  let signed = 0;
  for (const [at, byte] of block.entries()) {
    const counted = at >= 148 && at < 156 ? 32 : byte;
    unsigned += counted;
    signed += counted > 127 ? counted - 256 : counted;
  }
  return stated === unsigned || stated === signed;
}

/** Records of a pax header that decide what an entry is; others are checked and dropped, so that memory does not grow with the archive. */
const understood: ReadonlySet<string> = new Set([
  'path',
  'linkpath',
  'size',
  'GNU.sparse.major',
  'GNU.sparse.size',
  'GNU.sparse.name',
]);

/** `<length> <key>=<value>\n`, the length counting itself. Total; null for anything else. */
function parsePaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> | null {
  const records = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    // Twenty digits are more than any header may be long.
    if (space < 0 || space - at > 20) return null;
    const digits = Buffer.from(bytes.subarray(at, space)).toString('latin1');
    if (!/^[1-9][0-9]*$/.test(digits)) return null;
    const end = at + Number(digits);
    if (end > bytes.length || end <= space + 1 || bytes[end - 1] !== 0x0a) return null;
    const equals = bytes.indexOf(0x3d, space + 1);
    if (equals < 0 || equals >= end - 1) return null;
    const key = decodeLenient(bytes.subarray(space + 1, equals));
    if (understood.has(key)) records.set(key, decodeLenient(bytes.subarray(equals + 1, end - 1)));
    at = end;
  }
  return records;
}

/** A sink that keeps an entry's bytes up to a cap. `onBytes` gets the whole entry, or null if it is longer than `maxBytes`. */
export function collectWhole(maxBytes: number, onBytes: (bytes: Uint8Array | null) => void): EntrySink {
  const parts: Uint8Array[] = [];
  let have = 0;
  return {
    push(chunk) {
      have += chunk.length;
      if (have <= maxBytes) parts.push(Buffer.from(chunk));
      else parts.length = 0;
      return have <= maxBytes;
    },
    end: () => onBytes(have <= maxBytes ? Buffer.concat(parts) : null),
  };
}

/** As `collectWhole`, cut at the cap: `onBytes` gets the first `maxBytes`. */
export function collectHead(maxBytes: number, onBytes: (bytes: Uint8Array) => void): EntrySink {
  const parts: Uint8Array[] = [];
  let have = 0;
  return {
    push(chunk) {
      const part = chunk.subarray(0, maxBytes - have);
      have += part.length;
      parts.push(Buffer.from(part));
      return have < maxBytes;
    },
    end: () => onBytes(Buffer.concat(parts)),
  };
}
