/**
 * The ledger's tables about plans (mutation.md §5, §7, §9), for the holder of the writer lock. Flushed at every commit, like the ledger:
 * what a plan's status says is on disk before anybody acts on it.
 */

import type { DatabaseSync } from 'node:sqlite';
import { openLedgerDatabase } from '../ledger.ts';
import type { Refused } from '../open-database.ts';
import { guardSqlite } from '../store-failed.ts';
import type { DecisionRecord, UndoRecord } from './plan-rows.ts';
import { createPlanReader, type PlanReader } from './read-plans.ts';
import { createPlanWriter, type PlanWriter } from './write-plans.ts';

export type PlanTables = PlanReader &
  PlanWriter & {
    resultJson(id: string): string | undefined;
    findRequest(id: string): { readonly opHash: string; readonly answerJson: string } | undefined;
    /** The first answer stays. */
    putRequest(id: string, opHash: string, answerJson: string, nowMs: number): void;
    findDecision(key: string): DecisionRecord | undefined;
    dropDecision(key: string): void;
    listUndo(): readonly UndoRecord[];
    dropUndo(planId: string): void;
    tidy(nowMs: number): void;
    close(): void;
  };

export type OpenedPlanTables =
  | { readonly kind: 'open'; readonly tables: PlanTables }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

const planKeptMs = 7 * 24 * 60 * 60 * 1000;
const requestKeptMs = 24 * 60 * 60 * 1000;

export function openPlanTables(dataDir: string): OpenedPlanTables {
  const opened = openLedgerDatabase(dataDir);
  return opened.kind === 'open' ? { kind: 'open', tables: createTables(opened.db) } : opened;
}

function createTables(db: DatabaseSync): PlanTables {
  const transaction = (act: () => void) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      act();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  const result = db.prepare('SELECT result_json FROM plans WHERE id = $id');
  const findRequest = db.prepare('SELECT op_hash AS opHash, answer_json AS answerJson FROM requests WHERE id = $id');
  const putRequest = db.prepare(
    `INSERT INTO requests(id, op_hash, answer_json, created_ms) VALUES ($id, $opHash, $answerJson, $nowMs)
     ON CONFLICT(id) DO NOTHING`,
  );
  const findDecision = db.prepare(
    `SELECT key, op, symbol_key AS symbolKey, items_json AS itemsJson, chosen_json AS chosenJson,
       file_hashes_json AS fileHashesJson, proof_json AS proofJson, plan_id AS planId, created_ms AS createdMs
     FROM decisions WHERE key = $key`,
  );
  const dropDecision = db.prepare('DELETE FROM decisions WHERE key = $key');
  const listUndo = db.prepare(
    'SELECT plan_id AS planId, dir, bytes, created_ms AS createdMs FROM undo ORDER BY created_ms DESC, plan_id',
  );
  const dropUndo = db.prepare('DELETE FROM undo WHERE plan_id = $planId');
  const expire = db.prepare(
    `UPDATE plans SET status = 'expired' WHERE status IN ('proving', 'open') AND expires_ms <= $nowMs`,
  );
  const dropEnded = db.prepare(
    `DELETE FROM plans WHERE status IN ('committed', 'undone', 'expired', 'cancelled')
       AND coalesce(committed_ms, expires_ms) <= $endedMs
       AND NOT EXISTS (SELECT 1 FROM undo WHERE undo.plan_id = plans.id)`,
  );
  const dropRequests = db.prepare('DELETE FROM requests WHERE created_ms <= $madeMs');
  const tables: PlanTables = {
    ...createPlanReader(db),
    ...createPlanWriter(db, transaction),
    resultJson: (id) => (result.get({ $id: id })?.['result_json'] as string | null | undefined) ?? undefined,
    findRequest: (id) => findRequest.get({ $id: id }) as { opHash: string; answerJson: string } | undefined,
    putRequest: (id, opHash, answerJson, nowMs) =>
      void putRequest.run({ $id: id, $opHash: opHash, $answerJson: answerJson, $nowMs: nowMs }),
    findDecision: (key) => findDecision.get({ $key: key }) as DecisionRecord | undefined,
    dropDecision: (key) => void dropDecision.run({ $key: key }),
    listUndo: () => listUndo.all() as unknown as UndoRecord[],
    dropUndo: (planId) => void dropUndo.run({ $planId: planId }),
    tidy: (nowMs) =>
      transaction(() => {
        expire.run({ $nowMs: nowMs });
        dropEnded.run({ $endedMs: nowMs - planKeptMs });
        dropRequests.run({ $madeMs: nowMs - requestKeptMs });
      }),
    close: () => db.close(),
  };
  return guarded(tables);
}

/** What the disk does to us leaves as `StoreFailed`, whichever question it was. */
function guarded(tables: PlanTables): PlanTables {
  const wrap =
    <A extends readonly unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R =>
      guardSqlite(() => act(...args));
  return Object.fromEntries(
    Object.entries(tables).map(([name, act]) => [name, wrap(act as (...args: readonly unknown[]) => unknown)]),
  ) as unknown as PlanTables;
}
