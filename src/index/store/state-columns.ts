/**
 * Everything the states of all files in all contexts are computed from (code-plane.md §8), by columns: fifty thousand files and half
 * a million dependencies as typed arrays. Interface hashes are compared here, by number, so none of them leaves.
 *
 * All positions are indexes: a file is its position in `files`, a context in `contexts`, an indexed file in `facts`. Comparisons are
 * of the store's moment; a caller that knows newer bytes of a file compares `files.contentHash` and judges its facts and edges anew.
 */

import { noDocument } from './document-facts.ts';
import type { AliasReason, SkipReason } from './file-rows.ts';
import type { ReadSession } from './read-session.ts';
import { isLive, listContexts, type StoredContext } from './stored-contexts.ts';

/** Answers of a comparison: `unknown` where either side is not known. */
export const compared = { different: 0, same: 1, unknown: 2 } as const;

export type StateColumns = {
  readonly generation: number;
  /** Every row of `files`, in the order of the store (UTF-8 bytes of the path). */
  readonly files: {
    readonly count: number;
    readonly path: readonly string[];
    /** Position by path. */
    readonly positions: ReadonlyMap<string, number>;
    readonly language: readonly (string | null)[];
    readonly contentHash: readonly (string | null)[];
    readonly skipReason: readonly (SkipReason | AliasReason | null)[];
    /** 1: a file, not a link, that was on disk. */
    readonly isFile: Uint8Array;
    /** 1: the interface is known: `syn_iface`, or of what is not parsed, or not well enough to know it, the bytes. */
    readonly synKnown: Uint8Array;
    /** 1: also of what is not parsed. */
    readonly ifaceClosed: Uint8Array;
    /** Id of the text of the interface. */
    readonly syn: Int32Array;
  };
  /** By key. */
  readonly contexts: readonly StoredContext[];
  /** Pairs, by context, then by file. */
  readonly members: { readonly count: number; readonly context: Int32Array; readonly file: Int32Array };
  /** One per (file, context) that was indexed, in no order that means anything. */
  readonly facts: {
    readonly count: number;
    readonly file: Int32Array;
    readonly context: Int32Array;
    /** 1: `hash_at_index` is `files.content_hash`. */
    readonly hashEqual: Uint8Array;
    /** 1: configuration and tool are the context's, and so was the environment. */
    readonly configEqual: Uint8Array;
    /** 1: `sem_iface` is known. */
    readonly semKnown: Uint8Array;
    /** 1: an import of the file now leads elsewhere than when it was indexed. */
    readonly elsewhere: Uint8Array;
    /** Edges of facts row n are `edgeStart[n]` up to `edgeStart[n + 1]`. */
    readonly edgeStart: Int32Array;
  };
  readonly edges: {
    readonly count: number;
    /** Position in `files`; -1: no row has that path any more. */
    readonly target: Int32Array;
    /** By edge whose target has no row: its path. */
    readonly missing: ReadonlyMap<number, string>;
    /**
     * Position in `facts` of the target in the same context or, where it is no member there, in the first context by key that is live
     * and has indexed it; -1: none.
     */
    readonly targetFacts: Int32Array;
    /** Id of the text of the target's interface at index time; -1: NULL. */
    readonly synThen: Int32Array;
    /** `compared`: the snapshot with the target's interface. */
    readonly syn: Uint8Array;
    /** `compared`: the snapshot with the `sem_iface` of `targetFacts`; same where there was no document and is none. */
    readonly sem: Uint8Array;
    /** 1: both hashes of the snapshot are NULL, so it is unknown whatever the target is now. */
    readonly snapshotUnknown: Uint8Array;
  };
};

// Of what is not parsed nothing but the bytes can be observed; what could not be read as an interface is the same while they are.
export const stateFilesSql = `
  SELECT id, path, language, content_hash, skip_reason, kind = 'file' AND presence = 'present',
    coalesce(syn_iface, content_hash), parse IS NULL OR iface_closed
  FROM files ORDER BY path
`;
export const stateMembersSql = 'SELECT context_id, path FROM context_members';
export const stateFactsSql = `
  SELECT t.file_id, t.context_id, t.hash_at_index IS f.content_hash, t.config_hash, t.tool_id, t.sem_iface,
    t.targets_digest IS NOT f.targets_digest
  FROM file_facts t JOIN files f ON f.id = t.file_id ORDER BY t.file_id, t.context_id
`;
export const stateTextsSql = 'SELECT id, text FROM dep_texts';
export const stateEdgesSql = `
  SELECT file_id, context_id, path_id, syn_id, sem_id FROM file_deps ORDER BY file_id, context_id
`;

