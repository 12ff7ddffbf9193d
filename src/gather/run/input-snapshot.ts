/**
 * The input snapshot (gather.md §3): which files a probe may see, and the hash of each, taken once per gather.
 * The cache key and the probe use the same snapshot. A link, device, FIFO or socket is recorded and never opened.
 */

import { readlinkSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { realPathIfThere } from '../../kernel/base/if-there.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { Logger } from '../../kernel/base/log.ts';
import type { FileScope, ScopeFile } from '../../kernel/tree/file-scope.ts';
import type { HashMemo } from '../../kernel/tree/hash-memo.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import {
  createDirectoryGuard,
  type DirectoryGuard,
  type FileStat,
  lstatOf,
  readRegular,
} from '../../kernel/tree/safe-read.ts';
import { listDirectory } from '../../kernel/tree/walk-paths.ts';
import { type ConfigKey, type ConfigValues, configKeys } from '../config.ts';
import type { InputFingerprint } from '../contract.ts';
import { authoredFolders, isAuthoredPath } from '../data-dir.ts';
import { redactText } from '../publish/redact.ts';
import { type DeclaredInput, parseDeclaredInput } from './declared-inputs.ts';

/** A fingerprint plus what is needed to read the file again: the directory it is confined to. */
export type Input = InputFingerprint & {
  readonly base: string;
  readonly relative: string;
  readonly guard: DirectoryGuard;
  readonly stat: FileStat | null;
  /** The third field of the key entry: content hash, hash of the link's target, size, or empty. */
  readonly keyHash: string;
};

export type Snapshot = {
  readonly inputs: ReadonlyMap<string, Input>;
  readonly tokens: readonly string[];
  /** What was asked for, the derived ones included: the same question can be put again. */
  readonly patterns: readonly string[];
};

export const emptySnapshot: Snapshot = { inputs: new Map(), tokens: [], patterns: [] };

export interface SnapshotTaker {
  take(patterns: readonly string[], already?: Snapshot): Snapshot;
  /** Hashes one input again from disk, for the freshness questions at the end of a gather. */
  refresh(input: Input): Input;
}

