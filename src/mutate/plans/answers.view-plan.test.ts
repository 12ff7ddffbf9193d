import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { blockedReasons, refusedReasons, unsupportedReasons } from '../vocabulary.ts';
import { blockedAnswer, plannedAnswer, refusedAnswer, unsupportedAnswer, viewPlan } from './answers.ts';
import { answerBytes, fitAnswer } from './fit-answer.ts';
import { showPlan } from './show-plan.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function open(files: Readonly<Record<string, string>>): Promise<PlanWorld> {
  rig = await openPlanWorld(files);
  return rig;
}

const names = Array.from({ length: 100 }, (_, n) => `src/file-${n}.py`);
const wide = Object.fromEntries(names.map((name) => [name, 'old = 1\n'.repeat(50)]));

test('M19 one symbol proven everywhere is one group, however many files and scopes it touches', async () => {
  const it = await open(wide);
  const made = it.plan({ from: 'old', to: 'fresh', main: names });
  expect(made.groups).toHaveLength(1);
  expect(made.groups[0]?.edits).toHaveLength(5_000);
  const [group] = viewPlan(made).groups;
  expect([group?.edits.length, group?.more]).toEqual([20, 4_980]);
  const { outcome } = await it.commit(made);
  expect(outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(it.read('src/file-99.py')).toBe('fresh = 1\n'.repeat(50));
});

describe('M21 no answer exceeds its bounds', () => {
  const asking: DraftSpec = { from: 'old', to: 'fresh', main: ['src/file-0.py'], provenance: 'resolved' };

  test('a plan with thousands of edits, and one with thousands of questions', async () => {
    const it = await open(wide);
    const planned = plannedAnswer(it.plan({ from: 'old', to: 'fresh', main: names }));
    const asked = await showPlan(it.world, it.plan(asking).id);
    for (const answer of [planned, asked]) {
      const fitted = fitAnswer(answer);
      expect(fitted.truncated).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(fitted.answer))).toBeLessThanOrEqual(answerBytes);
      expect(fitted.answer.outcome).toMatchObject({ kind: answer.outcome.kind, plan: { id: expect.any(String) } });
      expect(JSON.stringify(fitted.answer)).toContain('not shown');
    }
    expect(fitAnswer(asked).answer.outcome).toMatchObject({ witness: { bounds: { truncated: true } } });
  });

  test('files that are changed whatever is answered come first, and who else is left out is said', async () => {
    const it = await open(wide);
    const bounds = { edits: 1, items: 5, files: 2, groups: 5 };
    const main = ['src/file-98.py', 'src/file-99.py'];
    const asked = viewPlan(it.plan({ from: 'old', to: 'fresh', main, ask: 'string_reference' }), bounds);
    expect(asked.files.map(({ path }) => path)).toEqual(main);
    expect(asked.notes).toContain('98 more files, which only answers to questions would edit, are not shown');
    const planned = viewPlan(it.plan({ from: 'old', to: 'fresh', main: names }), bounds);
    expect(planned.notes).toContain('98 more files are not shown');
  });

  test('what fits is left as it is', async () => {
    const it = await open({ 'a.py': 'old = 1\n' });
    const answer = plannedAnswer(it.plan({ from: 'old', to: 'fresh', main: ['a.py'] }));
    expect(fitAnswer(answer)).toEqual({ answer, truncated: false });
  });
});

test('every reason says what to do next, a plan the command that commits it', async () => {
  for (const reason of refusedReasons) expect(refusedAnswer(reason, 'why').next).toMatch(/^[A-Z].{8,}[.]$/);
  for (const reason of blockedReasons) {
    expect(blockedAnswer(reason, 'why', { plan_id: 'p' }).next).toMatch(/[.]$/);
    expect(blockedAnswer(reason, 'why').next).toMatch(/[.]$/);
  }
  for (const reason of unsupportedReasons)
    expect(unsupportedAnswer(reason, 'why', { can_force_syntactic: true }).next).toContain('force_syntactic');
  const it = await open({ 'a.py': 'old = 1\n', 'b.txt': 'old\n' });
  const proven = it.plan({ from: 'old', to: 'fresh', main: ['a.py', 'b.txt'] });
  expect(plannedAnswer(proven).next).toContain(`run \`codegenie plan commit ${proven.id}\`.`);
  const resolved = it.plan({ from: 'old', to: 'fresh', main: ['a.py', 'b.txt'], provenance: 'resolved' });
  expect(plannedAnswer(resolved).next).toContain(
    `run \`codegenie plan commit ${resolved.id} 'definition=<the line at a.py:1:1>'\`.`,
  );
});

test('secret-shaped text in anchors is kept as its keyed hash; the caller may send the text of the file or what is shown', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const line = `key = "${secret}"; old = 1`;
  const it = await open({ 'a.py': `${line}\n` });
  const made = it.plan({ from: 'old', to: 'fresh', main: ['a.py'], provenance: 'resolved' });
  const [edit] = made.groups[0]?.edits ?? [];
  expect(edit?.anchor.before).toHaveLength(16);
  expect(secret).not.toContain(edit?.anchor.before.slice(0, 8));
  expect(edit?.anchor.before.endsWith('"; ')).toBe(true);
  for (const name of readdirSync(`${it.tree.stateDir}/state`)) {
    const bytes = readFileSync(`${it.tree.stateDir}/state/${name}`);
    expect(bytes.includes(secret.slice(-13))).toBe(false);
  }
  const shown = edit?.anchor;
  // The line of a definition that is not proven is for its reader to quote.
  expect(viewPlan(made).groups[0]?.edits[0]?.anchor).toMatchObject({
    before: '',
    text: 'old',
    after: '',
    line_hash: '',
  });
  const place = { file: 'a.py', line: 1, col: edit?.col ?? 0 };
  const fromView = {
    identity: 'old',
    lines: [],
    anchors: [{ ...place, before: shown?.before ?? '', text: 'old', after: ' = 1' }],
  };
  const wrong = { ...fromView, anchors: [{ ...place, before: 'guess', text: 'old', after: ' = 1' }] };
  expect((await it.commit(made, { proof: wrong })).outcome).toMatchObject({ reason: 'proof_mismatch' });
  expect((await it.commit(made, { proof: fromView })).outcome).toMatchObject({ state: 'applied' });
  expect(it.read('a.py')).toBe(`key = "${secret}"; fresh = 1\n`);
});