export function loadStateColumns(session: ReadSession): StateColumns {
  const contexts = listContexts(session);
  const texts = new Map<string, number>();
  for (const [id, text] of rowsOf<[number, string]>(session, stateTextsSql)) texts.set(text, id);
  const files = loadFiles(session, texts);
  const facts = loadFacts(session, { contexts, files, texts });
  const members = loadMembers(session, contexts, files);
  const edges = loadEdges(session, { files, facts, texts, findElsewhere: factsElsewhere(contexts, members, facts) });
  return {
    generation: session.generation,
    files: files.columns,
    contexts,
    members,
    facts: { ...facts.columns, edgeStart: edges.edgeStart },
    edges: edges.columns,
  };
}

// ---- the columns of a later generation, where nothing but columns of files has been written since

const structureSql = "SELECT value FROM meta WHERE key = 'structure'";
export const changedFilesSql = `
  SELECT path, language, content_hash, skip_reason, kind = 'file' AND presence = 'present',
    coalesce(syn_iface, content_hash), parse IS NULL OR iface_closed, id
  FROM files WHERE generation > ?
`;
export const factsOfChangedSql = `
  SELECT t.context_id, t.hash_at_index IS f.content_hash, t.targets_digest IS NOT f.targets_digest
  FROM file_facts t JOIN files f ON f.id = t.file_id WHERE t.file_id = ? ORDER BY t.context_id
`;

export type UpdatedColumns = {
  readonly columns: StateColumns;
  /** Positions in `files`. */
  readonly changed: readonly number[];
};

/**
 * The columns of the session's moment, made from older ones, which stay as they are; undefined where that takes all rows: files, contexts
 * or what an indexer said have come or gone. `factsOf` are the rows of a file, `edgesTo` the edges that lead to it, as far as they matter.
 */
export function updateStateColumns(
  session: ReadSession,
  before: StateColumns,
  links: { factsOf(file: number): readonly number[]; edgesTo(file: number): Iterable<number> },
): UpdatedColumns | undefined {
  const structure = rowsOf<[string]>(session, structureSql)[0]?.[0];
  if (structure === undefined || Number(structure) > before.generation) return undefined;
  const changed = rowsOf<ChangedRow>(session, changedFilesSql, before.generation);
  // From here on it costs as much to read everything.
  if (changed.length > Math.max(100, before.files.count / 10)) return undefined;

  const contentHash = [...before.files.contentHash];
  const files = {
    ...before.files,
    contentHash,
    ifaceClosed: before.files.ifaceClosed.slice(),
    syn: before.files.syn.slice(),
  };
  const facts = {
    ...before.facts,
    hashEqual: before.facts.hashEqual.slice(),
    elsewhere: before.facts.elsewhere.slice(),
  };
  const edges = { ...before.edges, syn: before.edges.syn.slice() };
  const positions: number[] = [];
  for (const [path, language, hash, skipped, present, iface, closed, id] of changed) {
    const file = files.positions.get(path);
    if (file === undefined) return undefined;
    const isAsBefore =
      files.language[file] === language && files.skipReason[file] === skipped && files.isFile[file] === present;
    // Another indexer may read it now, or none. A file without bytes has neither facts nor an interface.
    if (!isAsBefore || iface === null) return undefined;
    positions.push(file);
    contentHash[file] = hash;
    files.ifaceClosed[file] = closed;
    files.syn[file] = rowsOf<[number]>(session, textIdSql, iface)[0]?.[0] ?? noText;
    for (const edge of links.edgesTo(file)) {
      edges.syn[edge] = compareInterface(files, file, edges.synThen[edge] as number);
    }
    const rows = rowsOf<[number, number, number]>(session, factsOfChangedSql, id);
    for (const row of links.factsOf(file)) {
      const { id: contextId } = before.contexts[facts.context[row] as number] as StoredContext;
      const now = rows.find(([of]) => of === contextId);
      if (now === undefined) return undefined;
      facts.hashEqual[row] = now[1];
      facts.elsewhere[row] = now[2];
    }
  }
  return { columns: { ...before, generation: session.generation, files, facts, edges }, changed: positions };
}

const textIdSql = 'SELECT id FROM dep_texts WHERE text = ?';

type ChangedRow = [string, string | null, string | null, SkipReason | null, number, string | null, number, number];

// ---- rows to columns

/** Ids of texts are positive. A hash that no dependency names has none, and equals none. */
const noText = 0;

type LoadedFiles = {
  readonly columns: StateColumns['files'];
  /** Position by row id. */
  readonly byId: ReadonlyMap<number, number>;
  /** Position by the id of the text of the path; -1: no file has that path. */
  readonly byText: Int32Array;
};

type FileRow = [number, string, string | null, string | null, SkipReason | null, number, string | null, number];