export function createSnapshotTaker(world: {
  readonly root: string;
  readonly home: string;
  readonly scope: FileScope;
  readonly excludes: (path: string) => boolean;
  readonly config: ConfigValues;
  readonly memo: HashMemo;
  readonly logger: Logger;
  readonly nowMs: () => number;
}): SnapshotTaker {
  const rootGuard = createDirectoryGuard(world.root);
  const known = new Map<string, Input>();
  const listings = new Map<string, readonly string[]>();

  const fingerprint = (id: string, base: string, path: string, guard: DirectoryGuard): Input => {
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const stat = base === world.root ? world.scope.find(path) : undefined;
    const entry = stat ?? (guard.holds(path) ? lstatOf(path === '' ? base : `${base}/${path}`) : undefined);
    const input = describe(id, base, path, guard, entry);
    known.set(id, input);
    return input;
  };

  const describe = (
    id: string,
    base: string,
    path: string,
    guard: DirectoryGuard,
    entry: { readonly kind: 'file' | 'link' | 'directory' | 'other'; readonly stat: FileStat } | undefined,
  ): Input => {
    const absolute = path === '' ? base : `${base}/${path}`;
    const make = (kind: Input['kind'], stat: FileStat | null, contentHash: string, keyHash = contentHash): Input => ({
      id,
      path: absolute,
      kind,
      mtimeNs: stat?.mtimeNs ?? 0n,
      size: stat?.size ?? 0,
      contentHash,
      base,
      relative: path,
      guard,
      stat,
      keyHash,
    });
    if (entry === undefined || entry.kind === 'directory') return make('absent', null, '<absent>', '');
    const { stat } = entry;
    if (entry.kind === 'link') return make('link', stat, '<refused>', blake3Hex(readLink(absolute)));
    if (entry.kind === 'other') return make('file', stat, '<refused>');
    if (stat.size > limits.inputHashBytes) return make('file', stat, '<oversize>');
    const memoPath = base === world.root ? path : absolute;
    const remembered = world.memo.find(memoPath, stat);
    if (remembered !== undefined) return make('file', stat, remembered);
    const outcome = readRegular(base, path, limits.inputHashBytes, guard);
    if (outcome.kind === 'absent') return make('absent', null, '<absent>', '');
    if (outcome.kind === 'failed') {
      return make('file', stat, outcome.failure.kind === 'size_cap_exceeded' ? '<oversize>' : '<refused>');
    }
    // The memo is a file, and a name can be a secret: such a file is read again each time.
    if (redactText(memoPath) === memoPath) world.memo.remember(memoPath, stat, outcome.hash, world.nowMs());
    return make('file', stat, outcome.hash);
  };

  const names = new Map<string, Input>();
  const nameOf = (file: ScopeFile): Input => {
    const before = names.get(file.path);
    if (before !== undefined) return before;
    const path = `${world.root}/${file.path}`;
    const input: Input = {
      ...{ id: rootId(file.path), path, kind: 'name', contentHash: '<name>' },
      // Where a link leads decides whether it counts, so its target is part of what is known of it by name.
      keyHash: file.kind === 'link' ? blake3Hex(readLink(path)) : String(file.size),
      ...{ mtimeNs: file.stat.mtimeNs, size: file.size, stat: file.stat },
      ...{ base: world.root, relative: file.path, guard: rootGuard },
    };
    names.set(file.path, input);
    return input;
  };

  const collect = (declared: DeclaredInput, add: (input: Input) => void): void => {
    switch (declared.kind) {
      case 'token':
        return;
      case 'names':
        for (const file of world.scope.match([declared.glob])) add(nameOf(file));
        return;
      case 'glob':
        for (const file of world.scope.match([declared.glob]))
          add(fingerprint(rootId(file.path), world.root, file.path, rootGuard));
        return;
      case 'literal':
        if (!world.excludes(declared.path))
          add(fingerprint(rootId(declared.path), world.root, declared.path, rootGuard));
        return;
      case 'authored':
        collectAuthored(declared.glob, add);
        return;
      case 'user':
        collectBelow(`${world.home}/.codegenie`, declared.glob, (path) => `user:${path}`, add);
        return;
      case 'config':
        collectConfigured(declared.key, declared.glob, add);
        return;
    }
  };

  const collectAuthored = (glob: string, add: (input: Input) => void): void => {
    if (!isGlob(glob)) {
      add(fingerprint(glob, world.root, glob, rootGuard));
      return;
    }
    const matches = compileGlobs([glob]);
    for (const path of listOnce(world.root, '.codegenie')) {
      if (isAuthoredPath(path) && matches(path)) add(fingerprint(path, world.root, path, rootGuard));
    }
  };

  const collectBelow = (
    base: string,
    glob: string,
    idOf: (path: string) => string,
    add: (input: Input) => void,
  ): void => {
    const real = realPathIfThere(base);
    if (real === undefined) return;
    const guard = createDirectoryGuard(real);
    if (!isGlob(glob)) {
      add(fingerprint(idOf(glob), real, glob, guard));
      return;
    }
    const matches = compileGlobs([glob]);
    for (const path of listOnce(real, '')) if (matches(path)) add(fingerprint(idOf(path), real, path, guard));
  };

  const collectConfigured = (key: ConfigKey, glob: string | null, add: (input: Input) => void): void => {
    for (const [position, named] of pathsOf(world.config[key]).entries()) {
      const inside = isAbsolute(named) ? relativeInside(world.root, named) : normaliseInside(named);
      if (inside !== undefined) {
        collectInside(inside, glob, add);
      } else if (configKeys[key].userOnly) {
        const outside = `config:${key}:${position}`;
        if (glob === null) collectNamedFile(named, outside, add);
        else collectBelow(named, glob, (path) => `${outside}/${path}`, add);
      } else {
        world.logger.event('config.path_outside_root', { key, path: named });
      }
    }
  };

  const collectNamedFile = (absolute: string, id: string, add: (input: Input) => void): void => {
    // The user's own file, wherever it is: confined to its own directory, and itself not a link.
    const slash = absolute.lastIndexOf('/');
    const directory = realPathIfThere(absolute.slice(0, slash)) ?? absolute.slice(0, slash);
    add(fingerprint(id, directory, absolute.slice(slash + 1), createDirectoryGuard(directory)));
  };

  const collectInside = (path: string, glob: string | null, add: (input: Input) => void): void => {
    const below = glob === null ? path : path === '' ? glob : `${path}/${glob}`;
    if (below.startsWith('.codegenie/')) {
      if (isAuthoredPath(below)) collectAuthored(below, add);
    } else if (isGlob(below)) {
      for (const file of world.scope.match([below]))
        add(fingerprint(rootId(file.path), world.root, file.path, rootGuard));
    } else if (!below.startsWith('.git/') && below !== '.git' && below !== '' && !world.excludes(below)) {
      add(fingerprint(rootId(below), world.root, below, rootGuard));
    }
  };

  const listOnce = (base: string, directory: string): readonly string[] => {
    const key = `${base}\0${directory}`;
    const listed = listings.get(key) ?? (directory === '' ? listDirectory(base) : listAuthoredFolder(base, directory));
    listings.set(key, listed);
    return listed;
  };

  return {
    take(patterns, already) {
      const inputs = new Map(already?.inputs);
      const tokens = [...(already?.tokens ?? [])];
      for (const pattern of patterns) {
        const declared = parseDeclaredInput(pattern);
        if (declared.kind === 'token') tokens.push(declared.token);
        else {
          collect(declared, (input) => {
            // A file that is declared by bytes and by name is an input by bytes.
            const present = inputs.get(input.id);
            if (present === undefined || present.kind === 'name') inputs.set(input.id, input);
          });
        }
      }
      return { inputs, tokens, patterns: [...(already?.patterns ?? []), ...patterns] };
    },
    refresh(input) {
      if (input.kind === 'name') return input;
      const entry = input.guard.holds(input.relative) ? lstatOf(input.path) : undefined;
      const same = entry !== undefined && input.stat !== null && isSameFile(input.stat, entry.stat);
      return same ? input : describe(input.id, input.base, input.relative, input.guard, entry);
    },
  };
}

