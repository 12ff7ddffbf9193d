/**
 * A fleet in one SQLite file of this user: no server, nothing to install. Leases are rows. Every method is one transaction, and a process that
 * is killed leaves none half done. Workers are processes of this machine: one that is gone is noticed at the next claim, before its lease ends.
 */

import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Fact } from '../../gather/facts/fact.ts';
import { openDatabase } from '../../index/store/open-database.ts';
import { guardSqlite, StoreFailed } from '../../index/store/store-failed.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { isHolderGone } from '../../kernel/base/processes.ts';
import {
  type Claim,
  type FactRow,
  type Failure,
  type FleetEngine,
  type Publication,
  priorities,
  type Repository,
  type Step,
} from '../fleet-engine.ts';
import { askQuery } from './ask-query.ts';
import { schema, schemaVersion } from './embedded-schema.ts';
import { lostTooOften, maxLostClaims, rowsOfFacts, type StoredFact, valueOfRow } from './fact-rows.ts';
import { listRepositories } from './stored-repositories.ts';

type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

const databaseName = 'fleet.db';

/** `create` where there may be none yet. */
export function openEmbedded(place: string, access: 'create' | 'write'): FleetEngine {
  const path = `${place}/${databaseName}`;
  const db = guardSqlite(() => openFleetDatabase(path, access));
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const all = (sql: string, values: Row = {}) => prepare(sql).all({ ...values }) as unknown as readonly Row[];
  const run = (sql: string, values: Row = {}) => Number(prepare(sql).run({ ...values }).changes);
  /** One transaction that writes. */
  const write = async <T>(act: () => T): Promise<T> =>
    guardSqlite(() => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = act();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    });
  const read = async <T>(act: () => T): Promise<T> => guardSqlite(act);

  const isHeld = (claim: Claim): boolean =>
    all('SELECT 1 AS held FROM fleet_jobs WHERE repository = :id AND token = :token', {
      id: claim.repository.id,
      token: claim.token,
    }).length > 0;

  const noteFailure = (id: number, failure: Failure, nowMs: number): void => {
    run(
      'UPDATE fleet_repositories SET failure = :kind, failure_detail = :detail, failed_ms = :now, attempts = attempts + 1 WHERE id = :id',
      { id, kind: failure.kind, detail: failure.detail, now: nowMs },
    );
  };

  /** Claims whose time is up, or whose process is gone, end here: at the next claim of anybody. */
  const endLostClaims = (nowMs: number): void => {
    for (const { repository, holder, lease_until_ms: until, lost_claims: lost } of all(
      'SELECT repository, holder, lease_until_ms, lost_claims FROM fleet_jobs WHERE token IS NOT NULL',
    )) {
      if (Number(until) > nowMs && !isHolderGone(String(holder))) continue;
      const id = Number(repository);
      if (Number(lost) + 1 >= maxLostClaims) {
        run('DELETE FROM fleet_jobs WHERE repository = :id', { id });
        noteFailure(id, lostTooOften, nowMs);
      } else
        run(
          'UPDATE fleet_jobs SET token = NULL, holder = NULL, lease_until_ms = NULL, lost_claims = lost_claims + 1 WHERE repository = :id',
          { id },
        );
    }
  };

  return {
    kind: 'embedded',

    add: (sources, nowMs) =>
      write(() => {
        const added: string[] = [];
        for (const { name, url, host } of sources) {
          const isNew =
            run(
              'INSERT INTO fleet_repositories(name, url, host, added_ms) VALUES (:name, :url, :host, :now) ON CONFLICT DO NOTHING',
              { name, url, host, now: nowMs },
            ) > 0;
          if (!isNew) continue;
          run('INSERT INTO fleet_hosts(host) VALUES (:host) ON CONFLICT DO NOTHING', { host });
          run(
            'INSERT INTO fleet_jobs(repository, host, priority, not_before_ms) SELECT id, host, 0, :now FROM fleet_repositories WHERE name = :name',
            { name, now: nowMs },
          );
          added.push(name);
        }
        return added;
      }),

    remove: (ids) =>
      write(() => {
        for (const id of ids) run('DELETE FROM fleet_repositories WHERE id = :id', { id });
        run('DELETE FROM fleet_fact_sets WHERE content NOT IN (SELECT facts FROM fleet_publications)');
      }),

    list: () => read(() => listRepositories(db)),

    sawHead: (id, { commit, branch }, nowMs) =>
      write(() => {
        run(
          `UPDATE fleet_repositories SET head = :commit, branch = :branch, head_seen_ms = :now, look_after_ms = 0,
             failure = CASE WHEN failed_ms IS NOT NULL AND commit_id = :commit THEN NULL ELSE failure END,
             failure_detail = CASE WHEN commit_id = :commit THEN NULL ELSE failure_detail END,
             failed_ms = CASE WHEN commit_id = :commit THEN NULL ELSE failed_ms END,
             attempts = CASE WHEN commit_id = :commit THEN 0 ELSE attempts END
           WHERE id = :id`,
          { id, commit, branch, now: nowMs },
        );
      }),

    missedHead: (id, failure, lookAfterMs, nowMs) =>
      write(() => {
        noteFailure(id, failure, nowMs);
        run('UPDATE fleet_repositories SET look_after_ms = :after WHERE id = :id', { id, after: lookAfterMs });
      }),

    enqueue: (ids, priority, nowMs) =>
      write(() => {
        for (const id of ids)
          run(
            `INSERT INTO fleet_jobs(repository, host, priority, not_before_ms)
               SELECT id, host, :priority, :now FROM fleet_repositories WHERE id = :id
             ON CONFLICT (repository) DO UPDATE SET
               priority = max(priority, excluded.priority), not_before_ms = min(not_before_ms, excluded.not_before_ms)`,
            { id, priority: priorities[priority], now: nowMs },
          );
      }),

    claim: (worker, nowMs) =>
      write(() => {
        endLostClaims(nowMs);
        const chosen = findDue(all, worker.perHost, nowMs);
        if (chosen === undefined) return undefined;
        const token = randomBytes(16).toString('hex');
        run('UPDATE fleet_jobs SET token = :token, holder = :holder, lease_until_ms = :until WHERE repository = :id', {
          id: chosen,
          token,
          holder: worker.holder,
          until: nowMs + worker.leaseMs,
        });
        const repository = listRepositories(db, chosen)[0] as Repository;
        const lost = all('SELECT lost_claims FROM fleet_jobs WHERE repository = :id', { id: chosen })[0];
        return { repository, token, lostClaims: Number(lost?.['lost_claims']) };
      }),

    renew: (claim, worker, nowMs) =>
      write(
        () =>
          run('UPDATE fleet_jobs SET lease_until_ms = :until WHERE repository = :id AND token = :token', {
            id: claim.repository.id,
            token: claim.token,
            until: nowMs + worker.leaseMs,
          }) > 0,
      ),

    publish: (claim, publication, nowMs) =>
      write(() => {
        if (!isHeld(claim)) return 'lost';
        const { id } = claim.repository;
        const { commit, program } = publication;
        const key = { id, commit, program };
        const isKnown =
          all(
            'SELECT 1 AS known FROM fleet_publications WHERE repository = :id AND commit_id = :commit AND program = :program',
            key,
          ).length > 0;
        // Back at an earlier commit: its facts are those that were found of it.
        const facts = isKnown ? readFactSet(all, key) : publication.facts;
        if (!isKnown) insertPublication(run, id, publication, nowMs);
        run('DELETE FROM fleet_facts WHERE repository = :id', { id });
        for (const row of rowsOfFacts(facts)) run(insertFact, { repository: id, ...row });
        run(
          `UPDATE fleet_repositories SET commit_id = :commit, program = :program, published_ms = :now, head = :commit, head_seen_ms = :seen,
             failure = NULL, failure_detail = NULL, failed_ms = NULL, attempts = 0, look_after_ms = 0 WHERE id = :id`,
          { ...key, now: nowMs, seen: publication.seenMs },
        );
        run('DELETE FROM fleet_jobs WHERE repository = :id', { id });
        return isKnown ? 'known' : 'published';
      }),

    fail: (claim, failure, notBeforeMs, nowMs) =>
      write(() => {
        if (!isHeld(claim)) return 'lost';
        const { id } = claim.repository;
        noteFailure(id, failure, nowMs);
        if (notBeforeMs === null) run('DELETE FROM fleet_jobs WHERE repository = :id', { id });
        else
          run(
            'UPDATE fleet_jobs SET token = NULL, holder = NULL, lease_until_ms = NULL, priority = 0, not_before_ms = :after WHERE repository = :id',
            { id, after: notBeforeMs },
          );
        return 'recorded';
      }),

    giveBack: (claim, nowMs) =>
      write(() => {
        run(
          'UPDATE fleet_jobs SET token = NULL, holder = NULL, lease_until_ms = NULL, not_before_ms = :now WHERE repository = :id AND token = :token',
          { id: claim.repository.id, token: claim.token, now: nowMs },
        );
      }),

    holdHost: (host, untilMs) =>
      write(() => {
        run(
          `INSERT INTO fleet_hosts(host, held_until_ms) VALUES (:host, :until)
           ON CONFLICT (host) DO UPDATE SET held_until_ms = max(held_until_ms, excluded.held_until_ms)`,
          { host, until: untilMs },
        );
      }),

    isPublished: (id, commit, program) =>
      read(
        () =>
          all(
            'SELECT 1 AS known FROM fleet_publications WHERE repository = :id AND commit_id = :commit AND program = :program',
            {
              id,
              commit,
              program,
            },
          ).length > 0,
      ),

    facts: (ids) =>
      read(() => {
        const columns = 'repository, component, id, scope, state, value, json, confidence, evidence';
        const rows =
          ids === null
            ? all(`SELECT ${columns} FROM fleet_facts ORDER BY repository, id, scope`)
            : ids.flatMap((id) =>
                all(`SELECT ${columns} FROM fleet_facts WHERE id = :id ORDER BY repository, scope`, { id }),
              );
        return rows.map((row) => factOfRow(row));
      }),

    dark: (ids) =>
      read(() => {
        const columns = 'SELECT repository, id, min(state) AS state FROM fleet_facts';
        const isDark = "state IN ('unknown', 'not_looked')";
        const rows =
          ids === null
            ? all(`${columns} WHERE ${isDark} GROUP BY repository, id`)
            : ids.flatMap((id) => all(`${columns} WHERE ${isDark} AND id = :id GROUP BY repository, id`, { id }));
        return rows.map((row) => ({
          repository: Number(row['repository']),
          id: String(row['id']),
          state: row['state'] as FactRow['state'],
        }));
      }),

    // From one id to the next by the index: what lies between them is not read.
    factIds: () =>
      read(() =>
        all(`WITH RECURSIVE ids(id) AS (
               SELECT min(id) FROM fleet_facts UNION ALL
               SELECT (SELECT min(id) FROM fleet_facts WHERE id > ids.id) FROM ids WHERE ids.id IS NOT NULL)
             SELECT id FROM ids WHERE id IS NOT NULL`).map(({ id }) => String(id)),
      ),

    stepsSince: (ms) => read(() => listSteps(all, ms)),

    publishedBefore: (ms) =>
      read(
        () =>
          new Set(
            all('SELECT DISTINCT repository FROM fleet_publications WHERE published_ms <= :ms', { ms }).map((row) =>
              Number(row['repository']),
            ),
          ),
      ),

    query: (sql, ids, now, limits) => askQuery(path, { sql, ids, now, rows: limits.rows }, limits),

    sizeBytes: async () =>
      ['', '-wal'].reduce(
        (sum, suffix) => sum + (statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),

    close: async () => db.close(),
  };
}

