/** The import graph as another probe left it, for the questions asked here. What is not of its shape reads as nothing. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { listAt, textAt } from '../json-access.ts';

export type ImportEdges = {
  /** Files a file loads, and those that they pass on. */
  readonly loads: (path: string) => ReadonlySet<string>;
  /** It asks for something of this repository that was not found, or that is only known when it runs. */
  readonly isOpen: (path: string) => boolean;
};

export function readImportEdges(graph: Uint8Array | undefined): ImportEdges | null {
  if (graph === undefined) return null;
  const outcome = parseJsonObject(graph, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepth });
  if (!outcome.ok) return null;
  const [loaded, passedOn] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const edge of listAt(outcome.value, 'edges')) {
    const [from, to] = [textAt(edge, 'from'), textAt(edge, 'to')];
    if (from === null || to === null || !isTrue(edge, 'resolved') || isTrue(edge, 'type_only')) continue;
    add(loaded, from, to);
    if (textAt(edge, 'kind') === 'reexport') add(passedOn, from, to);
  }
  const open = new Set<string>();
  for (const entry of listAt(outcome.value, 'unresolved')) {
    const from = textAt(entry, 'from');
    if (from !== null) open.add(from);
  }
  return {
    loads(path) {
      const found = new Set(loaded.get(path));
      for (const direct of loaded.get(path) ?? []) for (const further of passedOn.get(direct) ?? []) found.add(further);
      found.delete(path);
      return found;
    },
    isOpen: (path) => open.has(path),
  };
}

function isTrue(value: Json, key: string): boolean {
  return isJsonObject(value) && value[key] === true;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