/**
 * Inputs that were not the same from the first snapshot to the second: came, went, hold other bytes, or were written in between, if only to
 * be put back. What is declared by name alone is compared by name and size.
 */
export function changedBetween(before: Snapshot, after: Snapshot): string[] {
  const changed = new Set<string>();
  for (const [id, was] of before.inputs) {
    const is = after.inputs.get(id);
    const isSame = is !== undefined && is.kind === was.kind && is.keyHash === was.keyHash;
    if (!isSame || (was.kind !== 'name' && !isSameFile(was.stat, is.stat))) changed.add(id);
  }
  for (const id of after.inputs.keys()) if (!before.inputs.has(id)) changed.add(id);
  return [...changed].sort(compareCodeUnits);
}

/** By its signature: one that was written meanwhile has another. */
export function isSameFile(was: FileStat | null, is: FileStat | null): boolean {
  return was?.ino === is?.ino && was?.size === is?.size && was?.mtimeNs === is?.mtimeNs && was?.ctimeNs === is?.ctimeNs;
}

/** Part 4 of the cache key: entries in path-byte order, every field with its length before it. */
export function digestInputs(inputs: Iterable<Input>): string {
  const entries = [...inputs];
  entries.sort((a, b) => compareCodeUnits(a.id, b.id));
  // Code units and bytes order alike except where a surrogate pair meets a character above it.
  if (entries.some((entry) => /[\ud800-\udfff]/.test(entry.id))) {
    entries.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
  }
  // As one text, a character a byte: with 100 000 inputs a buffer per field costs more than the hashing.
  return blake3Hex(Buffer.from(entries.map(keyEntry).join(''), 'latin1'));
}