function openFleetDatabase(path: string, access: 'create' | 'write'): DatabaseSync {
  const db = openDatabase(path, access, 30_000);
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
    if (versionOf(db) === 0) {
      db.exec('BEGIN IMMEDIATE');
      // Two that begin together: the second finds what the first has made.
      if (versionOf(db) === 0) db.exec(schema);
      db.exec('COMMIT');
    }
    const found = versionOf(db);
    if (found !== schemaVersion)
      throw new StoreFailed(`${path} is of another version of codegenie (${found}; this one writes ${schemaVersion})`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number((db.prepare('PRAGMA user_version').get() as Row)['user_version']);
}

type All = (sql: string, values?: Row) => readonly Row[];
type Run = (sql: string, values?: Row) => number;

/** By index for each host and priority, so that jobs that wait cost nothing. */
function findDue(all: All, perHost: number, nowMs: number): number | undefined {
  let best: { readonly id: number; readonly rank: readonly number[] } | undefined;
  for (const { host } of all('SELECT host FROM fleet_hosts WHERE held_until_ms <= :now', { now: nowMs })) {
    const running = Number(
      all('SELECT count(*) AS running FROM fleet_jobs WHERE host = :host AND token IS NOT NULL', {
        host: host as string,
      })[0]?.['running'],
    );
    if (host !== '' && running >= perHost) continue;
    for (const priority of Object.values(priorities).toReversed()) {
      const [due] = all(
        `SELECT repository, not_before_ms FROM fleet_jobs
         WHERE host = :host AND priority = :priority AND token IS NULL AND not_before_ms <= :now ORDER BY not_before_ms LIMIT 1`,
        { host: host as string, priority, now: nowMs },
      );
      if (due === undefined) continue;
      const rank = [-priority, running, Number(due['not_before_ms'])];
      if (best === undefined || isBefore(rank, best.rank)) best = { id: Number(due['repository']), rank };
      break;
    }
  }
  return best?.id;
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && Number(one[at]) < Number(other[at]);
}

const insertFact = `INSERT INTO fleet_facts(id, repository, scope, component, state, value, json, confidence, evidence)
  VALUES (:id, :repository, :scope, :component, :state, :value, :json, :confidence, :evidence)`;

function insertPublication(run: Run, id: number, publication: Publication, nowMs: number): void {
  const text = JSON.stringify(publication.facts);
  const content = sha256Hex(text);
  run('INSERT INTO fleet_fact_sets(content, bytes) VALUES (:content, :bytes) ON CONFLICT DO NOTHING', {
    content,
    bytes: gzipSync(text, { level: 1 }),
  });
  run(
    'INSERT INTO fleet_publications(repository, commit_id, program, published_ms, document, facts) VALUES (:id, :commit, :program, :now, :document, :content)',
    {
      id,
      commit: publication.commit,
      program: publication.program,
      now: nowMs,
      document: publication.document,
      content,
    },
  );
}

function readFactSet(all: All, key: Row): readonly Fact[] {
  const [found] = all(
    `SELECT s.bytes FROM fleet_publications p JOIN fleet_fact_sets s ON s.content = p.facts
     WHERE p.repository = :id AND p.commit_id = :commit AND p.program = :program`,
    key,
  );
  return factsIn(found?.['bytes'] as Uint8Array);
}

function factsIn(bytes: Uint8Array): readonly Fact[] {
  return JSON.parse(gunzipSync(bytes).toString('utf8')) as readonly Fact[];
}

function factOfRow(row: Row): FactRow {
  const stored = row as unknown as StoredFact;
  return {
    repository: Number(row['repository']),
    component: stored.component,
    id: stored.id,
    scope: stored.scope,
    state: stored.state as FactRow['state'],
    value: valueOfRow(stored),
    confidence: stored.confidence as FactRow['confidence'],
    evidence: JSON.parse(stored.evidence) as string[],
  };
}

function listSteps(all: All, ms: number): readonly Step[] {
  const rows = all(
    `SELECT p.repository, p.commit_id, s.bytes, q.commit_id AS before_id, t.bytes AS before_bytes
     FROM fleet_repositories r
     JOIN fleet_publications p ON p.repository = r.id AND p.commit_id = r.commit_id AND p.program = r.program
     JOIN fleet_publications q ON q.repository = r.id AND q.published_ms =
       (SELECT max(published_ms) FROM fleet_publications WHERE repository = r.id AND published_ms <= :ms)
     JOIN fleet_fact_sets s ON s.content = p.facts JOIN fleet_fact_sets t ON t.content = q.facts
     WHERE p.facts <> q.facts ORDER BY r.name`,
    { ms },
  );
  return rows.map((row) => ({
    repository: Number(row['repository']),
    before: { commit: String(row['before_id']), facts: factsIn(row['before_bytes'] as Uint8Array) },
    after: { commit: String(row['commit_id']), facts: factsIn(row['bytes'] as Uint8Array) },
  }));
}
