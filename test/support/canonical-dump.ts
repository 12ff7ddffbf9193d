/**
 * A store as text in one order, from which everything is gone that two stores of the same files may differ in: row ids,
 * generations, stat columns, times, jobs, how facts got here (code-plane.md §4.3). Its hash defines equality of stores (S11).
 *
 * Lines come one at a time, so a store of any size can be hashed. Token sets are listed by token, each with the sorted paths of
 * its files: the same relation as a set per file, in the order in which the index can give it.
 */

import { createHash } from 'node:crypto';
import type { ReadSession } from '../../src/index/store/read-session.ts';
import { compareCodeUnits } from '../../src/kernel/base/json.ts';

type Section = {
  readonly name: string;
  /** Columns as they are written. `first` is the id of the file's first symbol, where ids must become positions. */
  readonly sql: string;
};

const file = 'JOIN files f ON f.id = t.file_id';
const context = 'JOIN contexts c ON c.id = t.context_id';
const symbol = 'JOIN symbols s ON s.id = t.symbol_id';

const sections: readonly Section[] = [
  { name: 'meta', sql: "SELECT key, value FROM meta WHERE key = 'extractor'" },
  { name: 'repo', sql: 'SELECT head, ignore_epoch, config_epoch FROM repo_state' },
  {
    // Line hashes are filled in when they are first needed.
    name: 'file',
    sql: `SELECT path, path_key, kind, canonical_path, language, presence, content_hash, eol, bom, lines, generated, vendored,
            test, conflicted, redacted, skip_reason, parse, syn_iface, iface_closed, iface_core
          FROM files ORDER BY path`,
  },
  {
    name: 'symbol',
    sql: `SELECT f.path, t.id - m.first, t.parent_id - m.first, t.name, t.name_fold, t.name_path, t.overload, t.kind,
            t.exported, t.name_start, t.name_end, t.start_byte, t.end_byte, t.line, t.col, t.sig_hash
          FROM syn_symbols t ${file} JOIN (SELECT file_id, min(id) AS first FROM syn_symbols GROUP BY file_id) m
            ON m.file_id = t.file_id
          ORDER BY f.path, t.id`,
  },
  {
    name: 'import',
    sql: `SELECT f.path, t.ordinal, t.specifier, t.kind, t.literal, t.type_only, t.names, t.resolved_path, t.external,
            t.reason, t.start_byte, t.end_byte
          FROM imports t ${file} ORDER BY 1, 2`,
  },
  { name: 'target', sql: `SELECT f.path, t.ordinal, t.rank, t.path FROM import_targets t ${file} ORDER BY 1, 2, 3` },
  {
    name: 'candidate',
    sql: `SELECT f.path, t.ordinal, t.rank, t.path FROM import_candidates t ${file} ORDER BY 1, 2, 3`,
  },
  { name: 'provide', sql: `SELECT f.path, t.name FROM provides t ${file} ORDER BY 1, 2` },
  {
    name: 'export',
    sql: `SELECT f.path, t.ordinal, t.public_name, t.local_name, t.specifier, t.star, t.type_only
          FROM exports t ${file} ORDER BY 1, 2`,
  },
  {
    name: 'site',
    sql: `SELECT f.path, t.start_byte, t.end_byte, t.kind, t.name FROM dynamic_sites t ${file} ORDER BY 1, 2, 3, 4`,
  },
  {
    name: 'context',
    sql: `SELECT key, family, root, config_path, indexer, granularity, config_json, config_hash, tool_id, env_hash, probe, enabled
          FROM contexts ORDER BY key`,
  },
  { name: 'member', sql: `SELECT c.key, t.path FROM context_members t ${context} ORDER BY 1, 2` },
  {
    name: 'identity',
    sql: `SELECT symbol_key, family, package, in_repo, name, name_fold FROM symbols s
          WHERE EXISTS(SELECT 1 FROM occurrences WHERE symbol_id = s.id) OR EXISTS(SELECT 1 FROM symbol_info WHERE symbol_id = s.id)
            OR EXISTS(SELECT 1 FROM symbol_rel WHERE from_id = s.id) OR EXISTS(SELECT 1 FROM symbol_rel WHERE to_id = s.id)
            OR EXISTS(SELECT 1 FROM ambiguities WHERE symbol_id = s.id)
          ORDER BY symbol_key`,
  },
  {
    name: 'info',
    sql: `SELECT s.symbol_key, c.key, f.path, t.kind, t.signature, t.sig_hash
          FROM symbol_info t ${symbol} ${context} ${file} ORDER BY 1, 2, 3`,
  },
  {
    name: 'relation',
    sql: `SELECT c.key, a.symbol_key, b.symbol_key, t.kind, f.path FROM symbol_rel t ${context} ${file}
            JOIN symbols a ON a.id = t.from_id JOIN symbols b ON b.id = t.to_id
          ORDER BY 1, 2, 3, 4, 5`,
  },
  {
    name: 'occurrence',
    sql: `SELECT f.path, c.key, t.start_byte, t.end_byte, s.symbol_key, t.roles, t.form, t.line, t.col, t.end_line, t.end_col
          FROM occurrences t ${file} ${context} ${symbol} ORDER BY 1, 2, 3, 4, 5`,
  },
  {
    name: 'indexed',
    sql: `SELECT f.path, c.key, t.hash_at_index, t.config_hash, t.tool_id, t.sem_iface, hex(t.line_hashes)
          FROM file_facts t ${file} ${context} ORDER BY 1, 2`,
  },
  {
    name: 'document',
    sql: `SELECT f.path, c.key, hex(t.bytes) FROM scip_documents t ${file} ${context} ORDER BY 1, 2`,
  },
  {
    name: 'dependency',
    sql: `SELECT f.path, c.key, p.text, a.text, b.text FROM file_deps t ${file} ${context} JOIN dep_texts p ON p.id = t.path_id
            LEFT JOIN dep_texts a ON a.id = t.syn_id LEFT JOIN dep_texts b ON b.id = t.sem_id ORDER BY 1, 2, 3`,
  },
  {
    name: 'ambiguity',
    sql: `SELECT f.path, c.key, s.symbol_key, t.name, t.kind, t.start_byte, t.end_byte, t.detail
          FROM ambiguities t ${file} ${context} LEFT JOIN symbols s ON s.id = t.symbol_id ORDER BY 1, 2, 6, 7, 5, 3, 4, 8`,
  },
];

