/**
 * The content-addressed result cache (gather.md §4.3). It stores bytes, so a hit replays exactly what was published.
 * Anything broken is a miss and is removed; it is never an error, so nothing is flushed to the disk: what a machine that lost its power left half
 * written does not have its hash. Only redacted outputs have the type `put` accepts.
 *
 * P9  An entry counts only with its seal, made over all it says with a key that is not in the cache (decision 0031): it names its blobs by
 * their hashes, so that a cache that was restored, copied or edited by others is not replayed.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  utimesSync,
} from 'node:fs';
import { blake3Hex, sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, isJsonObject, type Json } from '../../kernel/base/json.ts';
import type { Logger } from '../../kernel/base/log.ts';
import { z } from '../../kernel/base/schema.ts';
import { findUserKey, openUserKey } from '../../kernel/base/user-key.ts';
import { ensureOwnDirectory, OutputRefused, writeAtomically } from '../../kernel/base/write-file.ts';
import type { ToolVersion } from '../../kernel/exec/exec.ts';
import { type ArtifactKind, artifactKinds, type Diagnostic, type Evidence } from '../contract.ts';
import { diagnosticSchema, evidenceSchema, toolVersionSchema } from '../publish/envelope.ts';
import {
  assertRedactedArtifact,
  assertRedactedSlice,
  digestsOf,
  noteDigests,
  type RedactedArtifact,
  type RedactedSlice,
  rebrandStored,
} from '../publish/redact.ts';
import { sweepTemporaries } from '../run/scratch.ts';
import { type KeyParts, keyPartNames } from './cache-key.ts';

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const entrySchema = z.strictObject({
  key: z.string(),
  probe: z.string(),
  version: z.string(),
  created_at: z.string(),
  output: hex64,
  output_sha256: hex64,
  parts: z.record(z.enum(keyPartNames), z.string()),
  artifacts: z.array(
    z.strictObject({ name: z.string(), kind: z.enum(artifactKinds), blake3: hex64, sha256: hex64, size: z.int() }),
  ),
  inputs: hex64,
  seal: hex64.optional(),
});
type CacheEntry = z.output<typeof entrySchema>;

/** What a probe's run leaves behind beside its slice; replayed with it. */
type StoredFacts = {
  readonly confidence: 'high' | 'medium' | 'low';
  readonly warnings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly evidence: readonly Evidence[];
  readonly toolVersions: readonly ToolVersion[];
};

export type CacheHit = {
  readonly entry: CacheEntry;
  readonly slice: RedactedSlice;
  readonly facts: StoredFacts;
  readonly artifacts: readonly RedactedArtifact[];
};

type CacheLookup =
  | { readonly kind: 'hit'; readonly hit: CacheHit }
  | { readonly kind: 'miss' }
  | { readonly kind: 'stale' }
  /** What lies there was not written with this key. */
  | { readonly kind: 'unsealed' };

export interface CacheStore {
  get(key: string, ttlHours: number): CacheLookup;
  put(of: {
    readonly key: string;
    readonly parts: KeyParts;
    readonly probe: string;
    readonly version: string;
    readonly slice: RedactedSlice;
    readonly facts: StoredFacts;
    readonly artifacts: readonly RedactedArtifact[];
    /** `[id, kind, hash]` per input: what a later question compares with the disk. */
    readonly inputs: Json;
  }): CacheEntry;
  /** The per-file list an entry was made from, if it is still there. */
  readInputs(key: string): Json | undefined;
  /** The raw blob, verified against its name; for the audit. */
  readBlob(hash: string): Uint8Array | undefined;
  findEntry(key: string): CacheEntry | undefined;
  collectGarbage(bounds: CacheBounds): void;
}

const outputSchema = z.strictObject({
  // What `JSON.parse` made is JSON: looking at each value once more cost more than reading it. The sections' own schemas follow.
  slice: z.custom<Record<string, Json>>((value) => isJsonObject(value)),
  findings_count: z.int().min(0),
  fingerprints: z.array(z.string().regex(/^[0-9a-f]{8}$/)),
  confidence: z.enum(['high', 'medium', 'low']),
  warnings: z.array(z.string()),
  diagnostics: z.array(diagnosticSchema),
  evidence: z.array(evidenceSchema),
  tool_versions: z.array(toolVersionSchema),
});

