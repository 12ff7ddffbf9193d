/**
 * What a probe reads: its declared inputs (`repo.inputs`) with the record of what changed while it read, and manifests that are parsed
 * once per gather.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareCodeUnits, deepFreeze, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { Logger } from '../../kernel/base/log.ts';
import type { ParseNote } from '../../kernel/formats/parse-outcome.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import {
  type HeadOutcome,
  lstatOf,
  type ReadOutcome,
  readRegular,
  readRegularHead,
} from '../../kernel/tree/safe-read.ts';
import type { ExtractionMemo } from '../cache/extraction-memo.ts';
import type { ProbeInputs } from '../contract.ts';
import { assertReadable, type Input, isSameFile, type Snapshot } from './input-snapshot.ts';

/** How long one probe may keep the event loop before others, timers and Ctrl-C get a turn. */
const turnMs = 15;

export type TrackedInputs = ProbeInputs & {
  /** Inputs whose bytes were not those of the snapshot when they were read: edited while the gather ran. */
  readonly changed: ReadonlySet<string>;
};

export function createProbeInputs(
  probeName: string,
  snapshot: () => Snapshot,
  signal: AbortSignal,
  extracted: ExtractionMemo,
): TrackedInputs {
  const changed = new Set<string>();
  let turnStarted = performance.now();
  const takeTurn = async (): Promise<void> => {
    signal.throwIfAborted();
    if (performance.now() - turnStarted < turnMs) return;
    await nextTurn();
    signal.throwIfAborted();
    turnStarted = performance.now();
  };
  const find = (id: string): Input | undefined => snapshot().inputs.get(id);
  const refusal = (input: Input): (ReadOutcome & HeadOutcome) | undefined => {
    if (input.kind === 'absent') return { kind: 'absent' };
    if (input.kind === 'link') return { kind: 'failed', failure: { kind: 'symlink_refused' } };
    return undefined;
  };
  const readWith =
    <T>(read: (input: Input, id: string, maxBytes: number) => T) =>
    async (id: string, maxBytes: number): Promise<T | (ReadOutcome & HeadOutcome)> => {
      await takeTurn();
      const input = find(id);
      assertReadable(input, id, probeName);
      return refusal(input) ?? read(input, id, maxBytes);
    };
  return {
    changed,
    extracted,
    list(globs) {
      const present = [...snapshot().inputs.values()]
        .filter((input) => input.kind !== 'absent')
        .map((input) => input.id);
      if (globs === undefined) return present.sort(compareCodeUnits);
      const matches = compileGlobs(globs);
      return present.filter((id) => matches(id.replace(/^(?:user:|config:[^:]*:\d+\/)/, ''))).sort(compareCodeUnits);
    },
    has: (id) => (find(id)?.kind ?? 'absent') !== 'absent',
    fingerprint: find,
    read: readWith((input, id, maxBytes) => {
      const outcome = readRegular(input.base, input.relative, maxBytes, input.guard);
      const hashed = input.contentHash.startsWith('blake3:');
      if (outcome.kind === 'read' && hashed ? outcome.hash !== input.contentHash : isOther(input)) changed.add(id);
      return outcome;
    }),
    readHead: readWith((input, id, maxBytes) => {
      const outcome = readRegularHead(input.base, input.relative, maxBytes, input.guard);
      if (isOther(input)) changed.add(id);
      return outcome;
    }),
  };
}

/** Where there are no whole bytes to compare with the snapshot, the file's signature tells whether it is still the same one. */
function isOther({ path, stat }: Input): boolean {
  return !isSameFile(stat, lstatOf(path)?.stat ?? null);
}

export interface ManifestMemo {
  /** `note` hears what the parser found worth telling about the document, each time it is asked for. */
  parsedManifest(inputs: ProbeInputs, id: string, note: (found: ParseNote) => void): Promise<JsonObject | null>;
}

const parseLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

/**
 * Parsed manifests, once per gather and content (gather.md §3): package.json, tsconfig*.json and pnpm-workspace.yaml are read by
 * many probes. Memory only, deep-frozen; failures are not stored. It never reaches disk and never crosses the validator.
 */
export function createManifestMemo(logger: Logger): ManifestMemo {
  const known = new Map<string, Parsed>();
  return {
    async parsedManifest(inputs, id, note) {
      const basename = id.slice(id.lastIndexOf('/') + 1);
      const kind = manifestKind(basename);
      const hash = inputs.fingerprint(id)?.contentHash;
      if (kind === undefined || hash === undefined || hash.startsWith('<')) return null;
      const key = `${kind}:${hash}`;
      const remembered = known.get(key);
      logger.event(remembered === undefined ? 'probe.memo.miss' : 'probe.memo.hit', { path: id });
      if (remembered !== undefined) return tell(remembered, note);
      const outcome = await inputs.read(id, limits.manifestBytes);
      if (outcome.kind !== 'read') return null;
      const parsed = await parseManifest(kind, outcome.bytes);
      if (parsed === undefined) return null;
      deepFreeze(parsed.value);
      if (outcome.hash === hash) known.set(key, parsed);
      return tell(parsed, note);
    },
  };
}

type Parsed = { readonly value: JsonObject; readonly notes: readonly ParseNote[] };

function tell({ value, notes }: Parsed, note: (found: ParseNote) => void): JsonObject {
  for (const found of notes) note(found);
  return value;
}

type ManifestKind = 'json' | 'jsonc' | 'yaml';

function manifestKind(basename: string): ManifestKind | undefined {
  if (basename === 'package.json') return 'json';
  if (/^tsconfig.*\.json$/.test(basename)) return 'jsonc';
  return basename === 'pnpm-workspace.yaml' ? 'yaml' : undefined;
}

async function parseManifest(kind: ManifestKind, bytes: Uint8Array): Promise<Parsed | undefined> {
  const outcome =
    kind === 'json'
      ? (await import('../../kernel/formats/parse-json.ts')).parseJsonObject(bytes, parseLimits)
      : kind === 'jsonc'
        ? (await import('../../kernel/formats/parse-json.ts')).parseJsonc(bytes, parseLimits)
        : (await import('../../kernel/formats/yaml.ts')).parseYamlObject(bytes, parseLimits);
  return outcome.ok ? outcome : undefined;
}
