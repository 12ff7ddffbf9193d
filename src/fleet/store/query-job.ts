/**
 * A process of its own for one free query: SQLite cannot be interrupted from within, and a process can be ended. It reads one line of JSON, opens
 * the database for reading, makes the views in memory, and writes one line: columns and rows, or what SQLite says.
 */

import { openDatabase } from '../../index/store/open-database.ts';
import type { Now } from '../fleet-engine.ts';
import { judgeStanding } from '../standing.ts';
import { viewColumns, wrapQuery } from './fleet-views.ts';
import { listRepositories } from './stored-repositories.ts';

export type QueryAsk = {
  readonly database: string;
  readonly sql: string;
  readonly ids: readonly string[] | null;
  readonly now: Now;
  readonly rows: number;
};

export type QuerySaid =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly problem: string };

export function answerQuery({ database, sql, ids, now, rows }: QueryAsk): QuerySaid {
  const db = openDatabase(database, 'read');
  try {
    db.exec('PRAGMA temp_store = MEMORY');
    db.exec('CREATE TEMP TABLE fleet_standing(id INTEGER PRIMARY KEY, state TEXT, reason TEXT) STRICT');
    const insert = db.prepare('INSERT INTO fleet_standing VALUES (?, ?, ?)');
    db.exec('BEGIN');
    for (const repository of listRepositories(db)) {
      const { state, reason } = judgeStanding(repository, now);
      insert.run(repository.id, state, reason);
    }
    db.exec('COMMIT');
    const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`;
    db.exec(`CREATE TEMP VIEW repositories(${viewColumns.repositories}) AS
      SELECT r.name, r.url, r.host, s.state, s.reason, r.commit_id, r.head, ${time('r.head_seen_ms')}, ${time('r.published_ms')}, r.failure, r.failure_detail
      FROM main.fleet_repositories r JOIN fleet_standing s ON s.id = r.id`);
    const asked = ids === null ? '' : `WHERE f.id IN (${ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ')})`;
    db.exec(`CREATE TEMP VIEW facts(${viewColumns.facts}) AS
      SELECT r.name, r.commit_id, f.component, f.id, f.scope, f.state, f.value, f.confidence, f.evidence, s.state
      FROM main.fleet_facts f JOIN main.fleet_repositories r ON r.id = f.repository JOIN fleet_standing s ON s.id = f.repository ${asked}`);
    // What follows reads, and memory alone holds what the views need.
    db.exec('PRAGMA query_only = ON');
    const statement = db.prepare(wrapQuery(sql, rows));
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name }) => name);
    const found = statement.all() as unknown as (readonly unknown[])[];
    return { columns, rows: found.map((row) => row.map(asJson)) };
  } catch (error) {
    return { problem: (error as Error).message };
  } finally {
    db.close();
  }
}

function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** Started as a program, and not loaded by a test. */
if (import.meta.main) {
  let given = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    given += text;
    if (!given.includes('\n')) return;
    process.stdin.destroy();
    process.stdout.write(`${JSON.stringify(answerQuery(JSON.parse(given) as QueryAsk))}\n`);
  });
}
