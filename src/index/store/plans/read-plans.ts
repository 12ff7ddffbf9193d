/** Plans with all their parts, from the ledger. */

import type { DatabaseSync } from 'node:sqlite';
import type { PlanEditRow, PlanFileRow, PlanGroupRow, PlanItemRow, PlanRow, StoredPlan } from './plan-rows.ts';

const planColumns = `id, hash, kind, op_json AS opJson, root_hash AS rootHash, worktree, generation, context_keys AS contextKeys,
  symbol_key AS symbolKey, symbol_json AS symbolJson, new_name AS newName, provenance, ambiguity_fp AS ambiguityFp,
  scope_digest AS scopeDigest, extra_json AS extraJson, status, created_ms AS createdMs, expires_ms AS expiresMs,
  committed_ms AS committedMs`;

export type PlanReader = {
  find(id: string): StoredPlan | undefined;
  list(limit: number): readonly StoredPlan[];
  findByStatus(status: string): string | undefined;
};

export function createPlanReader(db: DatabaseSync): PlanReader {
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
    'SELECT id, title, provenance, item_id AS itemId, option FROM plan_groups WHERE plan_id = $id ORDER BY at',
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