function loadFiles(session: ReadSession, texts: ReadonlyMap<string, number>): LoadedFiles {
  const rows = rowsOf<FileRow>(session, stateFilesSql);
  const count = rows.length;
  const path = new Array<string>(count);
  const language = new Array<string | null>(count);
  const contentHash = new Array<string | null>(count);
  const skipReason = new Array<SkipReason | null>(count);
  const isFile = new Uint8Array(count);
  const synKnown = new Uint8Array(count);
  const ifaceClosed = new Uint8Array(count);
  const syn = new Int32Array(count);
  const byId = new Map<number, number>();
  const positions = new Map<string, number>();
  let highest = 0;
  for (const id of texts.values()) if (id > highest) highest = id;
  const byText = new Int32Array(highest + 1).fill(-1);
  for (let at = 0; at < count; at += 1) {
    const [id, name, languageOf, hash, skipped, present, iface, closed] = rows[at] as FileRow;
    path[at] = name;
    language[at] = languageOf;
    contentHash[at] = hash;
    skipReason[at] = skipped;
    isFile[at] = present;
    synKnown[at] = Number(iface !== null);
    ifaceClosed[at] = closed;
    syn[at] = idOf(texts, iface);
    byId.set(id, at);
    positions.set(name, at);
    const text = texts.get(name);
    if (text !== undefined) byText[text] = at;
  }
  const columns = { count, path, positions, language, contentHash, skipReason, isFile, synKnown, ifaceClosed, syn };
  return { columns, byId, byText };
}

function loadMembers(
  session: ReadSession,
  contexts: readonly StoredContext[],
  { columns: { positions } }: LoadedFiles,
): StateColumns['members'] {
  const filesOf = new Map<number, number[]>(contexts.map(({ id }) => [id, []]));
  for (const [contextId, path] of rowsOf<[number, string]>(session, stateMembersSql)) {
    const file = positions.get(path);
    if (file !== undefined) filesOf.get(contextId)?.push(file);
  }
  const lists = [...filesOf.values()];
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const context = new Int32Array(count);
  const file = new Int32Array(count);
  let filled = 0;
  lists.forEach((list, of) => {
    context.fill(of, filled, filled + list.length);
    file.set(list, filled);
    filled += list.length;
  });
  return { count, context, file };
}

type LoadedFacts = {
  readonly columns: Omit<StateColumns['facts'], 'edgeStart'>;
  /** By position: `keyOf` the row, in ascending order; the id of its context; the id of the text of `sem_iface`. */
  readonly keys: Float64Array;
  readonly contextIds: Int32Array;
  readonly sem: Int32Array;
};

type FactsRow = [number, number, number, string, string, string | null, number];

/** One number for a file's and a context's row id, in their order. */
const contextsMax = 2 ** 20;
const keyOf = (fileId: number, contextId: number): number => fileId * contextsMax + contextId;

function loadFacts(
  session: ReadSession,
  known: {
    readonly contexts: readonly StoredContext[];
    readonly files: LoadedFiles;
    readonly texts: ReadonlyMap<string, number>;
  },
): LoadedFacts {
  const { contexts, files, texts } = known;
  const contextAt = new Map(contexts.map(({ id }, at) => [id, at]));
  const rows = rowsOf<FactsRow>(session, stateFactsSql);
  const count = rows.length;
  const file = new Int32Array(count);
  const context = new Int32Array(count);
  const hashEqual = new Uint8Array(count);
  const configEqual = new Uint8Array(count);
  const semKnown = new Uint8Array(count);
  const elsewhere = new Uint8Array(count);
  const keys = new Float64Array(count);
  const contextIds = new Int32Array(count);
  const sem = new Int32Array(count);
  for (let at = 0; at < count; at += 1) {
    const [fileId, contextId, sameHash, configHash, toolId, iface, isElsewhere] = rows[at] as FactsRow;
    const position = contextAt.get(contextId) as number;
    const { configHash: wantedConfig, toolId: wantedTool } = contexts[position] as StoredContext;
    file[at] = files.byId.get(fileId) as number;
    context[at] = position;
    hashEqual[at] = sameHash;
    configEqual[at] = Number(configHash === wantedConfig && toolId === wantedTool);
    semKnown[at] = Number(iface !== null);
    elsewhere[at] = isElsewhere;
    keys[at] = keyOf(fileId, contextId);
    contextIds[at] = contextId;
    sem[at] = idOf(texts, iface);
  }
  const columns = { count, file, context, hashEqual, configEqual, semKnown, elsewhere };
  return { columns, keys, contextIds, sem };
}

type EdgeRow = [number, number, number, number | null, number | null];

