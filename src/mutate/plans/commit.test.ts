import { afterEach, describe, expect, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import type { Answer, Outcome } from '../answer.ts';
import { commitPlan } from './commit.ts';
import { candidateId } from './ids.ts';
import type { Plan } from './plan.ts';
import { cancelPlan, keepPlan } from './plan-life.ts';
import { openPlanStore } from './plan-store.ts';
import { readSelection } from './selection.ts';
import { showPlan } from './show-plan.ts';
import { undoPlan } from './undo-plan.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const files = {
  'src/a.py': 'old = 1\nprint(old)\n',
  'src/b.py': 'from a import old\nold\n',
  'src/c.txt': 'the old word\n',
};
const proven: DraftSpec = { from: 'old', to: 'fresh', main: ['src/a.py', 'src/b.py', 'src/c.txt'] };
const asking: DraftSpec = { ...proven, main: ['src/a.py', 'src/b.py'], provenance: 'resolved' };
const resolved: DraftSpec = { ...proven, provenance: 'resolved' };

async function open(given: Readonly<Record<string, string>> = files): Promise<PlanWorld> {
  rig = await openPlanWorld(given);
  return rig;
}

function said({ outcome }: Answer): string {
  if (outcome.kind === 'blocked' || outcome.kind === 'refused') return `${outcome.kind} ${outcome.reason}`;
  return outcome.kind === 'ok' || outcome.kind === 'ok_syntactic' ? `${outcome.kind} ${outcome.state}` : outcome.kind;
}

function planOf(outcome: Outcome) {
  if (!('plan' in outcome) || outcome.plan === null) throw new Error(`no plan in ${outcome.kind}`);
  return outcome.plan;
}

/** A compiler that keeps what it is asked, and says no. */
function disproving(asked: unknown[]) {
  const report = { kind: 'disproved', reason: 'bindings_change', places: [], more: 3 } as const;
  return async () => ({
    kind: 'open' as const,
    ask: async (question: unknown) => {
      asked.push(question);
      return report as never;
    },
    close: async () => {},
  });
}

function isUntouched({ read }: PlanWorld, given: Readonly<Record<string, string>> = files): boolean {
  return Object.entries(given).every(([path, text]) => read(path) === text);
}

describe('a commit', () => {
  test('M26 a proven plan needs its hash and its main group; the files change and the plan is used', async () => {
    const { plan, commit, read, world } = await open();
    const made = plan(proven);
    const answer = await commit(made);
    expect(said(answer)).toBe('ok applied');
    expect(read('src/a.py')).toBe('fresh = 1\nprint(fresh)\n');
    expect(read('src/c.txt')).toBe('the fresh word\n');
    expect(world.plans.find(made.id)).toMatchObject({ status: 'committed', committedMs: world.nowMs() });
    expect(answer.outcome).toMatchObject({ result: { undo: `codegenie plan undo ${made.id}` } });
  });

  test('M26 a plan with questions commits when each recorded item has one chosen option and the proof holds', async () => {
    const { plan, commit, read, select, world } = await open();
    const left = plan(asking);
    expect(said(await commit(left, { selections: select(left, { unaccounted_token: 'leave' }) }))).toBe('ok applied');
    expect([read('src/b.py'), read('src/c.txt')]).toEqual(['from a import fresh\nfresh\n', 'the old word\n']);
    expect(world.plans.find(left.id)?.items.map(({ chosen }) => chosen)).toEqual(['leave']);
  });

  test('M26 one word may choose for all questions of a kind', async () => {
    const { plan, commit, read, select } = await open();
    const made = plan(asking);
    const [main = ''] = select(made);
    expect(said(await commit(made, { selections: [main, 'unaccounted_token=leave'] }))).toBe('ok applied');
    expect([read('src/a.py'), read('src/c.txt')]).toEqual(['fresh = 1\nprint(fresh)\n', 'the old word\n']);
  });

  test('M28 a file that changed is shown at the first place that was planned in it', async () => {
    const it = await open({ ...files, 'src/d.py': 'x = 1\nold\n' });
    const made = it.plan({ ...proven, main: [...proven.main, 'src/d.py'] });
    const request = it.request(made);
    it.tree.write('src/d.py', 'x = 2\nold\n');
    const { outcome } = await commitPlan(it.world, request, it.replan);
    const current = [{ path: 'src/d.py', line: 2, text: 'old' }];
    expect(outcome).toMatchObject({ kind: 'blocked', reason: 'files_changed', current });
  });

  test('M26 an option with edits may be selected by its candidate or by its group', async () => {
    const { plan, commit, read, select } = await open();
    const made = plan(asking);
    const [main = ''] = select(made);
    const group = made.items[0]?.options[0]?.groupId ?? '';
    expect(said(await commit(made, { selections: [main, group] }))).toBe('ok applied');
    expect(read('src/c.txt')).toBe('the fresh word\n');
  });

  test('M26 a question about a file that could not be read needs a choice, and nothing can be quoted from it', async () => {
    const it = await open({ ...files, 'd.dat': 'old' });
    const draft = it.draft({ ...asking, ask: 'unreadable_file' });
    const anchor = { before: '', text: '', after: '', lineHash: '', ordinal: 0 };
    const items = draft.items.map((item) => ({ ...item, path: 'd.dat', line: 1, col: 1, text: '', anchor }));
    const made = keepPlan(it.world, { ...draft, items });
    expect(said(await it.commit(made, { selections: it.select(made).slice(0, 1) }))).toBe('refused selection_invalid');
    expect(said(await it.commit(made, { selections: it.select(made, { unreadable_file: 'leave' }) }))).toBe(
      'ok applied',
    );
  });

  test('E6 byte order mark, line ends and characters of any width stay where they are', async () => {
    const text = '\ufeff# 😀 old\r\nold = "é😀" + old\r\n\told';
    const it = await open({ 'a.py': text });
    const made = it.plan({ from: 'old', to: 'neuer', main: ['a.py'], provenance: 'resolved' });
    const [first] = made.groups[0]?.edits ?? [];
    const { anchor } = first ?? {};
    const proof = {
      identity: 'old',
      lines: [],
      anchors: [{ file: 'a.py', line: 1, col: 6, before: anchor?.before ?? '', text: 'old', after: '' }],
    };
    expect(anchor).toMatchObject({ before: '# 😀 ', after: '' });
    expect(said(await it.commit(made, { proof }))).toBe('ok applied');
    expect(it.read('a.py')).toBe(text.replaceAll('old', 'neuer'));
  });

  test('E9 after a commit the index has seen the new files', async () => {
    const { plan, commit, world } = await open();
    await commit(plan(proven));
    const outcome = await world.session.reconcile('all');
    expect(outcome).toMatchObject({ written: 0 });
  });
});

