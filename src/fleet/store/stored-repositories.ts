/** Repositories as rows of the database in SQLite, for the engine and for the process of a query. */

import type { DatabaseSync } from 'node:sqlite';
import type { Failure, Repository } from '../fleet-engine.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Of one that is named, or all, by name. */
export function listRepositories(db: DatabaseSync, id?: number): Repository[] {
  const rows = db
    .prepare(
      `SELECT r.*, j.token, j.not_before_ms FROM fleet_repositories r LEFT JOIN fleet_jobs j ON j.repository = r.id
       ${id === undefined ? '' : 'WHERE r.id = :id'} ORDER BY r.name`,
    )
    .all(id === undefined ? {} : { id }) as unknown as readonly Row[];
  return rows.map((row) => {
    const text = (name: string) => row[name] as string | null;
    const number = (name: string) => row[name] as number | null;
    return {
      id: Number(row['id']),
      name: String(row['name']),
      url: String(row['url']),
      host: String(row['host']),
      addedMs: Number(row['added_ms']),
      head: text('head'),
      branch: text('branch'),
      headSeenMs: number('head_seen_ms'),
      commit: text('commit_id'),
      program: text('program'),
      publishedMs: number('published_ms'),
      failure:
        row['failure'] === null
          ? null
          : { kind: row['failure'] as Failure['kind'], detail: String(row['failure_detail']) },
      failedMs: number('failed_ms'),
      attempts: Number(row['attempts']),
      job: row['not_before_ms'] === null ? null : row['token'] === null ? 'queued' : 'running',
      notBeforeMs: number('not_before_ms'),
      lookAfterMs: Number(row['look_after_ms']),
    };
  });
}
