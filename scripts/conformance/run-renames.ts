/**
 * Cases through the real pipeline, in this process: a tree in a temporary directory with an index and plans of its own, and one compiler
 * for all cases over the same files, which stay as they are. Nothing is committed.
 */

import { rmSync } from 'node:fs';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { mapBounded } from '../../src/kernel/base/turns.ts';
import type { Answer } from '../../src/mutate/answer.ts';
import type { CodeSpan, CompilerEdit } from '../../src/mutate/compiler/session/messages.ts';
import { openCompiler } from '../../src/mutate/compiler/session/open-compiler.ts';
import { planChange } from '../../src/mutate/plan-change.ts';
import type { Edit, Plan } from '../../src/mutate/plans/plan.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';
import { openWorld } from '../../src/serve/changes/run-change.ts';
import { makeCaseTree, quietSettings } from './case-tree.ts';
import { judge, type Observed } from './judge-rename.ts';
import { createRecordingCompilers, type RecordingCompilers } from './recording-compilers.ts';
import { freshName, groupByFiles, type RenameCase, type RenameResult, type ResultEdit } from './rename-case.ts';

export type Judged = { readonly asked: RenameCase; readonly result: RenameResult };

/** Most of the time is one compiler's, which has one thread. */
const parallel = 2;

export async function runRenames(
  cases: readonly RenameCase[],
  onGroup: (done: number, total: number) => void = () => {},
): Promise<readonly Judged[]> {
  const groups = groupByFiles(cases);
  let done = 0;
  const judged = await mapBounded(groups, parallel, async (group) => {
    const results = await runGroup(group);
    done += 1;
    onGroup(done, groups.length);
    return results;
  });
  return judged.flat();
}

async function runGroup(group: readonly RenameCase[]): Promise<readonly Judged[]> {
  const { base, root, stateDir } = makeCaseTree(group[0]?.files ?? []);
  const { signal } = new AbortController();
  const compilers = createRecordingCompilers((programs) =>
    openCompiler({ root, programs, environment: process.env, signal }),
  );
  const settings = { ...quietSettings(root, stateDir, false, signal), openCompiler: compilers.open };
  const opened = await openIndexSession(settings);
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  try {
    const stored = openPlanStore(stateDir);
    if (stored.kind !== 'open') throw new Error(`the plans did not open: ${JSON.stringify(stored)}`);
    try {
      const world = await openWorld(opened.session, stored.plans, settings);
      const done: Judged[] = [];
      for (const asked of group) done.push({ asked, result: judge(asked, await observe(world, asked, compilers)) });
      return done;
    } finally {
      stored.plans.close();
    }
  } finally {
    await compilers.close();
    await opened.session.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function observe(world: MutationWorld, asked: RenameCase, compilers: RecordingCompilers): Promise<Observed> {
  const newName = asked.newName ?? freshName(asked);
  const { path, line, col } = asked.at;
  compilers.forget();
  const { outcome } = await planChange(world, 'rename', {
    target: `${path}:${line}:${col}`,
    new_name: newName,
    mode: 'semantic',
    public_names: 'rename',
    alias_policy: asked.useAliases ? 'keep_local' : 'through',
    wait_ms: 10_000,
    apply: false,
  });
  const plan = planOf(world, outcome);
  const findings = compilers.findings();
  const place = (span: CodeSpan) => placeIn(asked, span);
  const main = plan?.groups.find(({ itemId }) => itemId === null);
  return {
    newName,
    outcome: outcome.kind,
    reason:
      'reason' in outcome ? `${outcome.reason}: ${outcome.detail}` : plan === undefined ? null : whatIsAsked(plan),
    edits: main?.edits.map(toResult) ?? findings?.edits.map((edit) => toResultOf(place(edit), edit)) ?? [],
    proven: plan?.provenance === 'proven',
    foreign: findings?.references.onlyHere.map(place) ?? [],
    questions: plan === undefined ? [] : questionsOf(plan),
  };
}

/** Whole: what is shown of it is cut. */
function planOf(world: MutationWorld, outcome: Answer['outcome']): Plan | undefined {
  const view = 'plan' in outcome ? outcome.plan : null;
  return view === null ? undefined : world.plans.find(view.id);
}

/** The kinds of questions, each with the first one's words. */
function whatIsAsked({ items }: Plan): string | null {
  if (items.length === 0) return null;
  const kinds = Map.groupBy(items, ({ kind }) => kind);
  return `${[...kinds.keys()].join('+')}: ${[...kinds.values()].map(([first]) => first?.detail ?? '').join('; ')}`;
}

function questionsOf({ items, groups }: Plan): Observed['questions'] {
  return items.map(({ options }) =>
    options
      .filter(({ id }) => id !== 'stop')
      .map(({ groupId }) => groups.find(({ id }) => id === groupId)?.edits.map(toResult) ?? []),
  );
}

function toResult({ path, line, col, oldText, newText }: Edit): ResultEdit {
  return { path, line, col, len: oldText.length, text: newText };
}

function toResultOf(at: Pick<ResultEdit, 'path' | 'line' | 'col'>, { start, end, newText }: CompilerEdit): ResultEdit {
  return { ...at, len: end - start, text: newText };
}

function placeIn({ files }: RenameCase, { path, start }: CodeSpan): Pick<ResultEdit, 'path' | 'line' | 'col'> {
  const before = (files.find((file) => file.path === path)?.text ?? '').slice(0, start);
  const lines = before.split(/\r\n|\n|\r/);
  return { path, line: lines.length, col: (lines.at(-1) ?? '').length + 1 };
}