describe('M25 a plan that is over is refused by name and writes nothing', () => {
  test('one that is not there, one of another hash', async () => {
    const it = await open();
    const made = it.plan(proven);
    expect(said(await it.commit(made, { plan_id: 'p-none' }))).toBe('refused plan_not_found');
    expect(said(await it.commit(made, { plan_hash: 'other' }))).toBe('refused plan_mismatch');
    expect(isUntouched(it)).toBe(true);
  });

  test('one that was cancelled, by its owner or by an option that stops', async () => {
    const it = await open();
    const made = it.plan(proven);
    expect(said(await cancelPlan(it.world, made.id))).toBe('ok planned');
    expect(said(await it.commit(made))).toBe('refused plan_cancelled');
    const asked = it.plan({ ...asking, ask: 'unreadable_file' });
    const selections = it.select(asked, { unreadable_file: 'stop' });
    expect(said(await it.commit(asked, { selections }))).toBe('refused plan_cancelled');
    expect(it.world.plans.find(asked.id)?.status).toBe('cancelled');
    expect(isUntouched(it)).toBe(true);
  });

  test('one that was committed, or undone', async () => {
    const it = await open();
    const made = it.plan(proven);
    const request = it.request(made);
    await it.commit(made);
    expect(said(await commitPlan(it.world, request, it.replan))).toBe('refused plan_used');
    expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('ok undone');
    expect(isUntouched(it)).toBe(true);
    expect(said(await commitPlan(it.world, request, it.replan))).toBe('refused plan_used');
    expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('refused plan_used');
    expect(isUntouched(it)).toBe(true);
  });

  test('one that is still being proved is a matter of time', async () => {
    const it = await open();
    const made = keepPlan(it.world, it.draft(proven), 'proving');
    const longProofs = { waitMs: 0, detach: () => {}, isRunning: () => true, earlier: () => undefined };
    const commit = () => commitPlan({ ...it.world, longProofs }, it.request(made), it.replan);
    expect(said(await commit())).toBe('blocked proof_running');
    it.world.plans.setStatus(made.id, ['proving'], 'open');
    expect(said(await commit())).toBe('ok applied');
  });

  test('a plan whose proof has ended unheard is given up', async () => {
    const it = await open();
    const made = keepPlan(it.world, it.draft(proven), 'proving');
    expect(said(await it.commit(made))).toBe('refused plan_cancelled');
    expect(isUntouched(it)).toBe(true);
  });
});

test('M24 a plan made in one worktree cannot change another', async () => {
  const it = await open();
  const made = it.plan(proven);
  const elsewhere = { ...it.world, worktree: '/elsewhere' };
  expect(said(await commitPlan(elsewhere, it.request(made), it.replan))).toBe('refused wrong_worktree');
  const otherRoot = { ...it.world, rootHash: 'another' };
  expect(said(await commitPlan(otherRoot, it.request(made), it.replan))).toBe('refused wrong_worktree');
  const { rootHash, worktree } = it.world;
  expect((await it.commit(made, { root_hash: 'another' })).outcome).toMatchObject({
    kind: 'refused',
    reason: 'wrong_worktree',
    detail: `root_hash: another was given; that of ${worktree} is ${rootHash}`,
  });
  expect(said(await showPlan(elsewhere, made.id))).toBe('refused wrong_worktree');
  expect(said(await cancelPlan(elsewhere, made.id))).toBe('refused wrong_worktree');
  expect(said(await undoPlan(elsewhere, { plan_id: made.id }))).toBe('refused wrong_worktree');
  expect(isUntouched(it)).toBe(true);
  expect(said(await it.commit(made))).toBe('ok applied');
});