/**
 * Makes the cache's directories before a gather uses them. A link or a file in the place of one is refused, so that nothing is
 * written elsewhere; where a restored copy lost its modes they are set right, those of the files too. Temporaries of gathers that were
 * killed are removed; those among entries and blobs go with the garbage.
 */
export function prepareCacheDirectory(cacheDir: string): void {
  const base = cacheBase(cacheDir);
  const directories = [`${cacheDir}/cache`, `${cacheDir}/cache/gather`, base, `${base}/entries`, `${base}/blobs`];
  const flattened = directories.some((path) => ((lstatQuietly(path)?.mode ?? 0o700) & 0o777) !== 0o700);
  for (const path of directories) ensureOwnDirectory(path);
  for (const path of [`${cacheDir}/cache`, base]) sweepTemporaries(path);
  if (!flattened) return;
  for (const path of directories.slice(-2)) {
    for (const name of readdirSync(path)) if (isRealDirectory(`${path}/${name}`)) ensureOwnDirectory(`${path}/${name}`);
    for (const file of listTwoLevels(path)) if (lstatQuietly(file)?.isFile() === true) makePrivate(file);
  }
}

export function openCacheStore(of: {
  readonly cacheDir: string;
  readonly sealKey: Uint8Array;
  readonly logger: Logger;
  readonly nowMs: () => number;
}): CacheStore {
  const { sealKey, logger, nowMs } = of;
  const base = cacheBase(of.cacheDir);
  const entryPath = (key: string) => {
    const hex = key.replace(/^sha256:/, '');
    return `${base}/entries/${hex.slice(0, 2)}/${hex}.json`;
  };
  const blobPath = (hash: string) => `${base}/blobs/${hash.slice(0, 2)}/${hash}`;

  /** By any writer. */
  const readEntry = (key: string): CacheEntry | undefined => {
    const text = readOwn(entryPath(key));
    if (text === undefined) return undefined;
    const parsed = entrySchema.safeParse(parseJsonLoosely(text));
    return parsed.success && parsed.data.key === key ? parsed.data : undefined;
  };
  const findEntry = (key: string): CacheEntry | undefined => {
    const entry = readEntry(key);
    return entry !== undefined && isSealed(entry, sealKey) ? entry : undefined;
  };
  const readBlob = (hash: string): Uint8Array | undefined => {
    const bytes = readOwn(blobPath(hash));
    return bytes !== undefined && blake3Hex(bytes) === hash ? bytes : undefined;
  };
  const invalid = (key: string, reason: string): CacheLookup => {
    logger.event('cache.blob.invalid', { key, reason });
    removeQuietly(entryPath(key));
    return { kind: 'miss' };
  };
  const writeBlob = (bytes: Uint8Array): string => {
    const hash = blake3Hex(bytes);
    const path = blobPath(hash);
    makeDirectories(base, `blobs/${hash.slice(0, 2)}`);
    const present = readOwn(path);
    if (present === undefined || blake3Hex(present) !== hash) writeAtomically(path, bytes, { durable: false });
    // It may lie here unreferenced since long; the entry that will name it is not written yet.
    else touch(path, nowMs());
    return hash;
  };

  return {
    findEntry,
    readBlob,
    readInputs(key) {
      const entry = findEntry(key);
      const bytes = entry === undefined ? undefined : readBlob(entry.inputs);
      return bytes === undefined ? undefined : (parseJsonLoosely(bytes) as Json | undefined);
    },
    get(key, ttlHours) {
      if (lstatQuietly(entryPath(key)) === undefined) return { kind: 'miss' };
      const entry = readEntry(key);
      if (entry === undefined) return invalid(key, 'json_decode');
      // It stays until it is written anew: with the key that it was made with, it counts.
      if (!isSealed(entry, sealKey)) return { kind: 'unsealed' };
      const ageMs = nowMs() - Date.parse(entry.created_at);
      if (!(ageMs < ttlHours * 3_600_000)) {
        logger.event('cache.stale', { key, created_at: entry.created_at });
        return { kind: 'stale' };
      }
      const blob = readOwn(blobPath(entry.output));
      if (blob === undefined) return invalid(key, 'missing');
      if (blake3Hex(blob) !== entry.output) return invalid(key, 'hash_mismatch');
      const decoded = parseJsonLoosely(blob);
      if (decoded === undefined) return invalid(key, 'json_decode');
      const output = outputSchema.safeParse(decoded);
      const counted = output.success && output.data.findings_count >= new Set(output.data.fingerprints).size;
      if (!output.success || !counted) return invalid(key, 'schema');
      const artifacts: { name: string; kind: ArtifactKind; bytes: Uint8Array }[] = [];
      for (const artifact of entry.artifacts) {
        const bytes = readOwn(blobPath(artifact.blake3));
        if (bytes === undefined) return invalid(key, 'missing');
        if (blake3Hex(bytes) !== artifact.blake3) return invalid(key, 'hash_mismatch');
        noteDigests(bytes, artifact);
        artifacts.push({ name: artifact.name, kind: artifact.kind, bytes });
      }
      touch(entryPath(key), nowMs());
      const stored = rebrandStored({
        slice: output.data.slice,
        findingsCount: output.data.findings_count,
        fingerprints: output.data.fingerprints,
        artifacts,
      });
      const { confidence, warnings, diagnostics, evidence, tool_versions } = output.data;
      const facts = {
        confidence,
        warnings,
        diagnostics: diagnostics as readonly Diagnostic[],
        evidence: evidence as readonly Evidence[],
        toolVersions: tool_versions,
      };
      return { kind: 'hit', hit: { entry, slice: stored.slice, facts, artifacts: stored.artifacts } };
    },
    put(of) {
      assertRedactedSlice(of.slice);
      const output = Buffer.from(
        canonicalJson({
          slice: of.slice.slice,
          findings_count: of.slice.findingsCount,
          fingerprints: of.slice.fingerprints,
          confidence: of.facts.confidence,
          warnings: of.facts.warnings,
          diagnostics: of.facts.diagnostics as readonly Json[],
          evidence: of.facts.evidence as readonly Json[],
          tool_versions: of.facts.toolVersions,
        }),
      );
      const artifacts = of.artifacts.map((artifact) => {
        assertRedactedArtifact(artifact);
        const { name, kind, bytes } = artifact;
        return { name, kind, blake3: writeBlob(bytes), sha256: digestsOf(artifact).sha256, size: bytes.length };
      });
      const bare: CacheEntry = {
        key: of.key,
        probe: of.probe,
        version: of.version,
        created_at: new Date(nowMs()).toISOString(),
        output: writeBlob(output),
        output_sha256: sha256Hex(output),
        parts: of.parts,
        artifacts,
        inputs: writeBlob(Buffer.from(canonicalJson(of.inputs))),
      };
      const entry = { ...bare, seal: sealOf(bare, sealKey) };
      const path = entryPath(of.key);
      makeDirectories(base, `entries/${path.split('/').at(-2)}`);
      writeAtomically(path, JSON.stringify(entry), { durable: false });
      return entry;
    },
    collectGarbage(bounds) {
      if (isRealDirectory(base)) collectGarbage({ base, bounds, nowMs: nowMs(), blobsOf, blobPath });
    },
  };
}

