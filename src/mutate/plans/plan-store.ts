/**
 * Plans, requests, decisions and undo rows as values over the ledger's rows; the SQL is in `index/store`. The opener holds the writer lock of
 * the data dir.
 * P9: a plan that could still be committed is there only if this user's codegenie made it for this root; one that came with the tree is not. What was answered to requests and decided counts in the same way.
 */

import {
  type DecisionRecord,
  openPlanTables,
  type PlanBounds,
  type PlanEditRow,
  type PlanTables,
  type RequestRecord,
  type StoredPlan,
} from '../../index/store/ledger/plan-tables.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import type { Seal } from '../apply/seal.ts';
import type { EditForm, ItemKind, PlanKind, PlanStatus, Provenance } from '../vocabulary.ts';
import { planHash } from './ids.ts';
import type { Anchor, Edit, Isomorphism, Item, Plan, PlanFile } from './plan.ts';
import { createHider, type Hider } from './plan-files.ts';
import { readSelection } from './selection.ts';

export interface PlanStore {
  /** Where all of them are too many or too large, the oldest that cannot be used go, then the oldest. */
  add(plan: Plan): void;
  /** In the place of the one of its id that is `proving`: false if that is not there any more. */
  replaceProving(plan: Plan): boolean;
  find(id: string): Plan | undefined;
  /** Newest first, without groups' edits being cut. */
  list(limit: number): readonly Plan[];
  result(id: string): CommitResult | undefined;
  setExpiry(id: string, expiresMs: number): void;
  /** Compare and set: false if the status was none of `from`. */
  setStatus(id: string, from: readonly PlanStatus[], to: PlanStatus): boolean;
  /** A plan whose recovery stopped at a foreign edit: nothing else is written until it is settled. */
  findConflict(): string | undefined;
  /** A plan that is `committing`; after a recovery that has no journal, one that never began. */
  findCommitting(): string | undefined;
  /** To `committed` with all that belongs to it, in one transaction; again for the same plan: no effect. */
  finish(
    id: string,
    about: {
      readonly nowMs: number;
      readonly result: CommitResult;
      readonly selections: readonly string[];
      readonly proofJson: string;
      readonly decision: DecisionRow | null;
      readonly undo: UndoRow | null;
    },
  ): void;
  findRequest(id: string): { readonly opHash: string; readonly answerJson: string } | undefined;
  putRequest(id: string, opHash: string, answerJson: string, nowMs: number): void;
  /** The newest that answers the question. */
  findDecision(itemId: string): DecisionRow | undefined;
  /** Newest first. */
  listUndo(): readonly UndoRow[];
  dropUndo(planId: string): void;
  /** Expired plans become `expired`; ended ones go after 7 days, requests after 24 hours or where there are too many. */
  tidy(nowMs: number): void;
  close(): void;
}

export type CommitResult = {
  readonly files: readonly { readonly path: string; readonly hash: string | null }[];
  readonly lateWrites: readonly { readonly path: string; readonly kept: string }[];
  readonly notes: readonly string[];
};

export type DecisionRow = {
  readonly key: string;
  readonly op: string;
  readonly symbolKey: string;
  /** Item ids and the option of each that was chosen. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Plan-time hashes of all edited and affected files. */
  readonly fileHashes: Readonly<Record<string, string>>;
  readonly planId: string;
  readonly createdMs: number;
};

type UndoRow = {
  readonly planId: string;
  readonly dir: string;
  readonly bytes: number;
  readonly createdMs: number;
};

export type OpenedPlanStore =
  | { readonly kind: 'open'; readonly plans: PlanStore }
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string };

/** Without a seal every plan is believed: for callers that know where the ledger comes from. */
export function openPlanStore(stateDir: string, seal?: Seal, bounds?: PlanBounds): OpenedPlanStore {
  const opened = openPlanTables(stateDir, bounds);
  if (opened.kind !== 'open') return opened;
  return { kind: 'open', plans: createPlanStore(opened.tables, createHider(stateDir), seal) };
}

