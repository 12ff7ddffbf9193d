/**
 * Writes contexts and what indexers say about files. Everything a context says about a file hangs on one `file_facts` row.
 *
 * S8, R14  Replacing the facts of a file touches no row of another: identities are shared, added and never removed here.
 * D3       Facts are there only together with their `file_facts` row, and that only for members of the context.
 *
 * A tool that can only index a whole project says the same about most files every time. What a document says is therefore hashed,
 * and one that says nothing new costs one row instead of hundreds.
 */

import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { canonicalJson } from '../../kernel/base/json.ts';
import {
  type DependencySnapshot,
  type DocumentFacts,
  occurrenceForms,
  occurrenceStride,
  type SymbolIdentity,
} from './document-facts.ts';
import type { FactsHandle } from './read-session.ts';
import { createRowBatch, createRowIds, type RowIds } from './row-batch.ts';
import { type ContextRow, planContexts } from './stored-contexts.ts';
import type { WriteSession } from './write-files.ts';

export type { ContextRow } from './stored-contexts.ts';

/** Keys of contexts, sorted. */
type ContextChanges = {
  readonly added: readonly string[];
  /** Configuration, tool, environment, probe, `enabled` or members differ. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

export type DocumentOrigin = {
  readonly configHash: string;
  readonly toolId: string;
  readonly jobId: number | null;
  readonly deps: readonly DependencySnapshot[];
  /** What the tool said of the interface, before those of others are part of it. */
  readonly ownIface?: string | null;
  /**
   * Of facts that were made from older ones and from what was changed, not by an indexer (mutation.md §8). A file of which they say
   * what is stored keeps its row as it is.
   */
  readonly isPatch?: boolean;
  /** The document itself (`semantic/stored-documents.ts`); without it none is stored any more. */
  readonly scip?: Uint8Array | undefined;
};

/** Only inside `writer.transaction`: what it writes are facts, and facts have a generation. */
export type SemanticWriter = {
  /**
   * These are all contexts from now on. A context keeps its id by its key; one that is not named is removed with its facts and jobs.
   * A path that is no member any more loses its facts in that context. A member without a row in `files` is left out (D7).
   * Another environment makes all facts of the context unindexed, as another configuration or tool does by itself.
   */
  putContexts(rows: readonly ContextRow[]): ContextChanges;
  /**
   * Replaces everything this context says about one file. False: the path has no row as a file or is no member of the context;
   * nothing was written.
   */
  putDocument(contextId: number, facts: DocumentFacts, origin: DocumentOrigin): boolean;
  /** Absolute paths. Also inside `writer.remember`: no answer has them. */
  putGlobals(contextId: number, madeOf: string, paths: readonly string[]): void;
  /** What a run read that did not settle these members. Also inside `writer.remember`: no answer has it. */
  noteTried(contextId: number, tried: ReadonlyMap<string, string>): void;
  /**
   * Identities that nothing refers to; `replaced`: only those that documents named which were replaced since the last time, which takes no look
   * at all the others. Also inside `writer.remember`: no answer has them.
   */
  removeUnusedIdentities(which?: 'all' | 'replaced'): number;
};

