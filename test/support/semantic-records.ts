/** Contexts and documents that no indexer made, for tests of the store and of what asks it. */

import {
  type DocumentFacts,
  type OccurrenceForm,
  occurrenceForms,
  type RelationKind,
  type SymbolIdentity,
} from '../../src/index/store/document-facts.ts';
import type { WritableFacts } from '../../src/index/store/facts-file.ts';
import type { ContextRow, DocumentOrigin } from '../../src/index/store/write-semantic.ts';
import { hexOf } from './store-records.ts';

export function makeContext(key: string, members: readonly string[], change: Partial<ContextRow> = {}): ContextRow {
  return {
    key,
    family: 'typescript',
    root: '',
    configPath: 'tsconfig.json',
    indexer: 'scip-typescript',
    granularity: 'project',
    config: { project: key },
    configHash: `config of ${key}`,
    toolPath: '/bin/tool',
    toolId: 'tool@1',
    envHash: 'env',
    probe: 'ok',
    probeDetail: null,
    enabled: true,
    members,
    ...change,
  };
}

export function makeIdentity(key: string, change: Partial<SymbolIdentity> = {}): SymbolIdentity {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return { key, family: 'typescript', package: '@', inRepo: true, name, ...change };
}

export type DocumentParts = {
  readonly occurrences?: readonly {
    readonly at: number;
    readonly key: string;
    readonly end?: number;
    readonly roles?: number;
    readonly form?: OccurrenceForm;
  }[];
  /** Keys with their signatures. */
  readonly infos?: Readonly<Record<string, string | null>>;
  readonly relations?: readonly (readonly [from: string, kind: RelationKind, to: string])[];
  readonly items?: readonly {
    readonly key?: string;
    readonly name?: string;
    readonly kind: DocumentFacts['items'][number]['kind'];
    readonly at: number;
    readonly detail?: string;
  }[];
  readonly contentHash?: string;
  readonly semIface?: string | null;
};

/** Symbols are named by their keys. An occurrence is eight bytes long and lies on the line of its position, if nothing else is said. */
export function makeDocument(path: string, parts: DocumentParts = {}): DocumentFacts {
  const symbols: SymbolIdentity[] = [];
  const places = new Map<string, number>();
  const place = (key: string): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, symbols.length);
    return symbols.push(makeIdentity(key)) - 1;
  };
  const occurrences = (parts.occurrences ?? []).map(({ at, key, end = at + 8, roles = 8, form = 'name' }) => [
    at,
    end,
    place(key),
    roles,
    occurrenceForms.indexOf(form),
    at,
    4,
    at,
    12,
  ]);
  occurrences.sort((a, b) => compareInts(a, b, 3));
  const infos = Object.entries(parts.infos ?? {}).map(([key, signature]) => ({
    symbol: place(key),
    raw: `raw ${key}`,
    kind: 'function',
    signature,
    sigHash: signature === null ? null : hexOf(signature),
  }));
  return {
    path,
    contentHash: parts.contentHash ?? hexOf(`${path} `),
    occurrences: Int32Array.from(occurrences.flat()),
    infos,
    relations: (parts.relations ?? []).map(([from, kind, to]) => ({ from: place(from), to: place(to), kind })),
    items: (parts.items ?? []).map(({ key, name = null, kind, at, detail = '' }) => ({
      symbol: key === undefined ? null : place(key),
      name,
      kind,
      start: at,
      end: at + 8,
      detail,
    })),
    lineHashes: Uint8Array.from({ length: 16 }, (_, at) => at),
    semIface: parts.semIface === undefined ? hexOf(`sem of ${path}`) : parts.semIface,
    symbols,
  };
}

export function makeOrigin(context: ContextRow, change: Partial<DocumentOrigin> = {}): DocumentOrigin {
  return { configHash: context.configHash, toolId: context.toolId ?? '', jobId: null, deps: [], ...change };
}

/** One transaction; the id of the context. */
export function putContext(facts: WritableFacts, ...contexts: readonly ContextRow[]): number {
  facts.writer.transaction(() => facts.semantic.putContexts(contexts));
  return idOfContext(facts, contexts[0]?.key ?? '');
}

export function idOfContext(facts: WritableFacts, key: string): number {
  return facts.read((session) => Number(session.statement('SELECT id FROM contexts WHERE key = ?').get(key)?.['id']));
}

function compareInts(a: readonly number[], b: readonly number[], count: number): number {
  for (let at = 0; at < count; at += 1) if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  return 0;
}