const sharedKeyName = 'CODEGENIE_CACHE_KEY';
const sharedKeyChars = 32;

/**
 * With which key entries are sealed: that of the environment, where one is set, for a cache that machines share (CI); else the user's own.
 * A gather that may `make` it does so once. Without any, a key that no other process has: nothing is believed, now or later.
 */
export function cacheSealKey(
  of: { readonly home: string; readonly environment: Readonly<Record<string, string | undefined>> },
  how: 'make' | 'find',
): Uint8Array {
  const shared = of.environment[sharedKeyName] ?? '';
  if (shared !== '' && shared.length < sharedKeyChars)
    throw new OutputRefused(sharedKeyName, `has fewer than ${sharedKeyChars} characters, and could be guessed`);
  if (shared !== '') return Buffer.from(shared);
  if (how === 'find') return findUserKey(of.home) ?? randomBytes(32);
  try {
    return openUserKey(of.home);
  } catch (error) {
    if (!(error instanceof OutputRefused)) throw error;
    return randomBytes(32);
  }
}

function sealOf({ seal: _, ...entry }: CacheEntry, key: Uint8Array): string {
  return createHmac('sha256', key).update('["cache entry"]\n').update(canonicalJson(entry)).digest('hex');
}

function isSealed(entry: CacheEntry, key: Uint8Array): boolean {
  const { seal } = entry;
  return seal !== undefined && timingSafeEqual(Buffer.from(seal, 'hex'), Buffer.from(sealOf(entry, key), 'hex'));
}