describe('selections: the main group and exactly one option of every item', () => {
  const wrong: readonly (readonly [string, (plan: Plan, selected: readonly string[]) => readonly string[]])[] = [
    ['nothing', () => []],
    ['no main group', (_, [, ...rest]) => rest],
    ['no option', (_, [main = '']) => [main]],
    ['an unknown id', (_, selected) => [...selected, 'g-unknown']],
    ['the same twice', (_, selected) => [...selected, selected[1] ?? '']],
    [
      'two options of one item',
      ({ items: [item] }, [main = '']) => [
        main,
        ...['rename', 'leave'].map((option) => candidateId(item?.id ?? '', option)),
      ],
    ],
    ['a candidate and its group', ({ items: [item] }, selected) => [...selected, item?.options[0]?.groupId ?? '']],
    ['an option that is none', ({ items: [item] }, [main = '']) => [main, candidateId(item?.id ?? '', 'other')]],
  ];
  test.each(wrong)('%s is selection_invalid', async (_, change) => {
    const it = await open();
    const made = it.plan(asking);
    const selected = it.select(made);
    expect(said(await it.commit(made, { selections: change(made, selected) }))).toBe('refused selection_invalid');
    expect(isUntouched(it)).toBe(true);
    expect(it.world.plans.find(made.id)?.status).toBe('open');
  });

  test('E7 two groups that edit one place differently overlap', async () => {
    const it = await open();
    const draft = it.draft(asking);
    const [main, option] = draft.groups;
    const [edit] = main?.edits ?? [];
    if (main === undefined || option === undefined || edit === undefined) throw new Error('two groups');
    const clashing = { ...draft, groups: [main, { ...option, edits: [{ ...edit, newText: 'other' }] }] };
    expect((await it.commit(keepPlan(it.world, clashing))).outcome).toMatchObject({
      kind: 'refused',
      reason: 'overlap',
      detail: 'two selected edits meet at src/a.py:1:1',
    });
    const equal = { ...draft, groups: [main, { ...option, edits: [edit] }] };
    expect(readSelection(keepPlan(it.world, equal), []).problems).not.toEqual([]);
    expect(isUntouched(it)).toBe(true);
  });
});

