/**
 * The life of a plan in the ledger. M22: every change of status names the statuses it may start from, and counts as done only if the
 * row had one of them.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { DecisionRecord, StoredPlan, UndoRecord } from './plan-rows.ts';

/** All that belongs to a commit, for one transaction. */
export type PlanEnding = {
  readonly nowMs: number;
  readonly resultJson: string;
  readonly files: readonly { readonly path: string; readonly hash: string | null }[];
  readonly groupIds: readonly string[];
  readonly chosen: Readonly<Record<string, string>>;
  readonly decision: DecisionRecord | null;
  readonly undo: UndoRecord | null;
};

export type PlanWriter = {
  add(stored: StoredPlan): void;
  /** In the place of the one of its id that is `proving`: false if there is none. */
  replaceProving(stored: StoredPlan): boolean;
  setExpiry(id: string, expiresMs: number): void;
  setStatus(id: string, from: readonly string[], to: string): boolean;
  finish(id: string, ending: PlanEnding): void;
};

export function createPlanWriter(db: DatabaseSync, transaction: (act: () => void) => void): PlanWriter {
  const addPlan = db.prepare(
    `INSERT INTO plans(id, hash, kind, op_json, root_hash, worktree, generation, context_keys, symbol_key, symbol_json, new_name,
       provenance, ambiguity_fp, scope_digest, extra_json, status, created_ms, expires_ms, committed_ms)
     VALUES ($id, $hash, $kind, $opJson, $rootHash, $worktree, $generation, $contextKeys, $symbolKey, $symbolJson, $newName,
       $provenance, $ambiguityFp, $scopeDigest, $extraJson, $status, $createdMs, $expiresMs, $committedMs)`,
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
    `INSERT INTO decisions(key, op, symbol_key, items_json, chosen_json, file_hashes_json, proof_json, plan_id, created_ms)
     VALUES ($key, $op, $symbolKey, $itemsJson, $chosenJson, $fileHashesJson, $proofJson, $planId, $createdMs)
     ON CONFLICT(key) DO UPDATE SET op = $op, symbol_key = $symbolKey, items_json = $itemsJson, chosen_json = $chosenJson,
       file_hashes_json = $fileHashesJson, proof_json = $proofJson, plan_id = $planId, created_ms = $createdMs`,
  );
  const putUndo = db.prepare(
    `INSERT INTO undo(plan_id, dir, bytes, created_ms) VALUES ($planId, $dir, $bytes, $createdMs)
     ON CONFLICT(plan_id) DO UPDATE SET dir = $dir, bytes = $bytes, created_ms = $createdMs`,
  );
  const dropProving = db.prepare(`DELETE FROM plans WHERE id = $id AND status = 'proving'`);
  const insert = ({ plan, files, items, groups, edits }: StoredPlan) => {
    const planId = plan.id;
    addPlan.run(named(plan));
    for (const file of files) addFile.run(named({ planId, ...file }));
    for (const [at, item] of items.entries()) addItem.run(named({ planId, at, ...item }));
    for (const [at, group] of groups.entries()) addGroup.run(named({ planId, at, ...group }));
    for (const edit of edits) addEdit.run(named({ planId, ...edit }));
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

type Bound = string | number | null;

function named(row: Readonly<Record<string, Bound>>): Record<string, Bound> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [`$${key}`, value]));
}