function blobsOf(entryPath: string): readonly string[] | undefined {
  const text = readOwn(entryPath);
  const parsed = entrySchema.safeParse(text === undefined ? undefined : parseJsonLoosely(text));
  if (!parsed.success) return undefined;
  return [parsed.data.output, parsed.data.inputs, ...parsed.data.artifacts.map((artifact) => artifact.blake3)];
}

function cacheBase(cacheDir: string): string {
  return `${cacheDir}/cache/gather/v1`;
}

function makeDirectories(base: string, below: string): void {
  if (isRealDirectory(`${base}/${below}`)) return;
  let path = base;
  for (const segment of below.split('/')) {
    path = `${path}/${segment}`;
    ensureOwnDirectory(path);
  }
}

function parseJsonLoosely(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}

const intervalMs = 24 * 3_600_000;
/** A writer or collector that began longer ago has finished, or never will. */
const unfinishedMs = 3_600_000;

type CacheBounds = { readonly maxAgeDays: number; readonly maxMb: number };

/** `blobsOf` reads an entry and names the blobs it needs; undefined for what is no entry. */
function collectGarbage(of: {
  readonly base: string;
  readonly bounds: CacheBounds;
  readonly nowMs: number;
  readonly blobsOf: (entryPath: string) => readonly string[] | undefined;
  readonly blobPath: (hash: string) => string;
}): void {
  const stamp = `${of.base}/gc.stamp`;
  if (isRecent(stamp, of.nowMs, intervalMs)) return;
  const lock = acquire(`${of.base}/gc.lock`, of.nowMs);
  if (lock === undefined) return;
  try {
    // Another gather may have collected between the first look and the lock.
    if (isRecent(stamp, of.nowMs, intervalMs)) return;
    writeAtomically(stamp, '', { durable: false });
    touch(stamp, of.nowMs);
    collect(of);
  } finally {
    lock.release();
  }
}

/** A little in the future is a process that read the clock later; far in the future is a clock that was wrong. */
function isRecent(path: string, nowMs: number, withinMs: number): boolean {
  const found = lstatQuietly(path);
  return found !== undefined && Math.abs(nowMs - found.mtimeMs) < withinMs;
}

/**
 * Keeps the cache within its bounds (gather.md §4.3): once a day, one collector at a time, the least recently used entries first.
 * `gc.stamp` says when it was done last; `gc.lock` exists while a collector runs.
 */
function acquire(lock: string, nowMs: number): { release(): void } | undefined {
  const descriptor = tryCreate(lock) ?? (removeAbandoned(lock, nowMs) ? tryCreate(lock) : undefined);
  if (descriptor === undefined) return undefined;
  touch(lock, nowMs);
  // While it is open its number is not reused, so a lock that was taken over meanwhile is told from this one.
  const mine = fstatSync(descriptor).ino;
  return {
    release() {
      if (lstatQuietly(lock)?.ino === mine) removeQuietly(lock);
      closeSync(descriptor);
    },
  };
}

function tryCreate(lock: string): number | undefined {
  try {
    return openSync(lock, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return undefined;
    throw new OutputRefused(lock, `cannot be created (${code ?? 'unknown'})`);
  }
}

/** Moves a lock of a dead collector aside; if a living one was caught in the move, puts it back. */
function removeAbandoned(lock: string, nowMs: number): boolean {
  if (isRecent(lock, nowMs, unfinishedMs)) return false;
  const aside = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    renameSync(lock, aside);
    if (isRecent(aside, nowMs, unfinishedMs)) linkSync(aside, lock);
  } catch {
    // Another process was faster; the next one to create the lock has it.
  }
  removeQuietly(aside);
  return true;
}

