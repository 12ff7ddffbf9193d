/**
 * The freshness of every index asked now, without a gather: what the published context recorded, against the disk (gather.md §10).
 * Nothing is run and nothing is written.
 */

import { isJsonObject, type JsonObject } from '../kernel/base/json.ts';
import type { SettledIndex } from './contract.ts';
import type { GatherWorld } from './coordinate.ts';
import { splitSectionPath } from './envelope.ts';
import { blankExecution } from './execution.ts';
import { type JudgedIndexes, judgeIndexes } from './freshness/judge-indexes.ts';
import { digestInputs } from './input-snapshot.ts';
import { digestOfAll, observeIndex } from './observe-index.ts';

export async function freshnessNow(world: GatherWorld, envelope: JsonObject): Promise<JudgedIndexes> {
  const indexes: SettledIndex[] = [];
  for (const probe of world.probes) {
    const { index } = probe;
    if (index === undefined) continue;
    const records = isJsonObject(envelope['probes']) ? envelope['probes'] : {};
    const record = isJsonObject(records[probe.name]) ? (records[probe.name] as JsonObject) : {};
    const slice = findSection(envelope, Object.keys(probe.sections)[0] as string);
    const snapshot = world.snapshots.take(probe.declaredInputs);
    const skip = isJsonObject(record['skip']) ? record['skip']['reason'] : null;
    const base = blankExecution(probe, skip !== 'not_selected' && skip !== 'disabled');
    const cache = isJsonObject(record['cache']) ? record['cache']['key'] : null;
    const entry = typeof cache === 'string' ? world.cache.findEntry(cache) : undefined;
    const observed = await observeIndex(world, world.repo, {
      ...base,
      status: slice === undefined ? 'skipped' : 'ok',
      skip: typeof skip === 'string' ? { reason: skip as never, detail: null } : null,
      snapshot,
      keyParts: entry?.parts ?? null,
    });
    const changedFiles = changedSince(entry === undefined ? undefined : world.cache.readInputs(entry.key), snapshot.inputs);
    indexes.push({
      name: index.name,
      probe: probe.name,
      selected: base.selected,
      check: index.check,
      slice: slice ?? {},
      observed: {
        ...observed,
        changedFiles,
        inputsDigest: entry === undefined ? null : digestOfAll(digestInputs(snapshot.inputs.values()), upstreamOf(entry.parts.upstream)),
      },
      detail: index.detail?.(slice ?? {}) ?? {},
    });
  }
  return judgeIndexes({ indexes, head: world.repo.gitCommit, countCommits: async () => null });
}

function findSection(envelope: JsonObject, path: string): JsonObject | undefined {
  const [top, leaf] = splitSectionPath(path);
  const section = envelope[top];
  const found = leaf === undefined ? section : isJsonObject(section) ? section[leaf] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function upstreamOf(part: string): (readonly [string, string])[] {
  if (part === '') return [];
  return part.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
}

/** Ids whose bytes differ from the recorded list, the ones that came and went included. */
function changedSince(recorded: unknown, inputs: ReadonlyMap<string, { readonly kind: string; readonly keyHash: string }>): string[] {
  if (!Array.isArray(recorded)) return [];
  const then = new Map(recorded.map((entry: unknown) => [String((entry as unknown[])[0]), String((entry as unknown[])[2])]));
  const changed = [...inputs].filter(([id, input]) => then.get(id) !== input.keyHash).map(([id]) => id);
  for (const id of then.keys()) if (!inputs.has(id)) changed.push(id);
  return changed.sort();
}