function loadEdges(
  session: ReadSession,
  known: {
    readonly files: LoadedFiles;
    readonly facts: LoadedFacts;
    readonly texts: ReadonlyMap<string, number>;
    readonly findElsewhere: (file: number, contextId: number) => number;
  },
): { readonly columns: StateColumns['edges']; readonly edgeStart: Int32Array } {
  const { files, facts, texts, findElsewhere } = known;
  const rows = rowsOf<EdgeRow>(session, stateEdgesSql);
  const count = rows.length;
  const target = new Int32Array(count);
  const targetFacts = new Int32Array(count);
  const synThen = new Int32Array(count);
  const syn = new Uint8Array(count);
  const sem = new Uint8Array(count);
  const snapshotUnknown = new Uint8Array(count);
  const without: [edge: number, pathId: number][] = [];
  const edgeStart = new Int32Array(facts.columns.count + 1);
  const factsOfFile = factsByFile(facts, files.columns.count);
  const withoutDocument = texts.get(noDocument);
  let row = 0;
  for (let at = 0; at < count; at += 1) {
    const [fileId, contextId, pathId, synId, semId] = rows[at] as EdgeRow;
    // Both are in the order of file and context, and every dependency has its facts row.
    const key = keyOf(fileId, contextId);
    while ((facts.keys[row] as number) < key) edgeStart[++row] = at;
    const file = files.byText[pathId] ?? -1;
    const here = file < 0 ? -1 : factsOfFile(file, contextId);
    const found = file < 0 || here >= 0 ? here : findElsewhere(file, contextId);
    if (file < 0) without.push([at, pathId]);
    target[at] = file;
    targetFacts[at] = found;
    synThen[at] = synId ?? -1;
    syn[at] = compareInterface(files.columns, file, synThen[at] as number);
    sem[at] = compare(semId, found < 0 ? withoutDocument : semOf(facts, found));
    snapshotUnknown[at] = Number(synId === null && semId === null);
  }
  while (row < facts.columns.count) edgeStart[++row] = count;
  const missing = pathsOf(without, texts);
  return { columns: { count, target, missing, targetFacts, synThen, syn, sem, snapshotUnknown }, edgeStart };
}

function pathsOf(
  edges: readonly (readonly [edge: number, pathId: number])[],
  texts: ReadonlyMap<string, number>,
): ReadonlyMap<number, string> {
  if (edges.length === 0) return new Map();
  const byId = new Map<number, string>();
  for (const [text, id] of texts) byId.set(id, text);
  return new Map(edges.map(([edge, id]) => [edge, byId.get(id) as string]));
}

/** Rows of one file lie together and are as many as its contexts, so the first one is enough to find the others. */
function factsByFile({ columns, contextIds }: LoadedFacts, fileCount: number) {
  const first = new Int32Array(fileCount).fill(-1);
  for (let row = columns.count - 1; row >= 0; row -= 1) first[columns.file[row] as number] = row;
  return (file: number, contextId: number): number => {
    for (let row = first[file] as number; row >= 0 && columns.file[row] === file; row += 1) {
      if (contextIds[row] === contextId) return row;
    }
    return -1;
  };
}

/** Facts of a file for a context of which it is no member: of the first live context that has any. */
function factsElsewhere(
  contexts: readonly StoredContext[],
  members: StateColumns['members'],
  { columns }: LoadedFacts,
): (file: number, contextId: number) => number {
  const first = new Map<number, number>();
  for (let row = 0; row < columns.count; row += 1) {
    const [file, context] = [columns.file[row] as number, columns.context[row] as number];
    const known = first.get(file);
    if (!isLive(contexts[context])) continue;
    if (known === undefined || context < (columns.context[known] as number)) first.set(file, row);
  }
  const memberships = new Set<number>();
  for (let pair = 0; pair < members.count; pair += 1) {
    const { id } = contexts[members.context[pair] as number] as StoredContext;
    memberships.add(keyOf(members.file[pair] as number, id));
  }
  return (file, contextId) => (memberships.has(keyOf(file, contextId)) ? -1 : (first.get(file) ?? -1));
}

function semOf({ columns, sem }: LoadedFacts, row: number): number | undefined {
  return columns.semKnown[row] === 1 ? (sem[row] as number) : undefined;
}

function compareInterface(files: StateColumns['files'], file: number, then: number): number {
  const isKnown = file >= 0 && files.synKnown[file] === 1;
  return compare(then < 0 ? null : then, isKnown ? (files.syn[file] as number) : undefined);
}

function compare(then: number | null, now: number | undefined): number {
  if (then === null || now === undefined) return compared.unknown;
  return then === now ? compared.same : compared.different;
}

function idOf(texts: ReadonlyMap<string, number>, text: string | null): number {
  return text === null ? noText : (texts.get(text) ?? noText);
}

function rowsOf<T extends readonly unknown[]>(
  session: ReadSession,
  sql: string,
  ...values: readonly (number | string)[]
): readonly T[] {
  const statement = session.statement(sql);
  statement.setReturnArrays(true);
  return statement.all(...values) as unknown as readonly T[];
}