describe('M43 a commit in few words', () => {
  const risky: DraftSpec = { ...proven, main: ['src/a.py', 'src/b.py'], ask: 'dynamic_access' };
  const short = (it: PlanWorld, { id }: Plan, answers?: Readonly<Record<string, string>>) =>
    commitPlan(it.world, { plan_id: id, ...(answers === undefined ? {} : { answers }) }, it.replan);

  test('a proven plan without questions needs its id alone', async () => {
    const it = await open();
    const made = it.plan(proven);
    expect(said(await short(it, made))).toBe('ok applied');
    expect(it.read('src/c.txt')).toBe('the fresh word\n');
    // M22: a replay is refused.
    expect(said(await short(it, made))).toBe('refused plan_used');
  });

  test.each([
    ['by number', { '1': 'leave' }],
    ['in capitals, with white space', { ' 1 ': ' Leave ' }],
    ['by kind', { unaccounted_token: 'leave' }],
    ['by number before kind', { unaccounted_token: 'rename', '1': 'leave' }],
  ])('a question is answered %s, and the main group is meant', async (_, answers) => {
    const it = await open();
    expect(said(await short(it, it.plan({ ...asking, provenance: 'proven' }), answers))).toBe('ok applied');
    expect([it.read('src/b.py'), it.read('src/c.txt')]).toEqual(['from a import fresh\nfresh\n', 'the old word\n']);
  });

  test('a question is answered by its id', async () => {
    const it = await open();
    const made = it.plan({ ...asking, provenance: 'proven' });
    expect(said(await short(it, made, { [made.items[0]?.id ?? '']: 'rename' }))).toBe('ok applied');
    expect(it.read('src/c.txt')).toBe('the fresh word\n');
  });

  test.each([
    ['nothing', {}, 'question 1 (unaccounted_token, src/c.txt:1:5) has no option selected'],
    [
      'another number',
      { '2': 'leave' },
      '2 is no question: the plan has 1 question, of these kinds: unaccounted_token',
    ],
    ['an option of another kind', { '1': 'accept' }, "has no option 'accept'; these are: rename, leave"],
    ['a mistyped option', { '1': 'leav' }, "has no option 'leav'; these are: rename, leave; did you mean leave?"],
    [
      'a mistyped kind',
      { unacounted_token: 'leave' },
      'of these kinds: unaccounted_token; did you mean unaccounted_token?',
    ],
    ['by number and by id', null, 'is answered by 1 and by i-'],
  ])('%s is no answer', async (_, given, says) => {
    const it = await open();
    const made = it.plan({ ...asking, provenance: 'proven' });
    const answers = given ?? { '1': 'leave', [made.items[0]?.id ?? '']: 'rename' };
    expect((await short(it, made, answers)).outcome).toMatchObject({
      kind: 'refused',
      reason: 'selection_invalid',
      detail: expect.stringContaining(says),
    });
    expect(isUntouched(it)).toBe(true);
  });

  test('an option that stops ends the plan', async () => {
    const it = await open();
    const made = it.plan(risky);
    expect(said(await short(it, made, { '1': 'stop' }))).toBe('refused plan_cancelled');
  });

  test('of high risk, the line that is not printed is quoted, white space aside', async () => {
    const it = await open();
    const made = it.plan(risky);
    const shown = await showPlan(it.world, made.id);
    expect(planOf(shown.outcome).to_quote).toEqual([{ key: '1', file: 'src/c.txt', line: 1, col: 5 }]);
    expect(shown.next).toContain('`1=<option>: <the line at src/c.txt:1:5>`');
    expect(JSON.stringify(shown)).not.toContain('old word');
    const refused = await short(it, made, { '1': 'accept' });
    expect(refused.outcome).toMatchObject({
      reason: 'proof_incomplete',
      detail: 'missing: the line at src/c.txt:1:5 for question 1',
    });
    for (const line of ['the old', 'the fresh word', 'theoldword', ''])
      expect(said(await short(it, made, { '1': `accept: ${line}` }))).toMatch(
        /^refused proof_(?:mismatch|incomplete)$/,
      );
    expect(isUntouched(it)).toBe(true);
    expect(said(await short(it, made, { '1': 'accept:  the\told  word ' }))).toBe('ok applied');
    expect(it.read('src/a.py')).toBe('fresh = 1\nprint(fresh)\n');
    expect(said(await short(it, made, { '1': 'accept: the old word' }))).toBe('refused plan_used');
  });

  test('a line that was quoted and has changed is refused, and so is one of before the plan', async () => {
    const it = await open();
    const made = it.plan(risky);
    it.tree.write('src/c.txt', 'the old words\n');
    const changed = await short(it, made, { '1': 'accept: the old word' });
    expect(['blocked files_changed', 'needs_decision']).toContain(said(changed));
    expect(said(await short(it, made, { '1': 'accept: the old words' }))).toBe(said(changed));
    await it.world.session.reconcile('all');
    const again = keepPlan(it.world, it.draft(risky, await it.world.sweep()));
    expect(said(await short(it, again, { '1': 'accept: the old word' }))).toBe('refused proof_mismatch');
    expect(it.read('src/a.py')).toBe(files['src/a.py']);
    expect(said(await short(it, again, { '1': 'accept: the old words' }))).toBe('ok applied');
  });

  test('a line that holds a secret is quoted as it stands, or as questions about code show it', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const line = `use("${secret}", old)`;
    for (const [quote, gives] of [
      [line, 'ok applied'],
      [line.replace(secret, '*'.repeat(secret.length)), 'ok applied'],
      [line.replace(secret, ''), 'refused proof_mismatch'],
    ] as const) {
      const it = await open({ ...files, 'src/c.txt': `${line}\n` });
      expect(said(await short(it, it.plan(risky), { '1': `accept: ${quote}` })), quote).toBe(gives);
      await it.close();
      rig = undefined;
    }
  });

  test('a plan that no compiler proved is quoted at its definition', async () => {
    const it = await open();
    const made = it.plan(resolved);
    expect(said(await short(it, made))).toBe('refused proof_incomplete');
    expect(said(await short(it, made, { definition: 'old = 2' }))).toBe('refused proof_mismatch');
    expect(isUntouched(it)).toBe(true);
    expect(said(await short(it, made, { definition: 'old = 1' }))).toBe('ok applied');
  });

  test('M33 of a forced plan what is selected beside the main group is shown to have been read, as ever', async () => {
    const it = await open();
    const made = it.plan({ ...asking, provenance: 'text', mode: 'force_syntactic' });
    const answers = {};
    const selections = made.groups.map(({ id }) => id);
    const both = await commitPlan(it.world, { plan_id: made.id, selections, answers }, it.replan);
    expect(said(both)).toBe('refused proof_incomplete');
    expect(isUntouched(it)).toBe(true);
    expect(said(await short(it, made))).toBe('ok_syntactic applied');
    expect(it.read('src/c.txt')).toBe('the old word\n');
  });

  test('a whole proof may stand beside answers', async () => {
    const it = await open();
    const made = it.plan({ ...risky, provenance: 'resolved' });
    const proof = it.proof(made, it.select(made, { dynamic_access: 'accept' }));
    const commit = (given: typeof proof) =>
      commitPlan(it.world, { plan_id: made.id, answers: { '1': 'accept' }, proof: given }, it.replan);
    expect(said(await commit({ ...proof, lines: [] }))).toBe('refused proof_incomplete');
    expect(said(await commit(proof))).toBe('ok applied');
  });

  test('M23 sent again with its request id it is one commit', async () => {
    const it = await open();
    const made = it.plan(risky);
    const request = { plan_id: made.id, answers: { '1': 'accept: the old word' }, request_id: 'c' };
    const first = await commitPlan(it.world, request, it.replan);
    expect(said(first)).toBe('ok applied');
    expect(await commitPlan(it.world, request, it.replan)).toEqual(first);
    const other = { ...request, answers: { '1': 'accept: the older word' } };
    expect(said(await commitPlan(it.world, other, it.replan))).toBe('refused plan_mismatch');
  });
});