const keyEntries = new WeakMap<Input, string>();

/** The bytes of one entry, as characters. Many probes have the same inputs. */
function keyEntry(input: Input): string {
  const before = keyEntries.get(input);
  if (before !== undefined) return before;
  const { id, kind, keyHash } = input;
  const name = id.startsWith('user:') || id.startsWith('config:') ? id : `root:${id}`;
  const entry = [name, kind, keyHash].map(withLength).join('');
  keyEntries.set(input, entry);
  return entry;
}

function withLength(field: string): string {
  const bytes = isAscii(field) ? field : Buffer.from(field).toString('latin1');
  const length = bytes.length;
  return String.fromCharCode(length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255) + bytes;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** A file of the repository can be called `user:x`; its id must not pass for one of the user's own files. */
function rootId(path: string): string {
  return path.startsWith('user:') || path.startsWith('config:') ? `./${path}` : path;
}

/** The paths a config value names: a string, a list of strings, or a list of objects with `path`. */
function pathsOf(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    const path = (item as { path?: unknown } | null)?.path;
    return typeof path === 'string' ? [path] : [];
  });
}

function listAuthoredFolder(root: string, directory: string): readonly string[] {
  if (lstatOf(`${root}/${directory}`)?.kind !== 'directory') return [];
  return authoredFolders.flatMap((folder) =>
    lstatOf(`${root}/${directory}/${folder}`)?.kind === 'directory'
      ? listDirectory(root, `${directory}/${folder}`)
      : [],
  );
}

function relativeInside(root: string, absolute: string): string | undefined {
  const path = relative(root, absolute);
  return path.startsWith('..') || isAbsolute(path) ? undefined : path;
}

function normaliseInside(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? undefined : segments.join('/');
}

function readLink(absolute: string): string {
  try {
    return readlinkSync(absolute);
  } catch {
    return '';
  }
}

export function assertReadable(input: Input | undefined, id: string, probe: string): asserts input is Input {
  assert(input !== undefined, `${probe} reads ${id}, which is not among its declared inputs`);
  assert(input.kind !== 'name', `${probe} reads ${id}, which it declared by name only`);
}

/**
 * The per-file list a cached answer was made from, so that a later question can say which files changed since.
 * It is written to disk, and a file name can be a secret: names are redacted on the way in and compared in that form.
 */
type Recorded = { readonly id: string; readonly kind: string; readonly keyHash: string };

/** `[id, kind, hash]` per input. */
export function recordInputs(inputs: Iterable<Recorded>): Json {
  const list = [...inputs];
  const shown = shownNames(list.map((input) => input.id));
  return list.map((input, index) => [shown[index] as string, input.kind, input.keyHash]);
}

/** Ids whose bytes differ from the recorded list, the ones that came and went included. */
export function changedSinceRecorded(recorded: Json, inputs: Iterable<Recorded>): string[] {
  if (!Array.isArray(recorded)) return [];
  const then = new Map(
    recorded.map((entry: unknown) => [String((entry as unknown[])[0]), String((entry as unknown[])[2])]),
  );
  const list = [...inputs];
  const shown = shownNames(list.map((input) => input.id));
  const changed = list.filter((input, index) => then.get(shown[index] as string) !== input.keyHash).map(({ id }) => id);
  const present = new Set(shown);
  for (const id of then.keys()) if (!present.has(id)) changed.push(id);
  return changed.sort(compareCodeUnits);
}

/** Names as they may be written. Most lists hold no secret, and one pass over all names at once says so. */
function shownNames(ids: readonly string[]): readonly string[] {
  const all = ids.join('\n');
  return redactText(all) === all ? ids : ids.map(redactText);
}
