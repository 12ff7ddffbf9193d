/**
 * The ledger's tables about plans (mutation.md §5, §7, §9), for the holder of the writer lock. Flushed at every commit, like the ledger:
 * what a plan's status says is on disk before anything follows from it. M22: every change of status names the statuses it may start from,
 * and counts as done only if the row had one of them.
 */

import type { DatabaseSync } from 'node:sqlite';
import { lstatOwn, OutputRefused } from '../../../kernel/base/write-file.ts';
import { openDatabase, type Refused } from '../open-database.ts';
import { guardSqlite, isSqliteError } from '../store-failed.ts';
import { openLedgerDatabase } from './ledger.ts';

// ---- rows, as the store hands them out: what a column means is said where it is created (migration 2 of the ledger)

type PlanRow = {
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  readonly opJson: string;
  readonly rootHash: string;
  readonly worktree: string;
  readonly generation: number;
  readonly contextKeys: string;
  readonly symbolKey: string;
  readonly symbolJson: string;
  readonly newName: string;
  readonly provenance: string;
  readonly ambiguityFp: string;
  readonly scopeDigest: string;
  readonly extraJson: string;
  readonly status: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly committedMs: number | null;
};

type PlanFileRow = {
  readonly path: string;
  readonly role: string;
  readonly hash: string;
  readonly newHash: string | null;
  readonly mode: number | null;
};

type PlanItemRow = {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly col: number;
  readonly text: string;
  readonly anchorJson: string;
  readonly detail: string;
  readonly optionsJson: string;
  readonly chosen: string | null;
};

type PlanGroupRow = {
  readonly id: string;
  readonly title: string;
  readonly provenance: string;
  readonly itemId: string | null;
  readonly option: string | null;
  /** 1 where it was committed; a plan that is added has none. */
  readonly selected?: number;
};

export type PlanEditRow = {
  readonly groupId: string;
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly col: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: string;
  readonly anchorJson: string;
};

export type StoredPlan = {
  readonly plan: PlanRow;
  readonly files: readonly PlanFileRow[];
  readonly items: readonly PlanItemRow[];
  readonly groups: readonly PlanGroupRow[];
  readonly edits: readonly PlanEditRow[];
};

export type DecisionRecord = {
  readonly key: string;
  readonly op: string;
  readonly symbolKey: string;
  readonly itemsJson: string;
  readonly chosenJson: string;
  readonly fileHashesJson: string;
  readonly proofJson: string;
  readonly planId: string;
  readonly createdMs: number;
  readonly seal: string | null;
};

export type RequestRecord = {
  readonly id: string;
  readonly opHash: string;
  readonly answerJson: string;
  readonly seal: string | null;
};

type UndoRecord = {
  readonly planId: string;
  readonly dir: string;
  readonly bytes: number;
  readonly createdMs: number;
};

// ---- the tables

export type PlanTables = PlanReader &
  PlanWriter & {
    resultJson(id: string): string | undefined;
    findRequest(id: string): RequestRecord | undefined;
    /** The first answer stays. */
    putRequest(request: RequestRecord, nowMs: number): void;
    dropRequest(id: string): void;
    findDecision(itemId: string): DecisionRecord | undefined;
    listUndo(): readonly UndoRecord[];
    dropUndo(planId: string): void;
    tidy(nowMs: number): void;
    close(): void;
  };

type OpenedPlanTables =
  | { readonly kind: 'open'; readonly tables: PlanTables }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

/** Commits whose answers are remembered. */
const decisionsKept = 1000;
const planKeptMs = 7 * 24 * 60 * 60 * 1000;
const requestKeptMs = 24 * 60 * 60 * 1000;

/** Requests whose answers are repeated. */
const requestsKept = 5_000;

/** Of all plans together, whatever their status: how many, and how large. */
export type PlanBounds = { readonly count: number; readonly bytes: number };

const planBounds: PlanBounds = { count: 1_000, bytes: 128 * 1024 * 1024 };

export function openPlanTables(stateDir: string, bounds: PlanBounds = planBounds): OpenedPlanTables {
  const opened = openLedgerDatabase(stateDir);
  return opened.kind === 'open' ? { kind: 'open', tables: createTables(opened.db, bounds) } : opened;
}