type LiveEntry = {
  readonly path: string;
  readonly usedMs: number;
  readonly bytes: number;
  readonly blobs: readonly string[];
};

function collect(of: Parameters<typeof collectGarbage>[0]): void {
  const live = removeExpired(of).sort((a, b) => a.usedMs - b.usedMs);
  const referenced = shrink(live, of.bounds.maxMb * 1024 * 1024, (hash) => lstatQuietly(of.blobPath(hash))?.size ?? 0);
  for (const path of listTwoLevels(`${of.base}/blobs`)) {
    const stat = lstatQuietly(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (stat !== undefined && !referenced.has(name) && of.nowMs - stat.mtimeMs > unfinishedMs) removeQuietly(path);
  }
}

function removeExpired(of: Parameters<typeof collectGarbage>[0]): LiveEntry[] {
  const live: LiveEntry[] = [];
  for (const path of listTwoLevels(`${of.base}/entries`)) {
    const stat = lstatQuietly(path);
    if (stat === undefined) continue;
    const ageMs = of.nowMs - stat.mtimeMs;
    // What is no entry by name is a temporary: of a gather that is writing just now, or of one that was killed.
    const isEntry = path.endsWith('.json');
    const blobs = isEntry ? of.blobsOf(path) : undefined;
    if (isEntry ? blobs === undefined || ageMs > of.bounds.maxAgeDays * 86_400_000 : ageMs > unfinishedMs)
      removeQuietly(path);
    else if (blobs !== undefined)
      live.push({ path, usedMs: stat.mtimeMs, bytes: stat.size, blobs: [...new Set(blobs)] });
  }
  return live;
}

/** Removes entries, oldest first, until the rest fits; returns the blobs of the rest. A shared blob weighs once, until its last entry goes. */
function shrink(
  oldestFirst: readonly LiveEntry[],
  maxBytes: number,
  sizeOf: (hash: string) => number,
): ReadonlySet<string> {
  const blobs = new Map<string, { readonly bytes: number; users: number }>();
  let total = 0;
  for (const entry of oldestFirst) {
    total += entry.bytes;
    for (const hash of entry.blobs) {
      const blob = blobs.get(hash) ?? { bytes: sizeOf(hash), users: 0 };
      if (blob.users === 0) total += blob.bytes;
      blob.users += 1;
      blobs.set(hash, blob);
    }
  }
  for (const entry of oldestFirst) {
    if (total <= maxBytes) break;
    removeQuietly(entry.path);
    total -= entry.bytes;
    for (const hash of entry.blobs) {
      const blob = blobs.get(hash);
      if (blob === undefined) continue;
      blob.users -= 1;
      if (blob.users > 0) continue;
      total -= blob.bytes;
      blobs.delete(hash);
    }
  }
  return new Set(blobs.keys());
}

/** What is there, never through a link; undefined also where something on the way to it is no directory. */
function lstatQuietly(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isRealDirectory(path: string): boolean {
  return lstatQuietly(path)?.isDirectory() === true;
}

/** Our own file, never through a link; undefined when it is not there or not a plain file. */
function readOwn(path: string): Buffer | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** `<directory>/<folder>/<name>`, the shape of both stores. */
function listTwoLevels(directory: string): string[] {
  const list = (path: string) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  };
  return list(directory).flatMap((folder) =>
    list(`${directory}/${folder}`).map((name) => `${directory}/${folder}/${name}`),
  );
}

/** What cannot be removed stays a miss. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A read-only cache: the next gather will find the same broken entry and say the same.
  }
}

/** The modification time of an entry is when it was last of use. */
function touch(path: string, nowMs: number): void {
  try {
    utimesSync(path, nowMs / 1000, nowMs / 1000);
  } catch {
    // A read-only cache still serves hits; it merely forgets which were used last.
  }
}

function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // Gone meanwhile, or not ours: the directory above it is private.
  }
}