/** `section [values…]`, one line per row. */
export function* listDumpLines(session: ReadSession): Generator<string> {
  for (const { name, sql } of sections) {
    const statement = session.statement(sql);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) yield `${name} ${JSON.stringify(row)}`;
  }
  yield* listTokens(session, 'fts_ident');
  yield* listTokens(session, 'fts_text');
}

export function hashDump(session: ReadSession): string {
  const hash = createHash('sha256');
  for (const line of listDumpLines(session)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** The whole text, to see where two stores differ. Only for small ones. */
export function renderDump(session: ReadSession): string {
  return [...listDumpLines(session)].join('\n');
}

function* listTokens(session: ReadSession, table: 'fts_ident' | 'fts_text'): Generator<string> {
  // A table of its own schema, seen by this connection alone; it holds nothing and only looks into the index.
  const vocabulary = `temp.${table}_tokens`;
  session
    .statement(`CREATE VIRTUAL TABLE IF NOT EXISTS ${vocabulary} USING fts5vocab('main', '${table}', 'instance')`)
    .run();
  // One row per token: eight million rows of one token and one file took fifteen seconds, most of it in making the rows.
  const rows = session.statement(`SELECT term, group_concat(doc) AS docs FROM ${vocabulary} GROUP BY term`).iterate();
  const paths = new Map<string, string>();
  for (const row of session.statement('SELECT id, path FROM files').all())
    paths.set(String(row['id']), String(row['path']));
  for (const row of rows) {
    const found = String(row['docs'])
      .split(',')
      .map((id) => paths.get(id) ?? `no file ${id}`);
    yield `${table} ${JSON.stringify([row['term'], ...found.sort(compareCodeUnits)])}`;
  }
}
