/**
 * One rename of a fuzz run, there and back. Whatever is applied must leave every name with its meaning for another compiler, the same
 * errors, no byte changed outside the plan's spans, and a way back to the same bytes. What is refused or asked is held against what that
 * other compiler would have done.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../../src/mutate/plans/plan.ts';
import { compareNames, groupEdits, spliceText } from './compare-names.ts';
import { compareSaid, compileTree, type Said } from './compile.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { Oracle, OracleEdit } from './oracle.ts';
import type { Picked } from './pick-symbols.ts';
import { listChanged, type Snapshot, snapshotTree } from './snapshot-tree.ts';

export type Tried = {
  readonly picked: Picked;
  /** `applied`, or what else was answered. */
  readonly outcome: string;
  readonly reason: string;
  readonly edits: readonly OracleEdit[];
  readonly forms: readonly string[];
  /** How it was taken back: by the rename the other way, or by undo. */
  readonly back: string;
  /** What must not be. */
  readonly failures: readonly string[];
  /** What another compiler would have done otherwise: for a reader. */
  readonly remarks: readonly string[];
  readonly ms: number;
};

export type Trial = {
  readonly root: string;
  readonly world: FuzzWorld;
  readonly oracle: Oracle;
  readonly original: Snapshot;
  /** What `tsc` says of the tree as it was; undefined: it is not asked of every rename. */
  readonly said: readonly Said[] | undefined;
};

/** Files that are compared by name, besides those with edits. */
const maxOthers = 60;

const sameLength = new Set(['plain', 'string', 'jsdoc']);

export async function tryRename(trial: Trial, picked: Picked, renamesBack: boolean): Promise<Tried> {
  const started = performance.now();
  const { world, oracle } = trial;
  const outcome = await world.rename(picked, true, 'first');
  const applied = outcome.kind === 'ok' && outcome.state === 'applied' ? world.plan(outcome.plan.id) : undefined;
  const ms = Math.round(performance.now() - started);
  const tried = { picked, outcome: applied === undefined ? outcome.kind : 'applied', ms, back: '' };
  if (applied === undefined) {
    const changed = listChanged(trial.original, snapshotTree(trial.root));
    const failures = changed.map((path) => `nothing was applied, and ${path} changed`);
    const reason = 'reason' in outcome ? `${outcome.reason}: ${outcome.detail}` : '';
    const plan = 'plan' in outcome && outcome.plan !== null ? world.plan(outcome.plan.id) : undefined;
    const asked = plan?.items.map((item) => `${item.kind} ${item.path}:${item.line}:${item.col} ${item.detail}`) ?? [];
    return {
      ...tried,
      reason: reason === '' ? asked.join(' · ') : reason,
      edits: [],
      forms: [],
      failures: [...failures, ...(outcome.kind === 'ok' ? ['a proven plan was not applied'] : [])],
      remarks: judgeRefusal(oracle, picked),
    };
  }
  const edits = editsOf(oracle, applied);
  const forms = [...new Set(applied.groups.flatMap((group) => group.edits.map(({ form }) => form)))];
  const failures = [...checkApplied(trial, picked, edits)];
  const taken = await takeBack(trial, picked, applied, edits, renamesBack && forms.every((one) => sameLength.has(one)));
  failures.push(...taken.failures);
  return {
    ...tried,
    reason: '',
    edits,
    forms,
    back: taken.back,
    failures,
    remarks: compareWithOracle(oracle, picked, edits),
  };
}

function editsOf(oracle: Oracle, plan: Plan): readonly OracleEdit[] {
  return plan.groups.flatMap((group) =>
    group.edits.map(({ path, line, col, oldText, newText }) => {
      const start = oracle.tree(path)?.getPositionOfLineAndCharacter(line - 1, col - 1) ?? 0;
      return { path, start, end: start + oldText.length, text: newText };
    }),
  );
}

function checkApplied(trial: Trial, { oldName, newName }: Picked, edits: readonly OracleEdit[]): readonly string[] {
  const { root, oracle, original, world } = trial;
  const byPath = groupEdits(edits);
  const failures: string[] = [];
  const changed = listChanged(original, snapshotTree(root));
  for (const path of changed) if (!byPath.has(path)) failures.push(`${path} changed and was not planned`);
  for (const [path, ones] of byPath) {
    const now = readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');
    if (now !== spliceText(oracle.text(path), ones)) failures.push(`${path} is not what was planned`);
  }
  for (const left of world.leftovers()) failures.push(`journal ${left} was left`);
  for (const { path, text, before, after, start } of compareNames(
    oracle,
    edits,
    filesToCompare(oracle, edits, [oldName, newName]),
  ))
    failures.push(`binding of ${text} at ${path}:${start}: ${before} → ${after}`);
  if (trial.said !== undefined)
    failures.push(...compareSaid(trial.said, compileTree(root), edits, [oldName, newName]).map((one) => `tsc ${one}`));
  return failures;
}

