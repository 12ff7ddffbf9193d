/**
 * The content-addressed result cache (gather.md §4.3). It stores bytes, so a hit replays exactly what was published.
 * Anything broken is a miss and is removed; it is never an error. Only redacted outputs have the type `put` accepts.
 */

import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, type Stats, statSync, utimesSync } from 'node:fs';
import { blake3Hex, sha256Hex } from '../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../kernel/base/json.ts';
import type { Logger } from '../kernel/base/log.ts';
import { z } from '../kernel/base/schema.ts';
import { type KeyParts, keyPartNames } from './cache-key.ts';
import { type ArtifactKind, artifactKinds } from './contract.ts';
import { diagnosticSchema, evidenceSchema, toolVersionSchema } from './envelope.ts';
import {
  assertRedactedArtifact,
  assertRedactedSlice,
  type RedactedArtifact,
  type RedactedSlice,
  rebrandStored,
} from './redact.ts';
import { ensureOwnDirectory, writeAtomically } from './write-file.ts';

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
});
export type CacheEntry = z.output<typeof entrySchema>;

/** What a probe's run leaves behind beside its slice; replayed with it. */
export type StoredFacts = {
  readonly confidence: 'high' | 'medium' | 'low';
  readonly warnings: readonly string[];
  readonly diagnostics: readonly Json[];
  readonly evidence: readonly Json[];
  readonly toolVersions: readonly Json[];
};

export type CacheHit = {
  readonly entry: CacheEntry;
  readonly slice: RedactedSlice;
  readonly facts: StoredFacts;
  readonly artifacts: readonly RedactedArtifact[];
};

export type CacheLookup =
  | { readonly kind: 'hit'; readonly hit: CacheHit }
  | { readonly kind: 'miss' }
  | { readonly kind: 'stale' };

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
  collectGarbage(limits: { readonly maxAgeDays: number; readonly maxMb: number }): void;
}

const outputSchema = z.strictObject({
  slice: z.record(z.string(), z.json()),
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
 * written elsewhere; where a restored copy lost its modes they are set right, those of the files too.
 */
export function prepareCacheDirectory(dataDir: string): void {
  const base = cacheBase(dataDir);
  const directories = [`${dataDir}/cache`, `${dataDir}/cache/gather`, base, `${base}/entries`, `${base}/blobs`];
  const flattened = directories.some((path) => ((lstatQuietly(path)?.mode ?? 0o700) & 0o777) !== 0o700);
  for (const path of directories) ensureOwnDirectory(path);
  if (!flattened) return;
  for (const path of directories.slice(-2)) {
    for (const name of readdirSync(path)) if (isRealDirectory(`${path}/${name}`)) ensureOwnDirectory(`${path}/${name}`);
    for (const file of listTwoLevels(path)) if (lstatQuietly(file)?.isFile() === true) makePrivate(file);
  }
}

export function openCacheStore(dataDir: string, logger: Logger, nowMs: () => number): CacheStore {
  const base = cacheBase(dataDir);
  const entryPath = (key: string) => {
    const hex = key.replace(/^sha256:/, '');
    return `${base}/entries/${hex.slice(0, 2)}/${hex}.json`;
  };
  const blobPath = (hash: string) => `${base}/blobs/${hash.slice(0, 2)}/${hash}`;

  const findEntry = (key: string): CacheEntry | undefined => {
    const text = readOwn(entryPath(key));
    if (text === undefined) return undefined;
    const parsed = entrySchema.safeParse(parseJsonLoosely(text));
    return parsed.success && parsed.data.key === key ? parsed.data : undefined;
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
    if (present === undefined || blake3Hex(present) !== hash) writeAtomically(path, bytes, { durable: true });
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
      const entry = findEntry(key);
      if (entry === undefined) return invalid(key, 'json_decode');
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
        artifacts.push({ name: artifact.name, kind: artifact.kind, bytes });
      }
      touch(entryPath(key), nowMs());
      const stored = rebrandStored({
        slice: output.data.slice as Record<string, Json>,
        findingsCount: output.data.findings_count,
        fingerprints: output.data.fingerprints,
        artifacts,
      });
      const { confidence, warnings, diagnostics, evidence, tool_versions } = output.data;
      const facts = {
        confidence,
        warnings,
        diagnostics: diagnostics as Json[],
        evidence: evidence as Json[],
        toolVersions: tool_versions as Json[],
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
          diagnostics: of.facts.diagnostics,
          evidence: of.facts.evidence,
          tool_versions: of.facts.toolVersions,
        }),
      );
      const artifacts = of.artifacts.map((artifact) => {
        assertRedactedArtifact(artifact);
        const { name, kind, bytes } = artifact;
        return { name, kind, blake3: writeBlob(bytes), sha256: sha256Hex(bytes), size: bytes.length };
      });
      const entry: CacheEntry = {
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
      const path = entryPath(of.key);
      makeDirectories(base, `entries/${path.split('/').at(-2)}`);
      writeAtomically(path, JSON.stringify(entry), { durable: true });
      return entry;
    },
    collectGarbage(bounds) {
      const lock = `${base}/gc.lock`;
      const nonce = randomBytes(8).toString('hex');
      if (!isRealDirectory(base)) return;
      const last = statSync(lock, { throwIfNoEntry: false });
      if (last !== undefined && nowMs() - last.mtimeMs < 24 * 3_600_000) return;
      writeAtomically(lock, nonce, { durable: false });
      collect(base, bounds, nowMs());
    },
  };
}