function createPlanStore(tables: PlanTables, hider: Hider, seal: Seal | undefined): PlanStore {
  const { sealed, isOurs } = createPlanSeals(seal);
  const rows = createRowSeals(seal);
  const find = (id: string) => {
    const stored = tables.find(id);
    return stored === undefined || !isOurs(stored) ? undefined : toPlan(stored);
  };
  return {
    add: (plan) => tables.add(sealed(toRows(plan))),
    replaceProving: (plan) => tables.replaceProving(sealed(toRows(plan))),
    find,
    list: (limit) => tables.list(limit).filter(isOurs).map(toPlan),
    result: (id) => parseOr<CommitResult>(tables.resultJson(id)),
    setExpiry: tables.setExpiry,
    setStatus: tables.setStatus,
    findConflict: () => tables.findByStatus('conflict'),
    findCommitting: () => tables.findByStatus('committing'),
    finish(id, about) {
      const plan = find(id);
      if (plan === undefined) return;
      const chosen = readSelection(plan, about.selections);
      tables.finish(id, {
        nowMs: about.nowMs,
        resultJson: JSON.stringify(about.result),
        files: about.result.files,
        groupIds: chosen.groupIds,
        chosen: chosen.options,
        decision:
          about.decision === null
            ? null
            : rows.decision(toDecisionRecord(about.decision, hideJson(hider, about.proofJson))),
        undo: about.undo,
      });
    },
    findRequest(id) {
      const found = tables.findRequest(id);
      if (found === undefined || !rows.isOurs(found, rows.request)) return undefined;
      return { opHash: found.opHash, answerJson: found.answerJson };
    },
    putRequest(id, opHash, answerJson, nowMs) {
      const inTheWay = tables.findRequest(id);
      if (inTheWay !== undefined && !rows.isOurs(inTheWay, rows.request)) tables.dropRequest(id);
      tables.putRequest(rows.request({ id, opHash, answerJson: hideJson(hider, answerJson), seal: null }), nowMs);
    },
    findDecision(itemId) {
      const found = tables.findDecision(itemId);
      return found === undefined || !rows.isOurs(found, rows.decision) ? undefined : toDecision(found);
    },
    listUndo: tables.listUndo,
    dropUndo: tables.dropUndo,
    tidy: tables.tidy,
    close: tables.close,
  };
}

/** Looked at whenever one is read, also one that was just written: what comes back from a store is what the store says, not what it was given. */
function createPlanSeals(seal: Seal | undefined) {
  const about = ({ plan }: StoredPlan) => `plan ${plan.id}`;
  return {
    sealed(stored: StoredPlan): StoredPlan {
      if (seal === undefined) return stored;
      const extra = JSON.parse(stored.plan.extraJson) as Extra;
      const made = seal.make(about(stored), sealedPart(stored));
      return { ...stored, plan: { ...stored.plan, extraJson: JSON.stringify({ ...extra, seal: made }) } };
    },
    isOurs(stored: StoredPlan): boolean {
      const { status, extraJson } = stored.plan;
      const mayBeCommitted = status === 'open' || status === 'proving';
      if (seal === undefined || !mayBeCommitted) return true;
      const said = (JSON.parse(extraJson) as Extra).seal;
      return typeof said === 'string' && seal.isOurs(about(stored), sealedPart(stored), said);
    },
  };
}

/** What was answered and decided is replayed to people and agents: it is believed as plans are, by its seal. */
function createRowSeals(seal: Seal | undefined) {
  const make = <T extends { readonly seal: string | null }>(about: string, row: T): T => {
    const { seal: _, ...said } = row;
    return { ...row, seal: seal?.make(about, Buffer.from(canonicalJson(said as unknown as Json))) ?? null };
  };
  return {
    request: (row: RequestRecord) => make(`request ${row.id}`, row),
    decision: (row: DecisionRecord) => make(`decision ${row.key}`, row),
    isOurs<T extends { readonly seal: string | null }>(row: T, as: (row: T) => T): boolean {
      return seal === undefined || (row.seal !== null && row.seal !== '' && as(row).seal === row.seal);
    },
  };
}

/** All that a commit goes by, and nothing that changes while a plan is open. */
function sealedPart(stored: StoredPlan): Uint8Array {
  const plan = toPlan(stored);
  const { operation, rootHash, worktree, symbol, newName, provenance, ambiguityFp, scopeDigest, risks, createdMs } =
    plan;
  const about = [
    operation,
    rootHash,
    worktree,
    symbol,
    newName,
    provenance,
    ambiguityFp,
    scopeDigest,
    risks,
    createdMs,
  ];
  return Buffer.from(canonicalJson([plan.hash, planHash(plan), ...about] as unknown as Json));
}

/** Of what is written at once and only read back whole. */
type Extra = Pick<Plan, 'moves' | 'risks' | 'census' | 'notes'> & {
  readonly isomorphism: Isomorphism | null;
  readonly seal?: string | undefined;
};

