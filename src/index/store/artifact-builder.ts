/**
 * Builds the one kind of SQLite file that may be published as a raw artifact: a full-text index over documents.
 * Promises: equal documents give equal bytes (fixed page size, sorted rows, one b-tree segment, `VACUUM`, no clock), and
 * `isBuilderMade` knows the bytes built here, so that no other binary can pass for one. The text must be redacted already.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { markBuilderMade } from './builder-made.ts';

export type IndexedDocument = {
  /** The document's identity: the name of its own artifact. Unique, stored, not searched. */
  readonly name: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  readonly firstParagraph: string;
  readonly body: string;
};

/** `score` is the weighted BM25 value with its sign turned: more is better. */
type DocumentHit = { readonly name: string; readonly title: string; readonly score: number };

export type DocumentQueryOutcome =
  | { readonly kind: 'answered'; readonly hits: readonly DocumentHit[] }
  | { readonly kind: 'unreadable'; readonly detail: string };

const PAGE_BYTES = 4096;
/** "cgdx": tells these files from any other SQLite database. */
const APPLICATION_ID = 0x63676478;
const QUERY_TERMS_MAX = 32;

// The weights are stored with the table (its `rank`), so any SQLite client that orders by `rank` gets the same order.
// In column order: name (never searched), title ×8, headings ×4, tags ×4, first_paragraph ×2, body ×1.
const schema = `
  CREATE VIRTUAL TABLE document USING fts5(
    name UNINDEXED, title, headings, tags, first_paragraph, body,
    tokenize = 'unicode61'
  );
  INSERT INTO document(document, rank) VALUES ('rank', 'bm25(0.0, 8.0, 4.0, 4.0, 2.0, 1.0)');
`;

const insertDocument = `
  INSERT INTO document(name, title, headings, tags, first_paragraph, body)
  VALUES ($name, $title, $headings, $tags, $firstParagraph, $body)
`;

const findDocuments = `
  SELECT name, title, -rank AS score FROM document WHERE document MATCH $query
  ORDER BY rank, name LIMIT $limit
`;

/** `workspaceFile` is scratch space that must not exist; it is gone when this returns. */
export function buildDocumentIndex(documents: readonly IndexedDocument[], workspaceFile: string): Uint8Array {
  const sorted = [...documents].sort((a, b) => compareCodeUnits(a.name, b.name));
  try {
    const database = new DatabaseSync(workspaceFile);
    try {
      fillDatabase(database, sorted);
    } finally {
      database.close();
    }
    const bytes = new Uint8Array(readFileSync(workspaceFile));
    markBuilderMade(bytes);
    return bytes;
  } finally {
    rmSync(workspaceFile, { force: true });
  }
}

/** Documents that hold any of the words, best first; ties by name. Words are data: no FTS5 syntax in `query` has effect. */
export function queryDocumentIndex(source: Uint8Array | string, query: string, limit = 10): DocumentQueryOutcome {
  const match = matchExpression(query);
  if (match === null) return { kind: 'answered', hits: [] };
  if (typeof source === 'string') return queryFile(source, match, limit);
  const scratch = mkdtempSync(join(tmpdir(), 'codegenie-docs-'));
  try {
    const file = join(scratch, 'index.sqlite');
    writeFileSync(file, source, { mode: 0o600 });
    return queryFile(file, match, limit);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function fillDatabase(database: DatabaseSync, sorted: readonly IndexedDocument[]): void {
  database.exec(`
    PRAGMA page_size = ${PAGE_BYTES};
    PRAGMA auto_vacuum = NONE;
    PRAGMA encoding = 'UTF-8';
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = 1;
    BEGIN;
    ${schema}
  `);
  const insert = database.prepare(insertDocument);
  for (const document of sorted) {
    insert.run({
      $name: document.name,
      $title: document.title,
      $headings: document.headings.join('\n'),
      $tags: document.tags.join('\n'),
      $firstParagraph: document.firstParagraph,
      $body: document.body,
    });
  }
  // One segment, whatever automerge did on the way; then pages in order and none free.
  database.exec(`INSERT INTO document(document) VALUES ('optimize'); COMMIT; VACUUM;`);
}

function queryFile(file: string, match: string, limit: number): DocumentQueryOutcome {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = database.prepare(findDocuments).all({ $query: match, $limit: limit });
      const hits = rows.map((row) => ({ name: String(row.name), title: String(row.title), score: Number(row.score) }));
      return { kind: 'answered', hits };
    } finally {
      database.close();
    }
  } catch (error) {
    return { kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Each word as a quoted FTS5 string: quotes, `*`, `NEAR`, column filters and the like lose their meaning. */
function matchExpression(query: string): string | null {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return null;
  const unique = [...new Set(words)].slice(0, QUERY_TERMS_MAX);
  return unique.map((word) => `"${word}"`).join(' OR ');
}
