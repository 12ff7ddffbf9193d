/**
 * A process that changes files and can be stopped anywhere: `apply-child.ts <what> <root> <data dir> <size> <n> <signal>`.
 *   commit, undo, recover, resolve-undo, resolve-commit; rollback is a commit that meets an edit at its second file
 * At its n-th step it sends itself the signal. If it gets to the end it prints how it ended and how many steps there were.
 */

import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { resolveConflict } from '../../src/mutate/apply/recover.ts';
import { connect, openPlans, rigPlan } from './apply-rig.ts';
import { changesOf, isSize } from './apply-worlds.ts';

const [what = '', root = '', stateDir = '', size = '', n = '0', signal = 'SIGKILL'] = process.argv.slice(2);
const lock = await takeWriterLock({ stateDir, waitMs: 60_000, signal: new AbortController().signal });
if (lock.kind !== 'taken' || !isSize(size)) throw new Error(lock.kind);
const plans = openPlans(stateDir);
const rig = connect(root, stateDir, plans);
let steps = 0;
const hooks = {
  at(step: string) {
    steps += 1;
    if (what === 'rollback' && step === 'before K7 src/f01.ts') rig.write('src/f01.ts', 'mine, not yours\n');
    if (steps === Number(n) || step === n) process.kill(process.pid, signal as NodeJS.Signals);
  },
  pause: () => {},
};

function act(): unknown {
  if (what === 'undo') return rig.undo(hooks);
  if (what === 'recover') return rig.recover(hooks);
  if (what === 'commit' || what === 'rollback') {
    // As every commit does it: what was left is settled first, and only an open plan goes on.
    rig.recover();
    return rig.status() === 'open'
      ? rig.commit(changesOf(size as never), { hooks })
      : { kind: 'refused', reason: 'plan_used' };
  }
  const by = what === 'resolve-undo' ? 'undo' : 'commit';
  return resolveConflict({
    root,
    stateDir,
    home: rig.home,
    plans,
    nowMs: () => 1_700_000_000_000,
    hooks,
    planId: rigPlan,
    by,
  });
}

const outcome = act();
plans.close();
lock.release();
process.stdout.write(`${JSON.stringify({ outcome, steps })}\n`);