export function createSemanticWriter(
  db: DatabaseSync,
  { mustBeInside, onEnd }: WriteSession,
  read: FactsHandle['read'],
): SemanticWriter {
  const statements = prepareSemanticStatements(db);
  const batches = prepareSemanticBatches(db);
  const identities = createIdentities(db);
  const depTexts = createDepTexts(db);
  /** Ids of what documents named that were replaced. */
  const replaced = new Set<number>();
  // Never given twice while a run may still name a context that is gone.
  let nextContextId = Number(db.prepare('SELECT max(id) AS id FROM contexts').get()?.['id'] ?? 0) + 1;
  onEnd(() => {
    identities.forget();
    depTexts.forget();
    for (const batch of Object.values(batches)) batch.clear();
  });

  function putContext(id: number | undefined, row: ContextRow): number {
    // biome-ignore format: in the order of the columns
    const values = [row.key, row.family, row.root, row.configPath, row.indexer, row.granularity, canonicalJson(row.config), row.configHash, row.toolPath, row.toolId, row.envHash, row.probe, row.probeDetail, Number(row.enabled)];
    if (id !== undefined) {
      statements.updateContext.run(...values, id);
      return id;
    }
    const added = nextContextId;
    nextContextId += 1;
    statements.insertContext.run(added, ...values);
    return added;
  }

  function putOccurrences(fileId: number, contextId: number, from: Int32Array, ids: Int32Array): void {
    assert(from.length % occurrenceStride === 0, 'whole occurrences');
    const { values, reserve } = batches.occurrences;
    for (let at = 0; at < from.length; at += occurrenceStride) {
      const to = reserve();
      values[to] = fileId;
      values[to + 1] = contextId;
      values[to + 2] = from[at] as number;
      values[to + 3] = from[at + 1] as number;
      values[to + 4] = ids[from[at + 2] as number] as number;
      values[to + 5] = from[at + 3] as number;
      values[to + 6] = occurrenceForms[from[at + 4] as number] as string;
      values[to + 7] = from[at + 5] as number;
      values[to + 8] = from[at + 6] as number;
      values[to + 9] = from[at + 7] as number;
      values[to + 10] = from[at + 8] as number;
    }
  }

  function renameLocals(symbols: readonly SymbolIdentity[]): void {
    for (const { key, name } of symbols) {
      if (key.startsWith('local ')) statements.renameLocal.run(name, name.toLowerCase(), key, name);
    }
  }

  function putRows(fileId: number, contextId: number, facts: DocumentFacts): void {
    const ids = identities.intern(facts.symbols);
    putOccurrences(fileId, contextId, facts.occurrences, ids);
    for (const { symbol, raw, kind, signature, sigHash } of facts.infos)
      batches.infos.add(fileId, contextId, ids[symbol] as number, raw, kind, signature, sigHash);
    for (const { from, to, kind } of facts.relations)
      batches.relations.add(fileId, contextId, ids[from] as number, ids[to] as number, kind);
    for (const { symbol, name, kind, start, end, detail } of facts.items) {
      const symbolId = symbol === null ? null : (ids[symbol] as number);
      batches.items.add(fileId, contextId, symbolId, name, kind, start, end, detail);
    }
  }

  function putDependencies(fileId: number, contextId: number, deps: readonly DependencySnapshot[]): void {
    // Hashes that are not known are asked for as the path, which is interned already.
    const ids = depTexts.intern(deps.flatMap(({ path, syn, sem }) => [path, syn ?? path, sem ?? path]));
    deps.forEach(({ syn, sem }, at) => {
      const [pathId, synId, semId] = ids.subarray(at * 3) as unknown as [number, number, number];
      batches.deps.add(fileId, contextId, pathId, syn === null ? null : synId, sem === null ? null : semId);
    });
  }

  return {
    putContexts(rows) {
      mustBeInside('facts');
      assert(new Set(rows.map(({ key }) => key)).size === rows.length, 'a key names one context');
      const plan = read((session) => planContexts(session, rows));
      for (const { id } of plan.removed) statements.removeContext.run(id);
      for (const { stored, row, differs, joins, leaves } of plan.contexts) {
        const id = differs ? putContext(stored?.id, row) : (stored?.id as number);
        if (stored !== undefined && stored.envHash !== row.envHash) statements.unindex.run(id);
        for (const path of leaves) {
          statements.removeFactsOfPath.run(id, path);
          statements.removeMember.run(id, path);
        }
        for (const path of joins) batches.members.add(id, path);
      }
      batches.members.flush();
      const keysOf = (wanted: (context: (typeof plan.contexts)[number]) => boolean): string[] =>
        plan.contexts.filter(wanted).map(({ row }) => row.key);
      return {
        added: keysOf(({ stored }) => stored === undefined),
        changed: keysOf(({ isChanged }) => isChanged),
        removed: plan.removed.map(({ key }) => key),
      };
    },
    putDocument(contextId, facts, origin) {
      mustBeInside('facts');
      const file = statements.findMember.get(facts.path, contextId);
      if (file === undefined) return false;
      const fileId = Number(file['id']);
      const digest = digestDocument(facts);
      const depsDigest = digestDependencies(origin.deps);
      const before = statements.findFacts.get(fileId, contextId);
      const isNew = before === undefined;
      const saysSame = !isNew && before['digest'] === digest;
      const dependsSame = !isNew && before['depsDigest'] === depsDigest;
      const isPatch = origin.isPatch === true;
      if (isPatch && saysSame && dependsSame && isSameRow(before, facts, origin)) return true;
      if (!isNew && !saysSame) {
        for (const row of statements.symbolsOfDocument.all(fileId, contextId)) replaced.add(Number(row['id']));
        for (const statement of statements.removeRows) statement.run(fileId, contextId);
      }
      if (!isNew && !dependsSame) statements.removeDeps.run(fileId, contextId);
      if (origin.scip === undefined) statements.removeScip.run(fileId, contextId);
      // biome-ignore format: in the order of the columns
      statements.putFacts.run(fileId, contextId, facts.contentHash, origin.configHash, origin.toolId, facts.semIface, origin.ownIface ?? null, isPatch ? 'patched' : 'indexer', facts.lineHashes, origin.jobId, file['targetsDigest'] as string | null, digest, depsDigest);
      // The same bytes, and other locals in them, because what they use is different: a number is another name's now.
      if (!saysSame && before?.['hash'] === facts.contentHash) renameLocals(facts.symbols);
      if (!saysSame) putRows(fileId, contextId, facts);
      if (!dependsSame) putDependencies(fileId, contextId, origin.deps);
      if (origin.scip !== undefined) statements.putScip.run(fileId, contextId, origin.scip);
      for (const batch of Object.values(batches)) batch.flush();
      return true;
    },
    putGlobals(contextId, madeOf, paths) {
      mustBeInside('any');
      statements.putGlobals.run(contextId, madeOf, JSON.stringify(paths));
    },
    noteTried(contextId, tried) {
      mustBeInside('any');
      for (const [path, fingerprint] of tried) statements.noteTried.run(fingerprint, contextId, path);
    },
    removeUnusedIdentities(which = 'all') {
      mustBeInside('any');
      identities.forget();
      const suspects = [...replaced];
      replaced.clear();
      if (which === 'replaced') {
        return suspects.reduce((count, id) => count + Number(statements.removeUnusedOne.run(id).changes), 0);
      }
      depTexts.forget();
      statements.removeUnusedTexts.run();
      return Number(statements.removeUnused.run().changes);
    },
  };
}

