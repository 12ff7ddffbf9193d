/**
 * What is true of every store, as queries that return no row (code-plane.md §4.5). Tests run them after every scenario, `doctor`
 * for users. D1–D9 are the specification's; the rest is what this schema relies on without a constraint.
 */

import type { SQLOutputValue } from 'node:sqlite';
import type { ReadSession } from './read-session.ts';
import { isSqliteError } from './store-failed.ts';

type Invariant = { readonly id: string; readonly says: string; readonly sql: string };

type BrokenInvariant = {
  readonly id: string;
  readonly says: string;
  /** The first few rows that should not be. */
  readonly rows: readonly Readonly<Record<string, SQLOutputValue>>[];
};

export const invariants: readonly Invariant[] = [
  {
    id: 'D1',
    says: 'an alias owns no hash',
    sql: "SELECT path FROM files WHERE kind = 'alias' AND content_hash IS NOT NULL",
  },
  {
    id: 'D2',
    says: 'a file that is present has a hash or a reason why not',
    sql: `SELECT path FROM files WHERE kind = 'file' AND presence = 'present' AND content_hash IS NULL
          AND skip_reason IS NULL`,
  },
  {
    id: 'D3',
    says: 'an occurrence belongs to a file that was indexed in its context',
    sql: `SELECT o.file_id, o.context_id FROM occurrences o WHERE NOT EXISTS(
          SELECT 1 FROM file_facts f WHERE f.file_id = o.file_id AND f.context_id = o.context_id)`,
  },
  {
    id: 'D4',
    says: 'an occurrence lies in a file and is not empty unless it is synthetic',
    sql: `SELECT o.file_id, o.start_byte FROM occurrences o JOIN files f ON f.id = o.file_id WHERE f.kind <> 'file'
          OR o.end_byte < o.start_byte OR (o.end_byte = o.start_byte AND o.form <> 'synthetic')`,
  },
  {
    id: 'D5',
    says: 'no job runs on a lease that ended a minute ago',
    sql: "SELECT id, context_id FROM jobs WHERE status = 'running' AND lease_until_ms < unixepoch() * 1000 - 60000",
  },
  {
    id: 'D6',
    says: 'a superseded job of an enabled context has a successor',
    sql: `SELECT j.id FROM jobs j JOIN contexts c ON c.id = j.context_id
          WHERE j.status = 'superseded' AND j.successor_id IS NULL AND c.enabled`,
  },
  {
    id: 'D7',
    says: 'a member of a context has a row',
    sql: 'SELECT p.path FROM context_members p LEFT JOIN files f ON f.path = p.path WHERE f.id IS NULL',
  },
  {
    id: 'D8',
    says: 'no two occurrences of a context cross',
    sql: `SELECT a.file_id, a.start_byte FROM occurrences a JOIN occurrences b ON a.file_id = b.file_id
          AND a.context_id = b.context_id AND a.start_byte < b.start_byte AND b.start_byte < a.end_byte
          AND a.end_byte < b.end_byte`,
  },
  {
    id: 'D9',
    says: 'of a secret-bearing file nothing is kept that was made from its bytes',
    sql: `SELECT f.path FROM files f WHERE f.skip_reason = 'secret' AND (f.content_hash IS NOT NULL
          OR f.line_hashes IS NOT NULL OR EXISTS(SELECT 1 FROM fts_text_docsize d WHERE d.id = f.id)
          OR EXISTS(SELECT 1 FROM fts_ident_docsize d WHERE d.id = f.id)
          OR EXISTS(SELECT 1 FROM file_facts t WHERE t.file_id = f.id))`,
  },
  {
    id: 'D10',
    says: 'the parent of a symbol comes before it in the same file',
    sql: `SELECT s.file_id, s.name_path FROM syn_symbols s LEFT JOIN syn_symbols p ON p.id = s.parent_id
          WHERE s.parent_id IS NOT NULL AND (p.id IS NULL OR p.file_id <> s.file_id OR p.id >= s.id)`,
  },
  {
    id: 'D11',
    says: 'text is indexed for files that have a row, in both tables or in none',
    sql: `SELECT id FROM fts_text_docsize WHERE id NOT IN (SELECT id FROM files)
          OR id NOT IN (SELECT id FROM fts_ident_docsize)
          UNION ALL SELECT id FROM fts_ident_docsize WHERE id NOT IN (SELECT id FROM fts_text_docsize)`,
  },
  {
    id: 'D12',
    says: 'only a file whose bytes were hashed owns facts',
    sql: `SELECT f.path FROM files f WHERE f.content_hash IS NULL AND (
          EXISTS(SELECT 1 FROM syn_symbols s WHERE s.file_id = f.id) OR EXISTS(SELECT 1 FROM imports i WHERE i.file_id = f.id)
          OR EXISTS(SELECT 1 FROM exports e WHERE e.file_id = f.id) OR EXISTS(SELECT 1 FROM provides p WHERE p.file_id = f.id)
          OR EXISTS(SELECT 1 FROM file_facts t WHERE t.file_id = f.id))`,
  },
  {
    id: 'D13',
    says: 'of several targets the first is the one the import names',
    sql: `SELECT t.file_id, t.ordinal FROM import_targets t JOIN imports i ON i.file_id = t.file_id
          AND i.ordinal = t.ordinal WHERE t.rank = 0 AND i.resolved_path IS NOT t.path`,
  },
  {
    id: 'D14',
    says: 'the interfaces of a dependency are there',
    sql: `SELECT d.file_id, d.context_id FROM file_deps d
          WHERE (d.syn_id IS NOT NULL AND NOT EXISTS(SELECT 1 FROM dep_texts t WHERE t.id = d.syn_id))
          OR (d.sem_id IS NOT NULL AND NOT EXISTS(SELECT 1 FROM dep_texts t WHERE t.id = d.sem_id))`,
  },
  {
    id: 'D15',
    says: 'only a member of a context has facts in it',
    sql: `SELECT f.path, t.context_id FROM file_facts t JOIN files f ON f.id = t.file_id WHERE NOT EXISTS(
          SELECT 1 FROM context_members m WHERE m.context_id = t.context_id AND m.path = f.path)`,
  },
  { id: 'foreign_key_check', says: 'every reference leads somewhere', sql: 'PRAGMA foreign_key_check' },
  {
    // The full-text tables are virtual: since SQLite 3.44 this pragma runs their own integrity check too, for reading alone.
    // For tables without content that compares their structures with each other; there is no text to compare them with.
    id: 'integrity_check',
    says: 'the file and its indexes are sound',
    sql: 'PRAGMA integrity_check(20)',
  },
];

const rowsMax = 20;

/** Empty: sound. A store too damaged to be asked has broken what it was asked. */
export function checkInvariants(session: ReadSession): readonly BrokenInvariant[] {
  return invariants.flatMap(({ id, says, sql }): BrokenInvariant[] => {
    const rows = listRows(session, sql);
    return rows.length === 0 ? [] : [{ id, says, rows }];
  });
}

function listRows(session: ReadSession, sql: string): BrokenInvariant['rows'] {
  try {
    const limited = sql.startsWith('PRAGMA') ? sql : `SELECT * FROM (${sql}) LIMIT ${rowsMax}`;
    const rows = session.statement(limited).all();
    const found = rows.filter((row) => row['integrity_check'] !== 'ok');
    return found.slice(0, rowsMax).map((row) => ({ ...row }));
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return [{ problem: error.message }];
  }
}