describe('M27 an empty, partial, foreign or guessed proof never commits a plan that requires one', () => {
  type Change = (proof: ReturnType<PlanWorld['proof']>) => Partial<ReturnType<PlanWorld['proof']>>;
  const incomplete: readonly (readonly [string, Change])[] = [
    ['empty', () => ({ identity: '', lines: [], anchors: [] })],
    ['without identity', () => ({ identity: '' })],
    ['without one anchor', ({ anchors }) => ({ anchors: anchors.slice(1) })],
    ['without the line', () => ({ lines: [] })],
    ['a line that says nothing', ({ lines }) => ({ lines: lines.map(({ file, line }) => ({ file, line })) as never })],
    [
      'the right text at the wrong place',
      ({ anchors: [first, ...rest] }) => ({
        anchors: first === undefined ? [] : [{ ...first, col: first.col + 1 }, ...rest],
      }),
    ],
  ];
  test.each(incomplete)('%s: proof_incomplete', async (_, change) => {
    const it = await open();
    const made = it.plan(asking);
    const proof = it.proof(made, it.select(made));
    expect(said(await it.commit(made, { proof: { ...proof, ...change(proof) } }))).toBe('refused proof_incomplete');
    expect(isUntouched(it)).toBe(true);
    expect(said(await it.commit(made))).toBe('ok applied');
  });

  const wrong: readonly (readonly [string, Change])[] = [
    [
      'a foreign file',
      ({ anchors }) => ({
        anchors: [...anchors, { file: 'package.json', line: 1, col: 1, before: '', text: '{', after: '' }],
      }),
    ],
    [
      'an extra place that reads otherwise',
      ({ anchors }) => ({
        anchors: [...anchors, { file: 'src/a.py', line: 2, col: 1, before: '', text: 'guess', after: '' }],
      }),
    ],
    [
      'an extra place that is not there',
      ({ anchors }) => ({
        anchors: [...anchors, { file: 'src/a.py', line: 99, col: 1, before: '', text: 'old', after: '' }],
      }),
    ],
    ['guessed context', ({ anchors }) => ({ anchors: anchors.map((one) => ({ ...one, after: '' })) })],
    ['the new text', ({ anchors }) => ({ anchors: anchors.map((one) => ({ ...one, text: 'fresh' })) })],
    [
      'less text than there is',
      ({ anchors }) => ({
        anchors: anchors.map((one) => ({ ...one, text: 'o', after: `ld${one.after}`.slice(0, 16) })),
      }),
    ],
    ['another line text', ({ lines }) => ({ lines: lines.map((one) => ({ ...one, text: 'the older word' })) })],
    ['another line hash', ({ lines }) => ({ lines: lines.map((one) => ({ ...one, hash: '0'.repeat(16) })) })],
    ['the wrong identity', () => ({ identity: 'other' })],
  ];
  test.each(wrong)('%s: proof_mismatch', async (_, change) => {
    const it = await open();
    const made = it.plan(asking);
    const proof = it.proof(made, it.select(made));
    expect(said(await it.commit(made, { proof: { ...proof, ...change(proof) } }))).toBe('refused proof_mismatch');
    expect(isUntouched(it)).toBe(true);
    expect(said(await it.commit(made, { proof: { ...proof, identity: made.symbol.key } }))).toBe('ok applied');
  });

  test('a resolved plan without questions needs identity, the definition, and one anchor per edited file', async () => {
    const it = await open();
    const made = it.plan(resolved);
    const proof = it.proof(made, it.select(made));
    expect(proof.anchors.map(({ file }) => file)).toEqual(['src/a.py', 'src/b.py', 'src/c.txt']);
    const without = { ...proof, anchors: proof.anchors.slice(0, 2) };
    expect(said(await it.commit(made, { proof: without }))).toBe('refused proof_incomplete');
    expect(said(await it.commit(made))).toBe('ok applied');
  });

  test('a definition that is not edited is quoted whole all the same', async () => {
    const it = await open({ ...files, 'defs.rb': 'old = 1\n' });
    const draft = it.draft(resolved);
    const symbol = { ...draft.symbol, definedAt: { file: 'defs.rb', line: 1, col: 1 } };
    const made = keepPlan(it.world, { ...draft, symbol });
    const proof = it.proof(made, it.select(made));
    const anchors = proof.anchors.map((one) =>
      one.file === 'defs.rb' ? { ...one, text: 'o', after: `ld${one.after}` } : one,
    );
    expect(said(await it.commit(made, { proof: { ...proof, anchors } }))).toBe('refused proof_mismatch');
    expect(said(await it.commit(made))).toBe('ok applied');
  });

  test('a place past the end of its file is not there, whatever is quoted from it', async () => {
    const it = await open();
    const made = it.plan(asking);
    const proof = it.proof(made, it.select(made));
    const beyond = { file: 'src/a.py', line: 99, col: 1, before: '', text: '', after: '' };
    const { outcome } = await it.commit(made, { proof: { ...proof, anchors: [...proof.anchors, beyond] } });
    expect(outcome).toMatchObject({ reason: 'proof_mismatch', detail: 'anchor src/a.py:99:1 is not there' });
  });

  test('what is missing is named, and how much more where it is much', async () => {
    const many = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`m${at}.py`, 'old\n']));
    const it = await open(many);
    const made = it.plan({ ...resolved, main: Object.keys(many) });
    const { outcome } = await it.commit(made, { proof: { identity: '', lines: [], anchors: [] } });
    expect(outcome).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(/^missing: identity, .* and 5 more$/),
    });
  });

  test('a proof that is sent though none is required still has to be true', async () => {
    const it = await open();
    const made = it.plan(proven);
    const proof = { identity: 'other', lines: [], anchors: [] };
    expect(said(await it.commit(made, { proof }))).toBe('refused proof_mismatch');
    expect(isUntouched(it)).toBe(true);
  });
});

