/**
 * A tree with a real session, a real ledger and a clock of its own, in which plans are made and committed without any language knowledge:
 * every whole word `a` in the files of the main group becomes `b`, every other one is a question.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAllPaths } from '../../src/index/store/stored-files.ts';
import { type CodeView, openSessionView } from '../../src/index/view/code-view.ts';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import type { CommitRequest, Proof } from '../../src/mutate/answer.ts';
import type { CompilerEdit, ItemDraft } from '../../src/mutate/compiler/session/messages.ts';
import { quoteAt } from '../../src/mutate/plans/anchors.ts';
import { commitPlan, type Replan } from '../../src/mutate/plans/commit.ts';
import { buildGroups, type RiskyDraft } from '../../src/mutate/plans/groups.ts';
import { candidateId } from '../../src/mutate/plans/ids.ts';
import type { Plan, PlanDraft } from '../../src/mutate/plans/plan.ts';
import { scopeDigestOf } from '../../src/mutate/plans/plan-files.ts';
import { keepPlan } from '../../src/mutate/plans/plan-life.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import { findMainGroup, readSelection } from '../../src/mutate/plans/selection.ts';
import { requiredProofOf } from '../../src/mutate/questions/required-proof.ts';
import type { ItemKind, Provenance } from '../../src/mutate/vocabulary.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from './indexed-tree.ts';

export type DraftSpec = {
  readonly from: string;
  readonly to: string;
  /** Where the whole word is the symbol. */
  readonly main: readonly string[];
  /** What a word anywhere else is. */
  readonly ask?: ItemKind;
  readonly provenance?: Provenance;
  readonly mode?: 'semantic' | 'force_syntactic';
};

export type PlanWorld = {
  readonly tree: IndexedTree;
  readonly world: MutationWorld;
  readonly clock: { nowMs: number };
  read(path: string): string;
  draft(spec: DraftSpec, view?: CodeView): PlanDraft;
  plan(spec: DraftSpec): Plan;
  replan: Replan;
  /** All that is required for the selection, as it reads on disk. */
  proof(plan: Plan, selections: readonly string[]): Proof;
  /** The main group, and for each item the option given for its kind. */
  select(plan: Plan, options?: Readonly<Record<string, string>>): readonly string[];
  request(plan: Plan, selections?: readonly string[]): CommitRequest & { readonly proof: Proof };
  commit(plan: Plan, change?: Partial<CommitRequest>): ReturnType<typeof commitPlan>;
  close(): Promise<void>;
};

const tsText = /\.(?:ts|js|py|go|txt|md)$/;