function filesToCompare(oracle: Oracle, edits: readonly OracleEdit[], names: readonly string[]): readonly string[] {
  const edited = new Set(edits.map(({ path }) => path));
  const others = oracle.files.filter((path) => {
    if (edited.has(path)) return false;
    const text = oracle.text(path);
    return names.some((name) => text.includes(name));
  });
  return [...edited, ...others.slice(0, maxOthers)];
}

async function takeBack(
  trial: Trial,
  picked: Picked,
  plan: Plan,
  edits: readonly OracleEdit[],
  renames: boolean,
): Promise<{ readonly back: string; readonly failures: readonly string[] }> {
  const { world, root, original, oracle } = trial;
  const failures: string[] = [];
  let back = '';
  if (renames) {
    const at = placeAfter(oracle, picked, edits);
    const outcome = await world.rename({ ...picked, ...at, newName: picked.oldName }, true, 'fresh');
    if (outcome.kind === 'ok' && outcome.state === 'applied') back = 'renamed back';
    else {
      const detail = 'reason' in outcome ? `${outcome.reason}: ${outcome.detail}` : askedOf(world, outcome);
      back = `not renamed back: ${outcome.kind} ${detail}`;
      if (picked.isFresh) failures.push(back);
    }
  }
  if (back !== 'renamed back') {
    const undone = await world.undo(plan.id);
    if (undone.kind !== 'ok') failures.push(`not undone: ${JSON.stringify(undone).slice(0, 300)}`);
    back = back === '' ? 'undone' : back;
  }
  for (const path of listChanged(original, snapshotTree(root))) failures.push(`${path} is not as it was (${back})`);
  for (const left of world.leftovers()) failures.push(`journal ${left} was left after ${back}`);
  return { back, failures };
}

function askedOf(world: FuzzWorld, outcome: { readonly plan?: { readonly id: string } | null }): string {
  const plan = outcome.plan == null ? undefined : world.plan(outcome.plan.id);
  return plan?.items.map(({ kind, path, line, detail }) => `${kind} ${path}:${line} ${detail}`).join(' · ') ?? '';
}

/** Where the name that was pointed at stands now. */
function placeAfter(
  oracle: Oracle,
  { path, start }: Picked,
  edits: readonly OracleEdit[],
): { line: number; col: number } {
  const before = edits.filter((edit) => edit.path === path && edit.start < start);
  const now = spliceText(oracle.text(path).slice(0, start), before);
  const lines = now.split('\n');
  return { line: lines.length, col: (lines.at(-1) ?? '').length + 1 };
}

/** Places only. Texts follow policies that differ on purpose. */
function compareWithOracle(oracle: Oracle, picked: Picked, edits: readonly OracleEdit[]): readonly string[] {
  const golden = oracle.rename(picked, picked.newName, picked.aliasPolicy === 'keep_local');
  if (golden === undefined) return ['the language service would not rename it'];
  const key = ({ path, start }: OracleEdit) => `${path}:${start}`;
  const theirs = new Set(golden.map(key));
  const ours = new Set(edits.map(key));
  const extra = [...ours].filter((one) => !theirs.has(one));
  const missing = [...theirs].filter((one) => !ours.has(one));
  return [
    ...extra.slice(0, 5).map((one) => `only here: ${one}`),
    ...missing.slice(0, 5).map((one) => `only there: ${one}`),
  ];
}

/** Would the language service's own edits have kept every name's meaning and every error? Then a refusal was needless for it. */
function judgeRefusal(oracle: Oracle, picked: Picked): readonly string[] {
  const golden = oracle.rename(picked, picked.newName, picked.aliasPolicy === 'keep_local');
  if (golden === undefined) return ['the language service would not rename it'];
  if (golden.some(({ path }) => path.startsWith('/'))) return ['the language service would edit what is installed'];
  const paths = filesToCompare(oracle, golden, [picked.oldName, picked.newName]);
  const [moved] = compareNames(oracle, golden, paths);
  if (moved !== undefined)
    return [`its edits would move ${moved.text} at ${moved.path}:${moved.start}: ${moved.before} → ${moved.after}`];
  const byPath = groupEdits(golden);
  const before = oracle.errors([...byPath.keys()]).length;
  oracle.show(new Map([...byPath].map(([path, ones]) => [path, spliceText(oracle.text(path), ones)])));
  const after = oracle.errors([...byPath.keys()]).length;
  oracle.show(new Map());
  return [before === after ? `its ${golden.length} edits would keep every meaning` : 'its edits would make errors'];
}