describe('M28 any change of any byte of an edited or affected file after planning prevents the commit', () => {
  test.each([
    ['a byte at the end', 'src/a.py', `${files['src/a.py']} `],
    ['a byte of a file that is only left', 'src/c.txt', 'the old word!\n'],
    ['another token of the name', 'src/b.py', `${files['src/b.py']}old\n`],
  ])('%s', async (_, path, text) => {
    const it = await open();
    const made = it.plan(asking);
    const request = it.request(made, it.select(made, { unaccounted_token: 'leave' }));
    it.tree.write(path, text);
    const answer = await commitPlan(it.world, request, it.replan);
    expect(said(answer)).toMatch(/^(blocked files_changed|needs_decision)$/);
    expect(isUntouched(it, { ...files, [path]: text })).toBe(true);
    // Put back, the same plan commits.
    it.tree.write(path, files[path as keyof typeof files]);
    expect(said(await commitPlan(it.world, request, it.replan))).toBe('ok applied');
  });

  test('the answer has the current text of the changed files', async () => {
    const it = await open();
    const made = it.plan(proven);
    it.tree.write('src/a.py', 'old = 2\nprint(old)\n');
    const { outcome } = await it.commit(made);
    expect(outcome).toMatchObject({
      kind: 'blocked',
      reason: 'files_changed',
      plan_id: made.id,
      files: [{ path: 'src/a.py' }],
      current: [{ path: 'src/a.py', line: 1, text: 'old = 2' }],
    });
  });

  test('a file that is gone, and one that came and takes part', async () => {
    const it = await open();
    const gone = it.plan(proven);
    it.tree.remove('src/c.txt');
    expect(said(await it.commit(gone))).toBe('blocked files_changed');
    it.tree.write('src/c.txt', files['src/c.txt']);
    await it.world.session.reconcile('all');
    const spec = { ...proven, main: [...proven.main, 'src/d.py'] };
    const made = it.plan(spec);
    it.tree.write('src/d.py', 'old\n');
    const { outcome } = await it.commit(made);
    expect(outcome).toMatchObject({ kind: 'blocked', reason: 'files_changed', files: [{ path: 'src/d.py' }] });
    expect(isUntouched(it)).toBe(true);
  });

  test('a change elsewhere that matters to nothing does not', async () => {
    const it = await open();
    const made = it.plan(proven);
    it.tree.write('src/other.py', 'unrelated = 1\n');
    expect(said(await it.commit(made))).toBe('ok applied');
  });
});

test('M29 a new ambiguity after planning yields a new plan, not a commit and not a loop', async () => {
  const it = await open();
  const made = it.plan(asking);
  it.tree.write('src/new.txt', 'old\n');
  const first = await it.commit(made);
  expect(said(first)).toBe('needs_decision');
  const again = planOf(first.outcome);
  expect(again.id).not.toBe(made.id);
  expect(again.items).toHaveLength(2);
  expect(isUntouched(it)).toBe(true);
  const second = it.world.plans.find(again.id);
  if (second === undefined) throw new Error('kept');
  expect(said(await it.commit(second))).toBe('ok applied');
  expect(it.read('src/new.txt')).toBe('fresh\n');
});

test('a question that is gone gives a new plan without it', async () => {
  const it = await open();
  const made = it.plan({ ...asking, provenance: 'proven' });
  it.tree.write('src/c.txt', 'another word\n');
  const answer = await it.commit(made, { proof: it.proof(made, it.select(made)) });
  expect(said(answer)).toBe('ok planned');
  expect(planOf(answer.outcome).id).not.toBe(made.id);
});

test('step 4: what cannot be planned now is the answer, and the plan stays open', async () => {
  const it = await open();
  const made = it.plan(proven);
  it.tree.write('src/other.py', 'unrelated = 1\n');
  const { blockedAnswer, refusedAnswer } = await import('./answers.ts');
  const blocked = await commitPlan(it.world, it.request(made), async () => ({
    kind: 'other',
    answer: blockedAnswer('not_fresh', 'not yet'),
  }));
  expect(blocked.outcome).toMatchObject({ kind: 'blocked', reason: 'not_fresh', plan_id: made.id });
  const refused = await commitPlan(it.world, it.request(made), async () => ({
    kind: 'other',
    answer: refusedAnswer('collision', 'a new declaration'),
  }));
  expect(said(refused)).toBe('refused collision');
  expect(it.world.plans.find(made.id)?.status).toBe('open');
  const unswept = { ...it.world, sweep: async () => ({ ...(await it.world.sweep()), swept: false }) };
  expect(said(await commitPlan(unswept, it.request(made), it.replan))).toBe('blocked not_fresh');
  expect(isUntouched(it)).toBe(true);
});

