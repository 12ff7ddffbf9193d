/**
 * A composed YAML document as plain JSON values.
 *
 * Promises: nothing but JSON comes out. Keys are strings, as written (`8080: x` has the key `8080`); a collection as a key is
 * malformed. Timestamps are strings, since the core schema has none, and so are `.inf` and `.nan`: JSON has no such numbers, and
 * one of them is no reason to lose the file. `__proto__` is data. A repeated key is malformed. `<<` merges as YAML 1.1 has it.
 *
 * Anchored values are shared by identity, yet every reference pays for the whole of what it stands for, aliases inside included:
 * more than `limits.yamlExpansionNodes` paid is `expansion_cap_exceeded`, before anyone can serialise the result. A long text
 * costs one node per started KiB, so that a megabyte cannot be repeated a hundred thousand times either.
 */

import { isJsonObject, type Json } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { failedParse, malformed, type ParseFailure } from './outcome.ts';
import { setOwn } from './set-own.ts';
import { lineAt } from './text.ts';
import { loadYaml, type YamlDocument, type YamlNode } from './yaml-documents.ts';

type Failed = { readonly ok: false; readonly failure: ParseFailure };
type Built = {
  readonly value: Json;
  /** Nodes of the expanded tree. */
  readonly nodes: number;
  /** Containers below this one; -1 for a scalar. */
  readonly height: number;
};

export function toJsonValue(
  document: YamlDocument,
  text: string,
  maxDepth: number,
): Failed | { readonly ok: true; readonly value: Json } {
  const yaml = loadYaml();
  const anchors = new Map<string, Built | 'open'>();
  const nothing: Built = { value: null, nodes: 1, height: -1 };
  let expanded = 0;
  // Set once; every loop below ends when it is.
  let failed: Failed | null = null;
  const fail = (failure: Failed): Built => {
    failed ??= failure;
    return nothing;
  };
  const wrong = (detail: string, node: YamlNode | null): Built =>
    fail(malformed(`yaml: ${detail}`, lineAt(text, node?.range[0] ?? 0)));

  function build(node: YamlNode | null, depth: number): Built {
    if (node === null) return nothing;
    if (yaml.isAlias(node)) return follow(node, depth);
    if (node.anchor !== undefined) anchors.set(node.anchor, 'open');
    const built = yaml.isScalar(node) ? scalar(node) : collection(node, depth);
    if (node.anchor !== undefined) anchors.set(node.anchor, built);
    return built;
  }

  function follow(node: YamlNode & { readonly source?: string }, depth: number): Built {
    const target = anchors.get(node.source ?? '');
    if (target === undefined) return wrong('unknown alias', node);
    if (target === 'open') return wrong('alias inside its own anchor', node);
    expanded += target.nodes;
    if (expanded > limits.yamlExpansionNodes) {
      return fail(failedParse({ kind: 'expansion_cap_exceeded', cap: limits.yamlExpansionNodes }));
    }
    return depth + target.height > maxDepth ? tooDeep() : target;
  }

  function tooDeep(): Built {
    return fail(failedParse({ kind: 'depth_cap_exceeded', cap: maxDepth }));
  }

  function scalar(node: YamlNode): Built {
    const { value, source } = node as { readonly value?: unknown; readonly source?: string };
    if (typeof value === 'string') return { value, nodes: 1 + Math.floor(value.length / 1024), height: -1 };
    if (typeof value === 'boolean') return { value, nodes: 1, height: -1 };
    if (typeof value === 'number') {
      const kept = Number.isFinite(value) ? (value === 0 ? 0 : value) : (source ?? String(value));
      return { value: kept, nodes: 1, height: -1 };
    }
    return nothing;
  }

  function collection(node: YamlNode, depth: number): Built {
    if (depth > maxDepth) return tooDeep();
    return yaml.isMap(node) ? map(node as YamlMapNode, depth) : sequence(node as YamlSeqNode, depth);
  }

  function sequence(node: YamlSeqNode, depth: number): Built {
    const items: Json[] = [];
    let nodes = 1;
    let height = 0;
    for (const item of node.items) {
      const built = build(item, depth + 1);
      if (failed !== null) return nothing;
      items.push(built.value);
      nodes += built.nodes;
      height = Math.max(height, built.height + 1);
    }
    return { value: items, nodes, height };
  }

  function map(node: YamlMapNode, depth: number): Built {
    const members: Record<string, Json> = {};
    const merges: Json[] = [];
    let nodes = 1;
    let height = 0;
    for (const pair of node.items) {
      const key = keyText(pair.key, depth + 1);
      const built = build(pair.value, depth + 1);
      if (failed !== null) return nothing;
      nodes += built.nodes;
      if (key === '<<' && isPlain(pair.key)) {
        if (!isMergeable(built.value)) return wrong('a merge key needs a mapping or a list of mappings', pair.key);
        merges.push(built.value);
        // What is merged becomes this mapping's own: one container fewer, two for a list of them.
        height = Math.max(height, built.height - (Array.isArray(built.value) ? 1 : 0));
        continue;
      }
      if (Object.hasOwn(members, key)) return wrong('duplicate key', pair.key);
      setOwn(members, key, built.value);
      height = Math.max(height, built.height + 1);
    }
    for (const source of merges.flatMap((merge) => (Array.isArray(merge) ? (merge as readonly Json[]) : [merge]))) {
      for (const [key, value] of Object.entries(source ?? {})) {
        if (!Object.hasOwn(members, key)) setOwn(members, key, value as Json);
      }
    }
    return { value: members, nodes, height };
  }

  function keyText(key: YamlNode | null, depth: number): string {
    if (key === null) return '';
    const built = build(key, depth);
    if (typeof built.value === 'object' && built.value !== null) wrong('a collection as a key', key);
    const { source } = key as { readonly source?: string };
    return typeof built.value === 'string' || yaml.isAlias(key) ? String(built.value) : (source ?? '');
  }

  const root = build(document.contents, 0);
  return failed ?? { ok: true, value: root.value };
}

type YamlMapNode = { readonly items: readonly { readonly key: YamlNode | null; readonly value: YamlNode | null }[] };
type YamlSeqNode = { readonly items: readonly (YamlNode | null)[] };

function isPlain(node: YamlNode | null): boolean {
  return (node as { readonly type?: string } | null)?.type === 'PLAIN';
}

function isMergeable(value: Json): boolean {
  return isJsonObject(value) || (Array.isArray(value) && value.every((item) => isJsonObject(item)));
}