function isSameRow(row: Readonly<Record<string, unknown>>, facts: DocumentFacts, origin: DocumentOrigin): boolean {
  return (
    row['hash'] === facts.contentHash &&
    row['semIface'] === facts.semIface &&
    row['configHash'] === origin.configHash &&
    row['toolId'] === origin.toolId
  );
}

function createIdentities(db: DatabaseSync): RowIds<SymbolIdentity> {
  return createRowIds(db, {
    table: 'symbols',
    key: 'symbol_key',
    columns: ['family', 'package', 'in_repo', 'name', 'name_fold'],
    keyOf: ({ key }) => key,
    valuesOf: (symbol) => [
      symbol.family,
      symbol.package,
      Number(symbol.inRepo),
      symbol.name,
      symbol.name.toLowerCase(),
    ],
    // It holds the hash of its file.
    isLikelyNew: ({ key }) => key.startsWith('local '),
  });
}

function createDepTexts(db: DatabaseSync): RowIds<string> {
  return createRowIds<string>(db, {
    table: 'dep_texts',
    key: 'text',
    columns: [],
    keyOf: (text) => text,
    valuesOf: () => [],
    isLikelyNew: () => false,
  });
}

const unused = `NOT EXISTS(SELECT 1 FROM occurrences o WHERE o.symbol_id = symbols.id)
  AND NOT EXISTS(SELECT 1 FROM symbol_info i WHERE i.symbol_id = symbols.id)
  AND NOT EXISTS(SELECT 1 FROM symbol_rel r WHERE r.from_id = symbols.id)
  AND NOT EXISTS(SELECT 1 FROM symbol_rel r WHERE r.to_id = symbols.id)
  AND NOT EXISTS(SELECT 1 FROM ambiguities a WHERE a.symbol_id = symbols.id)`;