describe('steps 7 and 8: a plan whose record was changed is not what the disk says', () => {
  test('M28 it is refused as such, and nothing is written', async () => {
    const it = await open();
    const draft = it.draft(asking);
    const [main, option] = draft.groups;
    const [item] = draft.items;
    if (main === undefined || option === undefined || item === undefined) throw new Error('a question');
    const forged = {
      ...draft,
      groups: [
        { ...main, edits: main.edits.map((edit) => ({ ...edit, anchor: { ...edit.anchor, ordinal: 7 } })) },
        option,
      ],
    };
    expect(said(await it.commit(keepPlan(it.world, forged)))).toBe('refused plan_mismatch');
    const lines = { ...draft, items: [{ ...item, anchor: { ...item.anchor, lineHash: '0'.repeat(16) } }] };
    expect(said(await it.commit(keepPlan(it.world, lines)))).toBe('refused plan_mismatch');
    expect(isUntouched(it)).toBe(true);
  });
});

test('M22 a plan commits at most once under concurrent commits and retries', async () => {
  const it = await open();
  const made = it.plan(proven);
  const answers = await Promise.all(Array.from({ length: 10 }, () => it.commit(made)));
  expect(answers.map(said).sort()).toEqual(['ok applied', ...Array.from({ length: 9 }, () => 'refused plan_used')]);
});

test('M22 of plans that conflict one is applied', async () => {
  const it = await open();
  const one = it.plan(proven);
  const two = it.plan({ ...proven, to: 'other' });
  const answers = await Promise.all([it.commit(one), it.commit(two)]);
  expect(answers.map(said)).toEqual(['ok applied', 'blocked files_changed']);
  expect(it.read('src/c.txt')).toBe('the fresh word\n');
});

test('M22 a restart between plan and commit changes nothing', async () => {
  const it = await open();
  const made = it.plan(asking);
  it.world.plans.close();
  await it.tree.closeSession();
  const again = await openPlanWorld(files, { tree: it.tree });
  rig = again;
  expect(again.world.plans.find(made.id)).toEqual(made);
  const opened = openPlanStore(it.tree.stateDir);
  if (opened.kind !== 'open') throw new Error('a second look');
  opened.plans.close();
  expect(said(await again.commit(made))).toBe('ok applied');
});

describe('M23 the same request id gives the same answer and at most one effect', () => {
  test('a commit that is sent again', async () => {
    const it = await open();
    const made = it.plan(proven);
    const request = { ...it.request(made), request_id: 'r1' };
    const first = await commitPlan(it.world, request, it.replan);
    expect(said(first)).toBe('ok applied');
    expect(await commitPlan(it.world, request, it.replan)).toEqual(first);
    await undoPlan(it.world, { plan_id: made.id });
    expect(await commitPlan(it.world, request, it.replan)).toEqual(first);
    expect(isUntouched(it)).toBe(true);
  });

  test('sent twice at once it is one', async () => {
    const it = await open();
    const request = { ...it.request(it.plan(proven)), request_id: 'r1' };
    const [first, second] = await Promise.all([1, 2].map(() => commitPlan(it.world, request, it.replan)));
    expect(first).toEqual(second);
    expect(first === undefined ? '' : said(first)).toBe('ok applied');
  });

  test('with another operation it is plan_mismatch; after a day it is forgotten', async () => {
    const it = await open();
    const made = it.plan(proven);
    const other = it.plan({ ...proven, to: 'other' });
    await it.commit(made, { request_id: 'r1', plan_hash: 'wrong' });
    expect(said(await it.commit(other, { request_id: 'r1' }))).toBe('refused plan_mismatch');
    expect(said(await undoPlan(it.world, { plan_id: made.id, request_id: 'r1' }))).toBe('refused plan_mismatch');
    it.clock.nowMs += 24 * 60 * 60 * 1000;
    expect(said(await it.commit(it.plan(proven), { request_id: 'r1' }))).toBe('ok applied');
  });
});