/** Whoever writes a blob or an entry has long finished, or never will. */
const unfinishedMs = 3_600_000;

function collect(base: string, bounds: { readonly maxAgeDays: number; readonly maxMb: number }, nowMs: number): void {
  const entries = listTwoLevels(`${base}/entries`).map((path) => ({
    path,
    stat: statSync(path, { throwIfNoEntry: false }),
  }));
  const live: { path: string; usedMs: number; hashes: string[]; bytes: number }[] = [];
  for (const { path, stat } of entries) {
    const text = readOwn(path);
    const parsed = entrySchema.safeParse(text === undefined ? undefined : parseJsonLoosely(text));
    const expired = stat === undefined || nowMs - stat.mtimeMs > bounds.maxAgeDays * 86_400_000;
    if (!path.endsWith('.json')) {
      // A temporary: of a gather that is writing just now, or of one that was killed.
      if (expired || nowMs - stat.mtimeMs > unfinishedMs) rmSync(path, { force: true });
    } else if (expired || !parsed.success) rmSync(path, { force: true });
    else {
      const hashes = [
        parsed.data.output,
        parsed.data.inputs,
        ...parsed.data.artifacts.map((artifact) => artifact.blake3),
      ];
      const bytes = parsed.data.artifacts.reduce((sum, artifact) => sum + artifact.size, 4096);
      live.push({ path, usedMs: stat.mtimeMs, hashes, bytes });
    }
  }
  live.sort((a, b) => a.usedMs - b.usedMs);
  let total = live.reduce((sum, entry) => sum + entry.bytes, 0);
  while (total > bounds.maxMb * 1024 * 1024 && live.length > 0) {
    const oldest = live.shift() as (typeof live)[number];
    rmSync(oldest.path, { force: true });
    total -= oldest.bytes;
  }
  const referenced = new Set(live.flatMap((entry) => entry.hashes));
  for (const path of listTwoLevels(`${base}/blobs`)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (stat !== undefined && !referenced.has(name) && nowMs - stat.mtimeMs > unfinishedMs)
      rmSync(path, { force: true });
  }
}

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

function cacheBase(dataDir: string): string {
  return `${dataDir}/cache/gather/v1`;
}

/** What is there, undefined also where something on the way to it is no directory. */
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

function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // Gone meanwhile, or not ours: the directory above it is private.
  }
}

/** What cannot be removed stays a miss. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A read-only cache: the next gather will find the same broken entry and say the same.
  }
}

/** Our own file, never through a link; undefined when it is not there or not a plain file. */
function readOwn(path: string): Buffer | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function makeDirectories(base: string, below: string): void {
  if (isRealDirectory(`${base}/${below}`)) return;
  let path = base;
  for (const segment of below.split('/')) {
    path = `${path}/${segment}`;
    ensureOwnDirectory(path);
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

function parseJsonLoosely(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}
