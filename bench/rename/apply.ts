/** A plan made real: 200 files exchanged with every flush that the journal asks for, the whole commit around it, and its undo. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blake3Hex } from '../../src/kernel/base/hash.ts';
import { applyChanges, finishApply } from '../../src/mutate/apply/apply-changes.ts';
import { planChange, replanWith } from '../../src/mutate/plan-change.ts';
import { commitPlan } from '../../src/mutate/plans/commit.ts';
import type { FileChange } from '../../src/mutate/plans/plan.ts';
import { findMainGroup } from '../../src/mutate/plans/selection.ts';
import { undoPlan } from '../../src/mutate/plans/undo-plan.ts';
import { createTable, median, ms, time } from '../figures.ts';
import { listSources } from '../semantic/projects.ts';
import type { RenameSubject } from './make-project.ts';
import { openWorlds, type Worlds } from './open-world.ts';

const rounds = 7;

export async function benchApply(subject: RenameSubject, pairs: number): Promise<void> {
  const { root } = subject;
  const patch = join(root, '..', `${subject.name}.patch`);
  const count = writePatch(subject, patch);
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  const [patched, applied]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    patched.push(await time(() => git('apply', patch)));
    git('checkout', '-q', '.');
    const changes = listChanges(subject);
    applied.push(await time(() => applyAlone(root, changes, round)));
    git('checkout', '-q', '.');
  }
  const worlds = await openWorlds(root);
  try {
    const { committed, undone } = await commitAndUndo(subject, worlds, pairs);
    const table = createTable(`${subject.name}: ${count} files written, ${rounds} rounds; commit and undo ${pairs}`);
    const peer = `git apply, without flushing ${ms(patched)}`;
    const ratio = median(applied) / median(patched);
    const exchange = { measure: 'files exchanged, K1 to K13, every flush', ours: ms(applied), peer, ratio };
    table.add({ ...exchange, target: { says: '≤ 500 ms of 200 files', value: median(applied), most: 500 } });
    table.add({ ...exchange, target: { says: '≤ 5 × git apply', value: ratio, most: 5 } });
    table.add({
      measure: 'commit as a whole: checks, files, ledger, facts',
      ours: ms(committed),
      peer,
      ratio: median(committed) / median(patched),
    });
    table.add({ measure: 'undo as a whole', ours: ms(undone), peer, ratio: median(undone) / median(patched) });
  } finally {
    await worlds.close();
  }
}

/** What the rename comes to, written by hand: every whole word. */
function renameText(text: string, { oldName, newName }: RenameSubject): string {
  return text.replaceAll(new RegExp(`\\b${oldName}\\b`, 'g'), newName);
}

function listChanges(subject: RenameSubject): readonly FileChange[] {
  return listSources(subject.root).flatMap((path): FileChange[] => {
    const bytes = readFileSync(join(subject.root, path));
    const text = bytes.toString('utf8');
    const renamed = renameText(text, subject);
    if (renamed === text) return [];
    return [{ kind: 'replace', path, oldHash: blake3Hex(bytes), newBytes: Buffer.from(renamed) }];
  });
}

function writePatch(subject: RenameSubject, patch: string): number {
  const { root } = subject;
  const changes = listChanges(subject);
  for (const change of changes) {
    if (change.kind !== 'remove') writeFileSync(join(root, change.path), change.newBytes);
  }
  writeFileSync(patch, execFileSync('git', ['-C', root, 'diff', '--no-color'], { maxBuffer: 1 << 28 }));
  execFileSync('git', ['-C', root, 'checkout', '-q', '.']);
  return changes.length;
}

function applyAlone(root: string, changes: readonly FileChange[], round: number): void {
  const stateDir = join(root, '.codegenie');
  const planId = `p-bench-${round}`;
  const random = () => round.toString(16).padStart(16, '0');
  const outcome = applyChanges({ root, stateDir, planId, changes, onReady: () => true, nowMs: Date.now, random });
  if (outcome.kind !== 'applied') throw new Error(JSON.stringify(outcome));
  finishApply({ root, stateDir, planId });
}

async function commitAndUndo(
  { path, line, col, newName }: RenameSubject,
  worlds: Worlds,
  pairs: number,
): Promise<{ readonly committed: readonly number[]; readonly undone: readonly number[] }> {
  const [committed, undone]: [number[], number[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    const world = await worlds.open();
    const target = `${path}:${line}:${col}`;
    const answer = await planChange(world, 'rename', {
      ...{ target, new_name: newName, mode: 'semantic', public_names: 'rename' },
      ...{ alias_policy: 'through', wait_ms: 10_000, apply: false },
    });
    const id = 'plan' in answer.outcome ? answer.outcome.plan?.id : undefined;
    const plan = id === undefined ? undefined : world.plans.find(id);
    if (plan === undefined) throw new Error(JSON.stringify(answer.outcome));
    const request = {
      plan_id: plan.id,
      plan_hash: plan.hash,
      root_hash: plan.rootHash,
      selections: [findMainGroup(plan)?.id ?? ''],
      proof: { identity: plan.symbol.key, lines: [], anchors: [] },
    };
    committed.push(
      await time(async () => {
        const { outcome } = await commitPlan(world, request, replanWith(world));
        if (outcome.kind !== 'ok' || outcome.state !== 'applied') throw new Error(JSON.stringify(outcome));
      }),
    );
    const after = await worlds.open();
    undone.push(
      await time(async () => {
        const { outcome } = await undoPlan(after, { plan_id: plan.id });
        if (outcome.kind !== 'ok' || outcome.state !== 'undone') throw new Error(JSON.stringify(outcome));
      }),
    );
  }
  return { committed, undone };
}