describe('M30 what is applied was proven as one selection', () => {
  test('another selection than the main group alone is asked about, and what is disproved is refused', async () => {
    const asked: unknown[] = [];
    const it = await open({ 'a.ts': 'export const old = 1;\n', 'b.ts': 'declare const o: any;\no.old;\n' });
    const spec: DraftSpec = { from: 'old', to: 'fresh', main: ['a.ts'], ask: 'untyped_access' };
    const world = { ...it.world, openCompiler: disproving(asked) };
    const made = it.plan(spec);
    const both = it.request(made, it.select(made, { untyped_access: 'rename' }));
    expect((await commitPlan(world, both, it.replan)).outcome).toMatchObject({
      kind: 'refused',
      reason: 'bindings_change',
      detail: 'names would come to mean something else: 0 places and 3 more',
    });
    expect(asked).toMatchObject([{ kind: 'prove', edits: [{ path: 'a.ts' }, { path: 'b.ts' }] }]);
    const alone = it.request(made, it.select(made, { untyped_access: 'leave' }));
    expect(said(await commitPlan(world, alone, it.replan))).toBe('ok applied');
    expect(asked).toHaveLength(1);
  });

  test('a plan that could not be proven again after a change elsewhere is not applied as proven', async () => {
    const it = await open();
    const made = it.plan(proven);
    it.tree.write('src/other.py', 'unrelated = 1\n');
    const weaker = async () => ({ kind: 'draft' as const, draft: it.draft({ ...proven, provenance: 'resolved' }) });
    expect(said(await commitPlan(it.world, it.request(made), weaker))).toBe('blocked files_changed');
    expect(isUntouched(it)).toBe(true);
  });

  test('without a compiler such a selection is not applied', async () => {
    const it = await open({ 'a.ts': 'export const old = 1;\n', 'b.ts': 'declare const o: any;\no.old;\n' });
    const made = it.plan({ from: 'old', to: 'fresh', main: ['a.ts'], ask: 'untyped_access' });
    const answer = await it.commit(made, { selections: it.select(made, { untyped_access: 'rename' }) });
    expect(answer.outcome).toMatchObject({ kind: 'unsupported', reason: 'missing_tool', can_force_syntactic: true });
    expect(it.read('a.ts')).toBe('export const old = 1;\n');
  });

  test('edits after which a file does not parse as before are refused', async () => {
    const it = await open({ 'a.py': 'old = 1\nprint(old)\n' });
    const made = it.plan({ from: 'old', to: 'class', main: ['a.py'], provenance: 'resolved' });
    expect(said(await it.commit(made))).toBe('refused parse_breaks');
    expect(it.read('a.py')).toBe('old = 1\nprint(old)\n');
  });
});

describe('M33 a forced plan', () => {
  const forced: DraftSpec = {
    from: 'old',
    to: 'fresh',
    main: ['a.py'],
    mode: 'force_syntactic',
    provenance: 'syntactic',
  };
  const texts = { 'a.py': 'old = 1\nprint(old)\n', 'b.py': 'x = "old"\n', 'c.py': 'old = 2\n' };

  test('M32 the lexical tier alone needs no proof but its own', async () => {
    const it = await open(texts);
    const answer = await it.commit(it.plan(forced));
    expect(answer.outcome).toMatchObject({
      kind: 'ok_syntactic',
      state: 'applied',
      binding: 'scope_proven',
      review: [],
      auto_applied: [
        { file: 'a.py', line: 1, col: 1 },
        { file: 'a.py', line: 2, col: 7 },
      ],
      pending_review: expect.toSatisfy((ids: readonly string[]) => ids.length === 2),
    });
    expect([it.read('a.py'), it.read('c.py')]).toEqual(['fresh = 1\nprint(fresh)\n', texts['c.py']]);
  });

  test('every edit outside that tier needs its own selection and anchor', async () => {
    const it = await open(texts);
    const made = it.plan(forced);
    const [risk] = made.risks;
    const selections = [...it.select(made), risk?.groupId ?? ''];
    const empty = { identity: '', lines: [], anchors: [] };
    expect(said(await it.commit(made, { selections, proof: empty }))).toBe('refused proof_incomplete');
    const answer = await it.commit(made, { selections });
    expect(answer.outcome).toMatchObject({
      kind: 'ok_syntactic',
      binding: 'not_proven',
      review: [{ group: risk?.groupId }],
      auto_applied: [{ file: 'a.py' }, { file: 'a.py' }],
      pending_review: [made.risks[1]?.groupId],
      review_checklist: [{ groups: [made.risks[1]?.groupId] }],
    });
    expect([it.read('b.py'), it.read('c.py')]).toEqual(['x = "fresh"\n', texts['c.py']]);
  });

  test('M30 the compiler is asked about the place that was pointed at', async () => {
    const it = await open({ 'a.ts': '// first\nexport const old = 1;\n', 'b.ts': "export const x = 'old';\n" });
    const asked: unknown[] = [];
    const world = { ...it.world, openCompiler: disproving(asked) };
    const made = it.plan({ ...forced, main: ['a.ts'] });
    const selections = [...it.select(made), made.risks[0]?.groupId ?? ''];
    expect(said(await commitPlan(world, it.request(made, selections), it.replan))).toBe('refused bindings_change');
    expect(asked).toMatchObject([{ oldName: 'old', newName: 'fresh', family: [{ path: 'a.ts', start: 22 }] }]);
  });

  test('a group that is not selected takes no part in the gate, a selected one does', async () => {
    const it = await open(texts);
    const made = it.plan(forced);
    const risky = made.risks.map(({ groupId }) => made.groups.find(({ id }) => id === groupId));
    const inC = risky.find((group) => group?.edits[0]?.path === 'c.py')?.id ?? '';
    const selecting = it.request(made, [...it.select(made), inC]);
    const alone = it.request(made);
    it.tree.write('c.py', 'old = 3\n');
    expect(said(await commitPlan(it.world, selecting, it.replan))).toBe('blocked files_changed');
    expect(said(await commitPlan(it.world, alone, it.replan))).toBe('ok_syntactic applied');
    expect([it.read('a.py'), it.read('c.py')]).toEqual(['fresh = 1\nprint(fresh)\n', 'old = 3\n']);
  });
});