function createTables(db: DatabaseSync, bounds: PlanBounds): PlanTables {
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
  const findRequest = db.prepare(
    'SELECT id, op_hash AS opHash, answer_json AS answerJson, seal FROM requests WHERE id = $id',
  );
  const putRequest = db.prepare(
    `INSERT INTO requests(id, op_hash, answer_json, created_ms, seal) VALUES ($id, $opHash, $answerJson, $nowMs, $seal)
     ON CONFLICT(id) DO NOTHING`,
  );
  const dropRequest = db.prepare('DELETE FROM requests WHERE id = $id');
  const findDecision = db.prepare(
    `SELECT key, op, symbol_key AS symbolKey, items_json AS itemsJson, chosen_json AS chosenJson,
       file_hashes_json AS fileHashesJson, proof_json AS proofJson, plan_id AS planId, created_ms AS createdMs, seal
     FROM decisions WHERE EXISTS (SELECT 1 FROM json_each(chosen_json) AS one WHERE one.key = $itemId)
     ORDER BY created_ms DESC, key LIMIT 1`,
  );
  const dropDecisions = db.prepare(
    'DELETE FROM decisions WHERE key NOT IN (SELECT key FROM decisions ORDER BY created_ms DESC LIMIT $kept)',
  );
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
  const dropOldRequests = db.prepare(
    'DELETE FROM requests WHERE id NOT IN (SELECT id FROM requests ORDER BY created_ms DESC, rowid DESC LIMIT $kept)',
  );
  const tables: PlanTables = {
    ...createPlanReader(db),
    ...createPlanWriter(db, transaction, bounds),
    resultJson: (id) => (result.get({ $id: id })?.['result_json'] as string | null | undefined) ?? undefined,
    findRequest: (id) => findRequest.get({ $id: id }) as RequestRecord | undefined,
    putRequest: (request, nowMs) => void putRequest.run(named({ ...request, nowMs })),
    dropRequest: (id) => void dropRequest.run({ $id: id }),
    findDecision: (itemId) => findDecision.get({ $itemId: itemId }) as DecisionRecord | undefined,
    listUndo: () => listUndo.all() as unknown as UndoRecord[],
    dropUndo: (planId) => void dropUndo.run({ $planId: planId }),
    tidy: (nowMs) =>
      transaction(() => {
        expire.run({ $nowMs: nowMs });
        dropEnded.run({ $endedMs: nowMs - planKeptMs });
        dropRequests.run({ $madeMs: nowMs - requestKeptMs });
        dropOldRequests.run({ $kept: requestsKept });
        dropDecisions.run({ $kept: decisionsKept });
      }),
    close: () => db.close(),
  };
  return guarded(tables);
}

export type PlanHead = Pick<PlanRow, 'id' | 'kind' | 'newName' | 'status'>;

/** Newest first, for who only wants to name one: nothing is made, locked or migrated, and where nothing can be read there are none. */
export function listPlanHeads(stateDir: string, limit: number): readonly PlanHead[] {
  const path = `${stateDir}/state/ledger.db`;
  try {
    if (lstatOwn(path) === undefined) return [];
    const db = openDatabase(path, 'read', headsTimeoutMs);
    try {
      const list = db.prepare(
        'SELECT id, kind, new_name AS newName, status FROM plans ORDER BY created_ms DESC, rowid DESC LIMIT $limit',
      );
      return list.all({ $limit: limit }) as unknown as PlanHead[];
    } finally {
      db.close();
    }
  } catch (error) {
    if (isSqliteError(error) || error instanceof OutputRefused) return [];
    throw error;
  }
}

/** A key was pressed, and the person waits. */
const headsTimeoutMs = 200;

/** Failures of the disk leave every question as `StoreFailed`. */
function guarded(tables: PlanTables): PlanTables {
  const wrap =
    <A extends readonly unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R =>
      guardSqlite(() => act(...args));
  return Object.fromEntries(
    Object.entries(tables).map(([name, act]) => [name, wrap(act as (...args: readonly unknown[]) => unknown)]),
  ) as unknown as PlanTables;
}

// ---- reading: plans with all their parts

const planColumns = `id, hash, kind, op_json AS opJson, root_hash AS rootHash, worktree, generation, context_keys AS contextKeys,
  symbol_key AS symbolKey, symbol_json AS symbolJson, new_name AS newName, provenance, ambiguity_fp AS ambiguityFp,
  scope_digest AS scopeDigest, extra_json AS extraJson, status, created_ms AS createdMs, expires_ms AS expiresMs,
  committed_ms AS committedMs`;

type PlanReader = {
  find(id: string): StoredPlan | undefined;
  list(limit: number): readonly StoredPlan[];
  findByStatus(status: string): string | undefined;
};

