/** A tree, a plan in a real ledger and the changes it makes, with the steps of a commit around `applyChanges`. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blake3Hex } from '../../src/kernel/base/hash.ts';
import {
  type ApplyOutcome,
  type ApplyRequest,
  applyChanges,
  finishApply,
} from '../../src/mutate/apply/apply-changes.ts';
import { type Recovery, recoverJournals } from '../../src/mutate/apply/recover.ts';
import type { ApplyHooks } from '../../src/mutate/apply/target.ts';
import { type UndoOutcome, undoChanges } from '../../src/mutate/apply/undo.ts';
import type { FileChange, Plan } from '../../src/mutate/plans/plan.ts';
import { openPlanStore, type PlanStore } from '../../src/mutate/plans/plan-store.ts';

export type Content = string | Uint8Array;

/** Path → bytes and mode of every file below the root, as one comparable value. */
export type Tree = Readonly<Record<string, string>>;

export const rigPlan = 'p-0123456789abcdef';
const nowMs = () => 1_700_000_000_000;

export type ApplyRig = {
  readonly root: string;
  readonly stateDir: string;
  /** The user's, beside the data dir. */
  readonly home: string;
  readonly plans: PlanStore;
  write(path: string, content: Content, mode?: number): void;
  read(path: string): Buffer;
  tree(): Tree;
  /** As a commit does it: K1 to K13. */
  commit(changes: readonly FileChange[], more?: Partial<ApplyRequest>): ApplyOutcome;
  apply(changes: readonly FileChange[], more?: Partial<ApplyRequest>): ApplyOutcome;
  recover(hooks?: ApplyHooks): Recovery;
  undo(hooks?: ApplyHooks): UndoOutcome;
  status(): string | undefined;
  /** E10: whatever of ours lies about, in the tree and in the data dir. */
  leftovers(): readonly string[];
  dispose(): void;
};

export function createApplyRig(files: Readonly<Record<string, Content>>, at?: { readonly root: string }): ApplyRig {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'apply-')));
  const root = at?.root ?? join(base, 'tree');
  const stateDir = join(base, 'data');
  mkdirSync(root, { recursive: true });
  mkdirSync(stateDir);
  const plans = openPlans(stateDir);
  plans.add(makePlan(rigPlan));
  const rig = connect(root, stateDir, plans);
  for (const [path, content] of Object.entries(files)) rig.write(path, content);
  const dispose = () => {
    plans.close();
    rmSync(base, { recursive: true, force: true });
  };
  return { ...rig, dispose };
}

export function openPlans(stateDir: string): PlanStore {
  const opened = openPlanStore(stateDir);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.plans;
}

/** Also for a child process, which has the same tree and a ledger of its own. */
export function connect(root: string, stateDir: string, plans: PlanStore): Omit<ApplyRig, 'dispose'> {
  const home = join(dirname(stateDir), 'home');
  const own = { root, stateDir, home, planId: rigPlan, plans, nowMs, random: () => 'a1b2c3d4e5f60718' };
  const apply: ApplyRig['apply'] = (changes, more) =>
    applyChanges({
      ...own,
      changes,
      onReady: () => plans.setStatus(rigPlan, ['open'], 'committing'),
      ledger: { selections: [], proofJson: '{}', decision: null },
      ...more,
    });
  return {
    root,
    stateDir,
    home,
    plans,
    write(path, content, mode) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      if (mode !== undefined) chmodSync(join(root, path), mode);
    },
    read: (path) => readFileSync(join(root, path)),
    tree: () => readTree(root),
    apply,
    commit(changes, more) {
      const outcome = apply(changes, more);
      const at = more?.hooks?.at ?? (() => {});
      if (outcome.kind !== 'applied') {
        plans.setStatus(rigPlan, ['committing'], 'open');
        return outcome;
      }
      at('before K11');
      plans.finish(rigPlan, {
        nowMs: nowMs(),
        result: { files: outcome.files, lateWrites: outcome.lateWrites, notes: outcome.notes },
        selections: [],
        proofJson: '{}',
        decision: null,
        undo: { planId: rigPlan, ...outcome.undo, createdMs: nowMs() },
      });
      at('after K11');
      at('after K12');
      const late = finishApply({ ...own, hooks: more?.hooks });
      return { ...outcome, lateWrites: [...outcome.lateWrites, ...late] };
    },
    recover: (hooks) => recoverJournals({ ...own, hooks }),
    undo: (hooks) => undoChanges({ ...own, hooks }),
    status: () => plans.find(rigPlan)?.status,
    leftovers: () => [
      ...listFiles(root).filter((path) => path.includes('.cg-')),
      ...(existsSync(`${stateDir}/state/journal`) ? readdirSync(`${stateDir}/state/journal`) : []),
    ],
  };
}

export function replace(rig: Pick<ApplyRig, 'read'>, path: string, newText: Content): FileChange {
  return { kind: 'replace', path, oldHash: blake3Hex(rig.read(path)), newBytes: Buffer.from(newText) };
}

export function create(path: string, text: Content, mode = 0o644): FileChange {
  return { kind: 'create', path, newBytes: Buffer.from(text), mode };
}

export function remove(rig: Pick<ApplyRig, 'read'>, path: string): FileChange {
  return { kind: 'remove', path, oldHash: blake3Hex(rig.read(path)) };
}

/** Writes down where it has been, and does something at one place. */
export function hooksAt(step: string, act: () => void): ApplyHooks & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    at(now) {
      seen.push(now);
      if (now === step) act();
    },
    pause: () => {},
  };
}

export function readTree(root: string): Tree {
  return Object.fromEntries(
    listFiles(root).map((path) => {
      const { mode } = statSync(join(root, path));
      return [path, `${(mode & 0o7777).toString(8)} ${readFileSync(join(root, path)).toString('latin1')}`];
    }),
  );
}

function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

export function listDirectories(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

export function makePlan(id: string, more: Partial<Plan> = {}): Plan {
  return {
    id,
    hash: 'h',
    operation: { kind: 'rename', input: {} },
    rootHash: 'r',
    worktree: '/',
    generation: 1,
    contextKeys: [],
    symbol: { key: 'k', name: 'a', namePath: 'a', kind: 'function', definedAt: { file: 'a.ts', line: 1, col: 1 } },
    newName: 'b',
    provenance: 'proven',
    ambiguityFp: 'f',
    status: 'open',
    createdMs: nowMs(),
    expiresMs: nowMs() + 300_000,
    committedMs: null,
    groups: [],
    items: [],
    files: [],
    moves: [],
    scopeDigest: 's',
    risks: [],
    census: { planned: 0, other_symbol: 0, string: 0, comment: 0, unaccounted: 0 },
    notes: [],
    ...more,
  };
}