function toRows(plan: Plan): StoredPlan {
  const extra: Extra = {
    moves: plan.moves,
    risks: plan.risks,
    census: plan.census,
    notes: plan.notes,
    isomorphism: plan.isomorphism ?? null,
  };
  return {
    plan: {
      id: plan.id,
      hash: plan.hash,
      kind: plan.operation.kind,
      opJson: canonicalJson(plan.operation.input as Json),
      rootHash: plan.rootHash,
      worktree: plan.worktree,
      generation: plan.generation,
      contextKeys: JSON.stringify(plan.contextKeys),
      symbolKey: plan.symbol.key,
      symbolJson: JSON.stringify(plan.symbol),
      newName: plan.newName,
      provenance: plan.provenance,
      ambiguityFp: plan.ambiguityFp,
      scopeDigest: plan.scopeDigest,
      extraJson: JSON.stringify(extra),
      status: plan.status,
      createdMs: plan.createdMs,
      expiresMs: plan.expiresMs,
      committedMs: plan.committedMs,
    },
    files: plan.files.map(({ path, role, hash, newHash, mode }) => ({ path, role, hash, newHash, mode })),
    items: plan.items.map(({ anchor, options, ...item }) => ({
      ...item,
      anchorJson: fromAnchor(anchor),
      optionsJson: JSON.stringify(options),
    })),
    groups: plan.groups.map(({ id, title, provenance, itemId, option }) => ({ id, title, provenance, itemId, option })),
    edits: plan.groups.flatMap((group) =>
      group.edits.map(({ anchor, ...edit }) => ({ ...edit, groupId: group.id, anchorJson: fromAnchor(anchor) })),
    ),
  };
}

function toPlan(stored: StoredPlan): Plan {
  const { plan } = stored;
  const { seal: _, ...extra } = JSON.parse(plan.extraJson) as Extra;
  const edits = Map.groupBy(stored.edits, ({ groupId }) => groupId);
  return {
    id: plan.id,
    hash: plan.hash,
    operation: { kind: plan.kind as PlanKind, input: JSON.parse(plan.opJson) as Record<string, unknown> },
    rootHash: plan.rootHash,
    worktree: plan.worktree,
    generation: plan.generation,
    contextKeys: JSON.parse(plan.contextKeys) as string[],
    symbol: JSON.parse(plan.symbolJson) as Plan['symbol'],
    newName: plan.newName,
    provenance: plan.provenance as Provenance,
    ambiguityFp: plan.ambiguityFp,
    status: plan.status as PlanStatus,
    createdMs: plan.createdMs,
    expiresMs: plan.expiresMs,
    committedMs: plan.committedMs,
    groups: stored.groups.map(({ selected, ...group }) => ({
      ...group,
      ...(selected === 1 ? { isSelected: true as const } : {}),
      provenance: group.provenance as Provenance,
      edits: (edits.get(group.id) ?? []).map(toEdit),
    })),
    items: stored.items.map(({ anchorJson, optionsJson, ...item }) => ({
      ...item,
      kind: item.kind as ItemKind,
      anchor: toAnchor(anchorJson),
      options: JSON.parse(optionsJson) as Item['options'],
    })),
    files: stored.files.map((file) => ({ ...file, role: file.role as PlanFile['role'] })),
    scopeDigest: plan.scopeDigest,
    ...extra,
  };
}

function toEdit({ groupId: _, anchorJson, form, ...edit }: PlanEditRow): Edit {
  return { ...edit, form: form as EditForm, anchor: toAnchor(anchorJson) };
}

function fromAnchor({ before, text, after, lineHash, ordinal }: Anchor): string {
  return JSON.stringify([before, text, after, lineHash, ordinal]);
}

function toAnchor(json: string): Anchor {
  const [before, text, after, lineHash, ordinal] = JSON.parse(json) as [string, string, string, string, number];
  return { before, text, after, lineHash, ordinal };
}

function toDecisionRecord(row: DecisionRow, proofJson: string): DecisionRecord {
  return {
    key: row.key,
    op: row.op,
    symbolKey: row.symbolKey,
    itemsJson: JSON.stringify(Object.keys(row.chosen)),
    chosenJson: JSON.stringify(row.chosen),
    fileHashesJson: JSON.stringify(row.fileHashes),
    proofJson,
    planId: row.planId,
    createdMs: row.createdMs,
    seal: null,
  };
}

function toDecision(record: DecisionRecord): DecisionRow {
  return {
    key: record.key,
    op: record.op,
    symbolKey: record.symbolKey,
    chosen: JSON.parse(record.chosenJson) as Record<string, string>,
    fileHashes: JSON.parse(record.fileHashesJson) as Record<string, string>,
    planId: record.planId,
    createdMs: record.createdMs,
  };
}

function hideJson(hider: Hider, json: string): string {
  return json === '' ? json : JSON.stringify(hider.json(JSON.parse(json)));
}

function parseOr<T>(json: string | undefined): T | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as T);
}