function createPlanReader(db: DatabaseSync): PlanReader {
  const find = db.prepare(`SELECT ${planColumns} FROM plans WHERE id = $id`);
  // Those made in one millisecond in the order in which they were added.
  const list = db.prepare(`SELECT ${planColumns} FROM plans ORDER BY created_ms DESC, rowid DESC LIMIT $limit`);
  const byStatus = db.prepare('SELECT id FROM plans WHERE status = $status ORDER BY created_ms, rowid LIMIT 1');
  const files = db.prepare(
    'SELECT path, role, hash, new_hash AS newHash, mode FROM plan_files WHERE plan_id = $id ORDER BY path',
  );
  const items = db.prepare(
    `SELECT id, kind, path, start_byte AS startByte, end_byte AS endByte, line, col, text, anchor_json AS anchorJson, detail,
       options_json AS optionsJson, chosen FROM plan_items WHERE plan_id = $id ORDER BY at`,
  );
  const groups = db.prepare(
    'SELECT id, title, provenance, item_id AS itemId, option, selected FROM plan_groups WHERE plan_id = $id ORDER BY at',
  );
  const edits = db.prepare(
    `SELECT group_id AS groupId, path, start_byte AS startByte, end_byte AS endByte, line, col, old_text AS oldText,
       new_text AS newText, form, anchor_json AS anchorJson
     FROM plan_edits WHERE plan_id = $id ORDER BY group_id, path, start_byte`,
  );
  const whole = (plan: PlanRow): StoredPlan => ({
    plan,
    files: files.all({ $id: plan.id }) as unknown as PlanFileRow[],
    items: items.all({ $id: plan.id }) as unknown as PlanItemRow[],
    groups: groups.all({ $id: plan.id }) as unknown as PlanGroupRow[],
    edits: edits.all({ $id: plan.id }) as unknown as PlanEditRow[],
  });
  return {
    find(id) {
      const plan = find.get({ $id: id }) as unknown as PlanRow | undefined;
      return plan === undefined ? undefined : whole(plan);
    },
    list: (limit) => (list.all({ $limit: limit }) as unknown as PlanRow[]).map(whole),
    findByStatus: (status) => byStatus.get({ $status: status })?.['id'] as string | undefined,
  };
}

// ---- writing: the life of a plan

/** All that belongs to a commit, for one transaction. */
type PlanEnding = {
  readonly nowMs: number;
  readonly resultJson: string;
  readonly files: readonly { readonly path: string; readonly hash: string | null }[];
  readonly groupIds: readonly string[];
  readonly chosen: Readonly<Record<string, string>>;
  readonly decision: DecisionRecord | null;
  readonly undo: UndoRecord | null;
};

type PlanWriter = {
  add(stored: StoredPlan): void;
  /** In the place of the one of its id that is `proving`: false if there is none. */
  replaceProving(stored: StoredPlan): boolean;
  setExpiry(id: string, expiresMs: number): void;
  setStatus(id: string, from: readonly string[], to: string): boolean;
  finish(id: string, ending: PlanEnding): void;
};