export async function openPlanWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  given: { readonly tree?: IndexedTree; readonly overrides?: Partial<MutationWorld> } = {},
): Promise<PlanWorld> {
  const tree = given.tree ?? createIndexedTree(files, { git: false });
  const session = await tree.session();
  const opened = openPlanStore(tree.stateDir);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  const clock = { nowMs: 1_800_000_000_000 };
  let count = 0;
  const sweep = () => openSessionView(tree.root, session, 'sweep');
  const world: MutationWorld = {
    session,
    view: await sweep(),
    sweep,
    settings: sessionSettings(tree.root, tree.stateDir, false),
    root: tree.root,
    stateDir: tree.stateDir,
    rootHash: sha256Hex(tree.root).slice(0, 16),
    worktree: tree.root,
    plans: opened.plans,
    nowMs: () => clock.nowMs,
    random: () => {
      count += 1;
      return sha256Hex(`${process.pid} ${count}`).slice(0, 16);
    },
    signal: new AbortController().signal,
    openCompiler: async () => ({ kind: 'unavailable', reason: 'missing_tool', detail: 'there is no compiler here' }),
    onProgress: () => {},
    ...given.overrides,
  };
  const draft = (spec: DraftSpec, view: CodeView = world.view) => makeDraft(view, spec);
  const select = (plan: Plan, options: Readonly<Record<string, string>> = {}) => {
    const main = findMainGroup(plan);
    const chosen = plan.items.map(({ id, kind, options: all }) => {
      const option = options[id] ?? options[kind] ?? all[0]?.id ?? '';
      return candidateId(id, option);
    });
    return [...(main === undefined ? [] : [main.id]), ...chosen];
  };
  const read = (path: string) => readFileSync(join(tree.root, path), 'utf8');
  const proof = (plan: Plan, selections: readonly string[]) => {
    const required = requiredProofOf(plan, readSelection(plan, selections).groups);
    return {
      identity: required.identity ? plan.symbol.namePath : '',
      lines: required.lines.map(({ file, line }) => ({ file, line, text: read(file).split('\n')[line - 1] ?? '' })),
      anchors: required.anchors.map((place) => {
        const text = read(place.file);
        const start = offsetOf(text, place);
        return { ...place, ...quoteAt(text, start, start + plan.symbol.name.length) };
      }),
    };
  };
  const request = (plan: Plan, selections: readonly string[] = select(plan)) => ({
    plan_id: plan.id,
    plan_hash: plan.hash,
    root_hash: plan.rootHash,
    selections,
    proof: proof(plan, selections),
  });
  const replan: Replan = async ({ input }, view) => ({
    kind: 'draft',
    draft: draft(input as unknown as DraftSpec, view),
  });
  return {
    tree,
    world,
    clock,
    read,
    draft,
    plan: (spec) => keepPlan(world, draft(spec)),
    replan,
    proof,
    select,
    request,
    commit: (plan, change = {}) => {
      const asked = request(plan, change.selections ?? select(plan));
      return commitPlan(world, { ...asked, ...change }, replan);
    },
    async close() {
      opened.plans.close();
      await tree.dispose();
    },
  };
}

function makeDraft(view: CodeView, spec: DraftSpec): PlanDraft {
  const sources = (path: string) => view.readText(path);
  const paths = view.read(listAllPaths);
  const edits: CompilerEdit[] = [];
  const items: ItemDraft[] = [];
  for (const path of paths.filter((one) => tsText.test(one))) {
    const text = sources(path)?.text ?? '';
    for (const { index } of text.matchAll(new RegExp(`\\b${spec.from}\\b`, 'g'))) {
      const span = { path, start: index, end: index + spec.from.length };
      const edit: CompilerEdit = { ...span, oldText: spec.from, newText: spec.to, form: 'plain' };
      if (spec.main.includes(path)) edits.push(edit);
      else items.push({ ...span, kind: spec.ask ?? 'unaccounted_token', detail: 'a word', edits: { rename: [edit] } });
    }
  }
  const first = edits[0] ?? { path: spec.main[0] ?? '', start: 0 };
  const before = (sources(first.path)?.text ?? '').slice(0, first.start).split('\n');
  const isForced = spec.mode === 'force_syntactic';
  const provenance = spec.provenance ?? 'proven';
  const built = buildGroups({
    kind: 'rename',
    title: `rename ${spec.from} to ${spec.to}`,
    symbolKeys: [`test ${spec.from}`],
    provenance,
    edits,
    items: isForced ? [] : items,
    risky: isForced ? items.flatMap(({ edits: { rename = [] } }) => rename.map(toRisky)) : [],
    affected: [],
    sources,
  });
  return {
    ...built,
    operation: { kind: 'rename', input: { ...spec } },
    generation: view.generation,
    contextKeys: [],
    symbol: {
      key: `test ${spec.from}`,
      name: spec.from,
      namePath: spec.from,
      kind: 'variable',
      definedAt: { file: first.path, line: before.length, col: (before.at(-1) ?? '').length + 1 },
    },
    newName: spec.to,
    provenance,
    moves: [],
    scopeDigest: scopeDigestOf(view),
    census: { planned: edits.length, other_symbol: 0, string: 0, comment: 0, unaccounted: items.length },
    notes: [],
  };
}

function toRisky(edit: CompilerEdit): RiskyDraft {
  return { edit, tier: 'text', risk: 'medium', reasons: ['string'], importChain: [] };
}

function offsetOf(text: string, { line, col }: { readonly line: number; readonly col: number }): number {
  const lines = text.split('\n').slice(0, line - 1);
  return lines.reduce((sum, { length }) => sum + length + 1, 0) + col - 1;
}
