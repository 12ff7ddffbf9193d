/**
 * Reads a tar archive as a stream and extracts nothing: each entry is offered, and its bytes go to whoever wants them.
 *
 * Promises: never throws for what an archive may hold; memory is bounded by the caps and by what the caller keeps; a path that is
 * offered is relative, without `.`, `..` or empty segments. Understood: ustar, GNU long names, pax, base-256 sizes, sparse files as far as
 * passing over them needs.
 */

import type { ByteSource } from './byte-source.ts';
import { parsePaxRecords } from './pax-records.ts';
import { blockBytes, parseTarHeader, type TarHeader, textOf } from './tar-header.ts';

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
export type OnTarEntry = (entry: TarEntry) => EntrySink | null;

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
export type TarFault = (typeof tarFaults)[number];
export type TarOutcome =
  | { readonly kind: 'read'; readonly entries: number; readonly unsafePaths: number }
  | { readonly kind: 'failed'; readonly fault: TarFault; readonly detail: string | null };

export const extendedHeaderBytes = 1024 * 1024;
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