function createPlanWriter(db: DatabaseSync, transaction: (act: () => void) => void, bounds: PlanBounds): PlanWriter {
  const addPlan = db.prepare(
    `INSERT INTO plans(id, hash, kind, op_json, root_hash, worktree, generation, context_keys, symbol_key, symbol_json, new_name,
       provenance, ambiguity_fp, scope_digest, extra_json, status, created_ms, expires_ms, committed_ms, bytes)
     VALUES ($id, $hash, $kind, $opJson, $rootHash, $worktree, $generation, $contextKeys, $symbolKey, $symbolJson, $newName,
       $provenance, $ambiguityFp, $scopeDigest, $extraJson, $status, $createdMs, $expiresMs, $committedMs, $bytes)`,
  );
  // The one just added is the last to go, and stays. What is under way, and what can be undone, is found through its plan. Of the rest
  // those that cannot be used any more go first, and of equals the one that was used longest ago.
  const dropOverBounds = db.prepare(
    `DELETE FROM plans WHERE id IN (
       SELECT id FROM (
         SELECT id, status, row_number() OVER keeping AS place, sum(bytes) OVER keeping AS size FROM plans
         WINDOW keeping AS (
           ORDER BY id = $id DESC,
             status IN ('proving', 'committing', 'conflict') OR EXISTS (SELECT 1 FROM undo WHERE undo.plan_id = plans.id) DESC,
             status = 'open' DESC, status IN ('committed', 'undone') DESC, max(coalesce(committed_ms, 0), expires_ms) DESC, rowid DESC
           ROWS UNBOUNDED PRECEDING))
       WHERE (place > $count OR size > $bytes) AND id <> $id AND status NOT IN ('proving', 'committing', 'conflict')
         AND NOT EXISTS (SELECT 1 FROM undo WHERE undo.plan_id = id))`,
  );
  const addFile = db.prepare(
    `INSERT INTO plan_files(plan_id, path, role, hash, new_hash, mode) VALUES ($planId, $path, $role, $hash, $newHash, $mode)`,
  );
  const addItem = db.prepare(
    `INSERT INTO plan_items(plan_id, id, at, kind, path, start_byte, end_byte, line, col, text, anchor_json, detail, options_json,
       chosen)
     VALUES ($planId, $id, $at, $kind, $path, $startByte, $endByte, $line, $col, $text, $anchorJson, $detail, $optionsJson,
       $chosen)`,
  );
  const addGroup = db.prepare(
    `INSERT INTO plan_groups(plan_id, id, at, title, provenance, item_id, option)
     VALUES ($planId, $id, $at, $title, $provenance, $itemId, $option)`,
  );
  const addEdit = db.prepare(
    `INSERT INTO plan_edits(plan_id, group_id, path, start_byte, end_byte, line, col, old_text, new_text, form, anchor_json)
     VALUES ($planId, $groupId, $path, $startByte, $endByte, $line, $col, $oldText, $newText, $form, $anchorJson)`,
  );
  const setExpiry = db.prepare('UPDATE plans SET expires_ms = $expiresMs WHERE id = $id');
  const setStatus = db.prepare(
    `UPDATE plans SET status = $to WHERE id = $id AND status IN (SELECT value FROM json_each($from))`,
  );
  const commit = db.prepare(
    `UPDATE plans SET status = 'committed', committed_ms = $nowMs, result_json = $resultJson
     WHERE id = $id AND status NOT IN ('committed', 'undone')`,
  );
  const setNewHash = db.prepare('UPDATE plan_files SET new_hash = $hash WHERE plan_id = $id AND path = $path');
  const select = db.prepare('UPDATE plan_groups SET selected = 1 WHERE plan_id = $id AND id = $groupId');
  const choose = db.prepare('UPDATE plan_items SET chosen = $option WHERE plan_id = $id AND id = $itemId');
  const putDecision = db.prepare(
    `INSERT INTO decisions(key, op, symbol_key, items_json, chosen_json, file_hashes_json, proof_json, plan_id, created_ms, seal)
     VALUES ($key, $op, $symbolKey, $itemsJson, $chosenJson, $fileHashesJson, $proofJson, $planId, $createdMs, $seal)
     ON CONFLICT(key) DO UPDATE SET op = $op, symbol_key = $symbolKey, items_json = $itemsJson, chosen_json = $chosenJson,
       file_hashes_json = $fileHashesJson, proof_json = $proofJson, plan_id = $planId, created_ms = $createdMs, seal = $seal`,
  );
  const putUndo = db.prepare(
    `INSERT INTO undo(plan_id, dir, bytes, created_ms) VALUES ($planId, $dir, $bytes, $createdMs)
     ON CONFLICT(plan_id) DO UPDATE SET dir = $dir, bytes = $bytes, created_ms = $createdMs`,
  );
  const dropProving = db.prepare(`DELETE FROM plans WHERE id = $id AND status = 'proving'`);
  const insert = ({ plan, files, items, groups, edits }: StoredPlan) => {
    const planId = plan.id;
    const bytes = [plan, ...files, ...items, ...groups, ...edits].reduce((sum, row) => sum + sizeOf(row), 0);
    addPlan.run(named({ ...plan, bytes }));
    for (const file of files) addFile.run(named({ planId, ...file }));
    for (const [at, item] of items.entries()) addItem.run(named({ planId, at, ...item }));
    for (const [at, group] of groups.entries()) addGroup.run(named({ planId, at, ...group }));
    for (const edit of edits) addEdit.run(named({ planId, ...edit }));
    dropOverBounds.run({ $id: planId, $count: bounds.count, $bytes: bounds.bytes });
  };
  return {
    add: (stored) => transaction(() => insert(stored)),
    replaceProving(stored) {
      let isReplaced = false;
      transaction(() => {
        isReplaced = dropProving.run({ $id: stored.plan.id }).changes === 1;
        if (isReplaced) insert(stored);
      });
      return isReplaced;
    },
    setExpiry: (id, expiresMs) => void setExpiry.run({ $id: id, $expiresMs: expiresMs }),
    setStatus: (id, from, to) => setStatus.run({ $id: id, $from: JSON.stringify(from), $to: to }).changes === 1,
    finish: (id, { nowMs, resultJson, files, groupIds, chosen, decision, undo }) =>
      transaction(() => {
        if (commit.run({ $id: id, $nowMs: nowMs, $resultJson: resultJson }).changes === 0) return;
        for (const { path, hash } of files) setNewHash.run({ $id: id, $path: path, $hash: hash });
        for (const groupId of groupIds) select.run({ $id: id, $groupId: groupId });
        for (const [itemId, option] of Object.entries(chosen))
          choose.run({ $id: id, $itemId: itemId, $option: option });
        if (decision !== null) putDecision.run(named(decision));
        if (undo !== null) putUndo.run(named(undo));
      }),
  };
}

/** What a row takes, about: its texts and some bytes for each column. */
function sizeOf(row: Readonly<Record<string, Bound>>): number {
  return Object.values(row).reduce<number>((sum, value) => sum + 4 + (typeof value === 'string' ? value.length : 4), 0);
}

type Bound = string | number | null;

function named(row: Readonly<Record<string, Bound>>): Record<string, Bound> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [`$${key}`, value]));
}
