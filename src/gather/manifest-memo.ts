/**
 * Parsed manifests, once per gather and content (gather.md §3): package.json, tsconfig*.json and pnpm-workspace.yaml are read by
 * many probes. Memory only, deep-frozen; failures are not stored. It never reaches disk and never crosses the validator.
 */

import { deepFreeze, type JsonObject } from '../kernel/base/json.ts';
import { limits } from '../kernel/base/limits.ts';
import type { Logger } from '../kernel/base/log.ts';
import type { ParseNote } from '../kernel/formats/parse-outcome.ts';
import type { ProbeInputs } from './contract.ts';

export interface ManifestMemo {
  /** `note` hears what the parser found worth telling about the document, each time it is asked for. */
  parsedManifest(inputs: ProbeInputs, id: string, note: (found: ParseNote) => void): Promise<JsonObject | null>;
}

const parseLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

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
      ? (await import('../kernel/formats/parse-json.ts')).parseJsonObject(bytes, parseLimits)
      : kind === 'jsonc'
        ? (await import('../kernel/formats/parse-json.ts')).parseJsonc(bytes, parseLimits)
        : (await import('../kernel/formats/yaml.ts')).parseYamlObject(bytes, parseLimits);
  return outcome.ok ? outcome : undefined;
}