const contextColumns = [
  'key',
  'family',
  'root',
  'config_path',
  'indexer',
  'granularity',
  'config_json',
  'config_hash',
  'tool_path',
  'tool_id',
  'env_hash',
  'probe',
  'probe_detail',
  'enabled',
];

function prepareSemanticStatements(db: DatabaseSync) {
  const ofDocument = 'WHERE file_id = ? AND context_id = ?';
  return {
    insertContext: db.prepare(
      `INSERT INTO contexts(id, ${contextColumns.join(', ')}) VALUES (?, ${contextColumns.map(() => '?').join(', ')})`,
    ),
    updateContext: db.prepare(
      `UPDATE contexts SET ${contextColumns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ),
    // Members, facts and jobs go with it.
    removeContext: db.prepare('DELETE FROM contexts WHERE id = ?'),
    // No context has an empty configuration hash.
    unindex: db.prepare("UPDATE file_facts SET config_hash = '' WHERE context_id = ?"),
    putGlobals: db.prepare('INSERT OR REPLACE INTO context_globals(context_id, made_of, paths) VALUES (?, ?, ?)'),
    noteTried: db.prepare('UPDATE context_members SET tried = ? WHERE context_id = ? AND path = ?'),
    removeMember: db.prepare('DELETE FROM context_members WHERE context_id = ? AND path = ?'),
    removeFactsOfPath: db.prepare(
      'DELETE FROM file_facts WHERE context_id = ? AND file_id = (SELECT id FROM files WHERE path = ?)',
    ),
    findMember: db.prepare(
      `SELECT f.id, f.targets_digest AS targetsDigest FROM files f JOIN context_members m ON m.path = f.path
       WHERE f.path = ? AND m.context_id = ? AND f.kind = 'file'`,
    ),
    findFacts: db.prepare(
      `SELECT digest, deps_digest AS depsDigest, hash_at_index AS hash, config_hash AS configHash, tool_id AS toolId,
         sem_iface AS semIface FROM file_facts ${ofDocument}`,
    ),
    putFacts: db.prepare(
      `INSERT INTO file_facts(file_id, context_id, hash_at_index, config_hash, tool_id, sem_iface, own_iface, origin, line_hashes,
         job_id, targets_digest, digest, deps_digest)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(file_id, context_id) DO UPDATE SET
         hash_at_index = excluded.hash_at_index, config_hash = excluded.config_hash, tool_id = excluded.tool_id,
         sem_iface = excluded.sem_iface, own_iface = excluded.own_iface, origin = excluded.origin, line_hashes = excluded.line_hashes, job_id = excluded.job_id,
         targets_digest = excluded.targets_digest, digest = excluded.digest, deps_digest = excluded.deps_digest`,
    ),
    // Said in full and not left to a cascade, because the facts row stays.
    removeRows: ['occurrences', 'symbol_info', 'symbol_rel', 'ambiguities'].map((table) =>
      db.prepare(`DELETE FROM ${table} ${ofDocument}`),
    ),
    putScip: db.prepare('INSERT OR REPLACE INTO scip_documents(file_id, context_id, bytes) VALUES (?, ?, ?)'),
    removeScip: db.prepare(`DELETE FROM scip_documents ${ofDocument}`),
    renameLocal: db.prepare('UPDATE symbols SET name = ?, name_fold = ? WHERE symbol_key = ? AND name <> ?'),
    removeDeps: db.prepare(`DELETE FROM file_deps ${ofDocument}`),
    removeUnusedTexts: db.prepare(
      `DELETE FROM dep_texts WHERE id NOT IN (SELECT path_id FROM file_deps
         UNION ALL SELECT syn_id FROM file_deps WHERE syn_id IS NOT NULL
         UNION ALL SELECT sem_id FROM file_deps WHERE sem_id IS NOT NULL)`,
    ),
    removeUnused: db.prepare(`DELETE FROM symbols WHERE ${unused}`),
    removeUnusedOne: db.prepare(`DELETE FROM symbols WHERE id = ? AND ${unused}`),
    symbolsOfDocument: db.prepare(
      `SELECT symbol_id AS id FROM occurrences WHERE file_id = ?1 AND context_id = ?2
       UNION SELECT to_id FROM symbol_rel WHERE file_id = ?1 AND context_id = ?2`,
    ),
  };
}

function prepareSemanticBatches(db: DatabaseSync) {
  const twice = 'ON CONFLICT DO NOTHING';
  return {
    members: createRowBatch(db, 'context_members', ['context_id', 'path']),
    // biome-ignore format: in the order of the values
    occurrences: createRowBatch(db, 'occurrences', ['file_id', 'context_id', 'start_byte', 'end_byte', 'symbol_id', 'roles', 'form', 'line', 'col', 'end_line', 'end_col']),
    // An indexer may say the same of a symbol twice.
    // biome-ignore format: in the order of the values
    infos: createRowBatch(db, 'symbol_info', ['file_id', 'context_id', 'symbol_id', 'raw_symbol', 'kind', 'signature', 'sig_hash'], twice),
    relations: createRowBatch(db, 'symbol_rel', ['file_id', 'context_id', 'from_id', 'to_id', 'kind'], twice),
    // biome-ignore format: in the order of the values
    items: createRowBatch(db, 'ambiguities', ['file_id', 'context_id', 'symbol_id', 'name', 'kind', 'start_byte', 'end_byte', 'detail']),
    deps: createRowBatch(db, 'file_deps', ['file_id', 'context_id', 'path_id', 'syn_id', 'sem_id'], twice),
  };
}

// ---- hashes of what a document says and depended on: equal ones mean that no row of it need be written again

/** Of everything that becomes rows; not of `lineHashes`, `semIface` and the content hash, which lie in the facts row itself. */
function digestDocument({ occurrences, symbols, infos, relations, items }: DocumentFacts): string {
  // Lengths tell where one text ends, whatever is in it.
  const lengths = new Int32Array(symbols.length + 1);
  let text = '';
  for (let at = 0; at < symbols.length; at += 1) {
    const { key } = symbols[at] as SymbolIdentity;
    lengths[at] = key.length;
    text += key;
  }
  for (const { symbol, raw, kind, signature, sigHash } of infos) {
    text += `${symbol} ${kind} ${sigHash} ${raw.length} ${signature?.length} ${raw}${signature}`;
  }
  text += JSON.stringify([relations, items]);
  lengths[symbols.length] = infos.length;
  const sizes = Int32Array.of(lengths.length, occurrences.length);
  const hash = createHash('sha256').update(bytesOf(sizes)).update(bytesOf(lengths)).update(bytesOf(occurrences));
  return hash.update(text).digest('hex').slice(0, digits);
}

function digestDependencies(deps: readonly DependencySnapshot[]): string {
  const hash = createHash('sha256');
  for (const { path, syn, sem } of deps) hash.update(`${path}\0${syn}\0${sem}\n`);
  return hash.digest('hex').slice(0, digits);
}

const digits = 32;

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
